import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { MiB } from '@stowage/contract'
import { beforeAll, expect, test } from 'vitest'
import { sharedConsole } from '../../support/console/shared-console.ts'
import type { TestTarget } from '../../support/console/test-target.ts'
import { bytesDigest, pseudoRandomBytes } from '../../support/data/bytes.ts'

let c: TestTarget
beforeAll(async () => {
  c = await sharedConsole()
})

test('with several writers of one key, readers always see one complete object', async () => {
  const bucket = await c.newBucket()
  const params = { bucket }
  const contents = Array.from({ length: 4 }, (_, i) => pseudoRandomBytes(`writer ${i}`, (i + 1) * MiB))
  const marks = contents.map(bytesDigest)
  const upload = async (bytes: Uint8Array) => {
    const form = new FormData()
    form.append(String(bytes.length), new Blob([bytes as BlobPart]), 'one')
    await c.call('uploadObjects', { params, query: {}, body: form })
  }
  const read = async () => {
    const download = await c.root.send('downloadObject', { params, query: { prefix: 'one' } })
    return bytesDigest(new Uint8Array(await download.arrayBuffer()))
  }
  await upload(contents[0] as Uint8Array)
  let writing = true
  const seen: string[] = []
  const reading = (async () => {
    while (writing) seen.push(await read())
  })()
  await Promise.all(
    contents.map(async (bytes) => {
      for (let n = 0; n < 3; n++) await upload(bytes)
    }),
  )
  writing = false
  await reading
  expect(new Set([...marks, ...seen])).toEqual(new Set(marks))
  expect(seen.length).toBeGreaterThan(0)
  const { objects } = await c.call('listObjects', { params, query: {} })
  expect(objects).toHaveLength(1)
})

test('of several writers with If-None-Match, exactly one wins', async () => {
  const bucket = await c.newBucket()
  for (const size of [10, 1 * MiB]) {
    const Key = `once ${size}`
    const bodies = Array.from({ length: 8 }, (_, i) => pseudoRandomBytes(`${Key} ${i}`, size))
    const results = await Promise.allSettled(
      bodies.map((Body) => c.s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body, IfNoneMatch: '*' }))),
    )
    const won = results.flatMap((result, i) => (result.status === 'fulfilled' ? [i] : []))
    expect(won).toHaveLength(1)
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ name: 'PreconditionFailed' })
    const { Body } = await c.s3.send(new GetObjectCommand({ Bucket: bucket, Key }))
    const found = (await Body?.transformToByteArray()) ?? new Uint8Array()
    expect(bytesDigest(found)).toBe(bytesDigest(bodies[won[0] as number] as Uint8Array))
  }
})
