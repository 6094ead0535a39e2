import { createHash } from 'node:crypto'
import { PutObjectCommand } from '@aws-sdk/client-s3'
import { MiB } from '@stowage/contract'
import fc from 'fast-check'
import { beforeAll, expect, inject, test } from 'vitest'
import { anyKey } from '../../../apps/web/src/testing/keys.ts'
import { callFailure } from '../../support/console/caller.ts'
import { sharedConsole } from '../../support/console/shared-console.ts'
import type { TestTarget } from '../../support/console/test-target.ts'
import { pseudoRandomBytes as pattern } from '../../support/data/bytes.ts'
import { listKeys, newBucketWith, readObjectBytes } from '../../support/data/objects.ts'
import { unzip } from '../../support/data/zip.ts'

let c: TestTarget
beforeAll(async () => {
  c = await sharedConsole()
})
const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

test('every key is listed, read, linked to, renamed and deleted unchanged', async () => {
  const bucket = await c.newBucket()
  const params = { bucket }
  const whole = fc
    .oneof(anyKey, fc.string({ unit: 'binary', minLength: 1, maxLength: 300 }), longKey)
    .filter((key) => isKey(key))
  const check = async (key: string) => {
    const content = `I am ${key}`
    const { upload_id: uploadId } = await c.call('createUpload', { params, query: { prefix: key }, body: {} })
    const body = new TextEncoder().encode(content) as never
    const { etag } = await c.call('uploadPart', { params: { bucket, uploadId, part: 1 }, query: { prefix: key }, body })
    const parts = [{ part: 1, etag }]
    await c.call('completeUpload', { params: { bucket, uploadId }, query: { prefix: key }, body: { parts } })

    expect(await listKeys(c, bucket)).toEqual([key])
    expect((await c.call('getObject', { params, query: { prefix: key } })).name).toBe(key)
    const read = async (query: object) =>
      await (await c.root.send('downloadObject', { params, query: query as never })).text()
    expect(await read({ prefix: key, version_id: 'null' })).toBe(content)
    const link = await c.call('shareObject', { params, query: { prefix: key } })
    expect(await (await fetch(link)).text()).toBe(content)

    const renamed = `${[...key].slice(0, 200).join('')}-2`
    const entries = [{ from: key, to: renamed }]
    const move = { target_bucket: bucket, entries, move: true, overwrite: false, dry_run: false }
    if (!key.endsWith('/')) {
      await c.root.send('copyObjects', { params, body: move as never })
      expect(await listKeys(c, bucket)).toEqual([renamed])
      await c.root.send('copyObjects', { params, body: { ...move, entries: [{ from: renamed, to: key }] } as never })
      expect(await listKeys(c, bucket)).toEqual([key])
    }
    await c.root.send('deleteObject', { params, query: { path: key } })
    expect(await listKeys(c, bucket)).toEqual([])
  }
  await fc.assert(fc.asyncProperty(whole, check), { numRuns: 12, endOnFailure: true })
})

const longKey = fc.constantFrom('x'.repeat(1024), 'ü'.repeat(512), `${'d/'.repeat(511)}ab`)

/** What S3 and, in front of it, MinIO take as a key. */
function isKey(key: string): boolean {
  // UTF-8 has no lone surrogates, and the servers refuse NUL.
  if (Buffer.byteLength(key) > 1024 || Buffer.from(key).toString() !== key || key.includes('\0')) return false
  if (inject('console').embedded) return true
  // MinIO stores a key as a path.
  const segments = key.split('/')
  return (
    !key.startsWith('/') && segments.every((s) => s !== '' && s !== '.' && s !== '..' && Buffer.byteLength(s) < 250)
  )
}

