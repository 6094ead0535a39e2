import { GetObjectCommand, ListMultipartUploadsCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { MiB } from '@stowage/contract'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { callFailure } from '../../support/console/caller.ts'
import { type ConsoleBehindFaults, startConsoleBehindFaults } from '../../support/console/console-behind-faults.ts'
import { ownStore } from '../../support/console/own-store.ts'
import type { TestConsole } from '../../support/console/start-console.ts'
import { bytesDigest, pseudoRandomBytes } from '../../support/data/bytes.ts'
import type { FaultProxy } from '../../support/network/fault-proxy.ts'

/* Connections between the console and its storage server break; the server itself works. */

let together: ConsoleBehindFaults
let network: FaultProxy
let c: TestConsole
let bucket: string
beforeAll(async () => {
  together = await startConsoleBehindFaults()
  ;({ c, network } = together)
})
afterAll(() => together?.[Symbol.asyncDispose]())
beforeEach(async () => {
  network.set({})
  bucket = await c.newBucket()
})

const size = 8 * MiB
const content = pseudoRandomBytes('content', size)
const put = (Key: string) => c.s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body: content }))
const keys = async () => {
  const { objects } = await c.call('listObjects', { params: { bucket }, query: { recursive: 'true', limit: '100' } })
  return objects.map((o) => o.name)
}
const uploadsLeft = async () =>
  (await c.s3.send(new ListMultipartUploadsCommand({ Bucket: bucket }))).Uploads?.length ?? 0
const broken = { status: 502, body: { message: 'The connection to the storage server failed' } }

ownStore.test.each([
  ['of a known size', String(size), 3 * MiB],
  ['of an unknown size, in its first part', 'file', 3 * MiB],
  ['of an unknown size, in its second part', 'file', 7 * MiB],
])('an upload %s that is cut is told, and leaves nothing', async (_, field, cutUpAfter) => {
  const form = new FormData()
  form.append(field, new Blob([new Uint8Array(content)]), 'cut.bin')
  network.set({ cutUpAfter })
  const failure = await callFailure(c.call('uploadObjects', { params: { bucket }, query: {}, body: form }))
  expect(failure).toMatchObject(broken)
  expect(await keys()).toEqual([])
  await expect.poll(uploadsLeft).toBe(0)
})

ownStore.test('a part that is cut is reported and can be sent again', async () => {
  const query = { prefix: 'parted' }
  const { upload_id: uploadId } = await c.call('createUpload', { params: { bucket }, query, body: {} })
  const params = { bucket, uploadId, part: 1 }
  network.set({ cutUpAfter: 3 * MiB })
  expect(await callFailure(c.call('uploadPart', { params, query, body: content as never }))).toMatchObject(broken)
  expect((await c.call('listUploadParts', { params, query })).parts).toEqual([])
  const { part, etag } = await c.call('uploadPart', { params, query, body: content as never })
  await c.call('completeUpload', { params, query, body: { parts: [{ part, etag }] } })
  const { Body } = await c.s3.send(new GetObjectCommand({ Bucket: bucket, Key: 'parted' }))
  expect(bytesDigest((await Body?.transformToByteArray()) ?? new Uint8Array())).toBe(bytesDigest(content))
})

ownStore.test.each(['dir/a', 'dir/'])('the download of %s that is cut does not look whole', async (prefix) => {
  await put('dir/a')
  network.set({ cutDownAfter: 3 * MiB })
  const response = await c.root.send('downloadObject', { params: { bucket }, query: { prefix } })
  await expect(response.arrayBuffer()).rejects.toThrow()
  const again = await c.root.send('downloadObject', { params: { bucket }, query: { prefix: 'dir/a' } })
  expect(bytesDigest(new Uint8Array(await again.arrayBuffer()))).toBe(bytesDigest(content))
})

ownStore.test('a call whose answer is lost fails with 502 and can be repeated', async () => {
  await put('gone')
  const remove = () => c.call('deleteObject', { params: { bucket }, query: { path: 'gone' } })
  network.set({ cutDownAfter: 0 })
  expect(await callFailure(remove())).toMatchObject(broken)
  await remove()
  expect(await keys()).toEqual([])
  for (const run of [
    () => c.call('listObjects', { params: { bucket }, query: { limit: '5' } }),
    () => c.call('listObjects', { params: { bucket }, query: {} }),
    () => c.call('getBucketVersioning', { params: { bucket } }),
  ]) {
    network.set({ cutDownAfter: 10 })
    expect(await callFailure(run())).toMatchObject(broken)
    await run()
  }
})

ownStore.test('a server that refuses connections is reported as such, and is used again when it answers', async () => {
  await network.refuse()
  const failure = await callFailure(c.call('listBuckets', {}))
  expect(failure).toMatchObject({ status: 503, body: { message: 'The storage server cannot be reached' } })
  await network.accept()
  expect((await c.call('listBuckets', {})).buckets.map((b) => b.name)).toContain(bucket)
})

ownStore.test('a slow network slows down only what goes through it', async () => {
  await put('slow')
  network.set({ delayMs: 300 })
  const listing = c.call('listObjects', { params: { bucket }, query: { limit: '5' } }).then(() => 'listing')
  const health = fetch(`${c.url}/healthz`).then(() => 'health')
  expect(await Promise.race([listing, health])).toBe('health')
  await listing
  expect(await keys()).toEqual(['slow'])
})