test('an object that is replaced while it is downloaded is never mixed with its successor', async () => {
  const old = pattern('old', 32 * MiB)
  const bucket = await newBucketWith(c, { k: old })
  const response = await c.root.send('downloadObject', { params: { bucket }, query: { prefix: 'k' } })
  const reader = response.body?.getReader()
  const first = await reader?.read()
  const replaced = c.s3.send(new PutObjectCommand({ Bucket: bucket, Key: 'k', Body: pattern('new', 32 * MiB) }))
  // MinIO waits for the readers of an object before it replaces it.
  if (inject('console').embedded) await replaced
  const pieces = [first?.value ?? new Uint8Array()]
  for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) pieces.push(piece.value)
  await replaced
  expect(sha(Buffer.concat(pieces))).toBe(sha(old))
})

test('objects that vanish while a folder is sent as a zip are listed in it, and the others are whole', async () => {
  const large = pattern('large', 32 * MiB)
  const names = Array.from({ length: 60 }, (_, n) => `d/small-${String(n).padStart(3, '0')}`)
  const bucket = await newBucketWith(c, { 'd/large': large })
  await Promise.all(names.map((Key) => c.s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body: Key }))))
  const response = await c.root.send('downloadObject', { params: { bucket }, query: { prefix: 'd/' } })
  const reader = response.body?.getReader()
  const first = await reader?.read()
  const gone = names[40] ?? ''
  await c.root.send('deleteObject', { params: { bucket }, query: { path: gone } })
  const pieces = [first?.value ?? new Uint8Array()]
  for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) pieces.push(piece.value)
  const { 'NOT-IN-THIS-ZIP.txt': report, 'd/large': sent, ...rest } = await unzip(Buffer.concat(pieces) as never)
  expect(report).toContain(`${gone}\tNoSuchKey`)
  expect(sent?.length).toBeGreaterThan(0)
  expect(Object.keys(rest).toSorted()).toEqual(names.filter((name) => name !== gone))
})

test('a link to an object that is gone is 404, and to one that came back works again', async () => {
  const bucket = await newBucketWith(c, { k: 'one' })
  const params = { bucket }
  const expires = new Date(Date.now() + 3_600_000).toISOString()
  const { url } = await c.call('createLink', { params, body: { path: 'k', expires } })
  const shared = await c.call('shareObject', { params, query: { prefix: 'k' } })
  await c.root.send('deleteObject', { params, query: { path: 'k' } })
  // The account of a link may not list, so the server does not tell it whether the key exists.
  expect([403, 404]).toContain((await fetch(url)).status)
  expect((await fetch(shared)).status).toBe(404)
  await c.s3.send(new PutObjectCommand({ Bucket: bucket, Key: 'k', Body: 'two' }))
  for (const link of [url, shared]) expect(await (await fetch(link)).text()).toBe('two')
})

test('a quota that is reached in the middle of an upload refuses it, keeps its parts and stores nothing', async () => {
  const bucket = await c.newBucket()
  const params = { bucket }
  const query = { prefix: 'k' }
  const quota = (amount: number) =>
    c.call('setBucketQuota', { params, body: { enabled: true, quota_type: 'hard', amount } })
  const { upload_id: uploadId } = await c.call('createUpload', { params, query, body: {} })
  const body = pattern('part', 5 * MiB) as never
  const send = (part: number) => c.call('uploadPart', { params: { bucket, uploadId, part }, query, body })
  const one = await send(1)
  await quota(6 * MiB)
  const finish = async () => {
    const two = await send(2)
    const parts = [
      { part: 1, etag: one.etag },
      { part: 2, etag: two.etag },
    ]
    return await c.call('completeUpload', { params: { bucket, uploadId }, query, body: { parts } })
  }
  if (inject('console').embedded)
    expect(await callFailure(finish())).toMatchObject({ body: { code: expect.any(Number) } })
  if (!inject('console').embedded) return
  expect(await listKeys(c, bucket)).toEqual([])
  await quota(20 * MiB)
  await finish()
  expect((await readObjectBytes(c, bucket, 'k')).length).toBe(10 * MiB)
})
