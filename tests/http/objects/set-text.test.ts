import { PutObjectCommand, PutObjectTaggingCommand } from '@aws-sdk/client-s3'
import { beforeAll, expect, test } from 'vitest'
import { callFailure } from '../../support/console/caller.ts'
import { sharedConsole } from '../../support/console/shared-console.ts'
import type { TestTarget } from '../../support/console/test-target.ts'
import { newBucketWith, readObjectText } from '../../support/data/objects.ts'
import { allowS3 } from '../../support/data/policies.ts'

let c: TestTarget
beforeAll(async () => {
  c = await sharedConsole()
})

const details = async (bucket: string, prefix = 'a.txt') =>
  await c.call('getObject', { params: { bucket }, query: { prefix } })
const save = async (bucket: string, text: string, etag: string, prefix = 'a.txt', caller = c.root) =>
  await caller.call('setObjectText', { params: { bucket }, query: { prefix }, body: { text, etag } })

test('an edited text replaces the content; metadata, headers and tags are kept', async () => {
  const bucket = await c.newBucket()
  const put = {
    Bucket: bucket,
    Key: 'a.txt',
    Body: 'one',
    ContentType: 'text/x-notes',
    CacheControl: 'max-age=60',
    ContentLanguage: 'de',
    ContentDisposition: 'inline',
    Expires: new Date('2031-01-02T03:04:05Z'),
    Metadata: { colour: 'blue', name: '=?UTF-8?B?w7w=?=' },
  }
  await c.s3.send(new PutObjectCommand(put))
  const TagSet = [{ Key: 'a b', Value: 'x=y/z +1' }]
  await c.s3.send(new PutObjectTaggingCommand({ Bucket: bucket, Key: 'a.txt', Tagging: { TagSet } }))
  const before = await details(bucket)
  const text = 'zwei\r\nü😀\u0001\n'
  const { etag } = await save(bucket, text, before.etag ?? '')
  const { last_modified: _, checksums: __, ...after } = await details(bucket)
  expect(after.etag).toBe(etag)
  expect(await readObjectText(c, bucket, 'a.txt')).toBe(text)
  const { last_modified: ___, checksums: ____, ...unchanged } = before
  expect(after).toEqual({ ...unchanged, etag, size: Buffer.byteLength(text) })
})

test('an object that was changed meanwhile is not overwritten', async () => {
  const bucket = await newBucketWith(c, { 'a.txt': 'one' })
  const { etag = '' } = await details(bucket)
  await save(bucket, 'two', etag)
  const failure = await callFailure(save(bucket, 'mine', etag))
  expect(failure).toMatchObject({ status: 412, body: { reason: { id: 'object-changed' } } })
  expect(await readObjectText(c, bucket, 'a.txt')).toBe('two')
})

test('1 MiB of control characters is stored, and a byte more is refused', async () => {
  const bucket = await newBucketWith(c, { 'a.txt': 'one' })
  const { etag = '' } = await details(bucket)
  const most = '\u0001'.repeat(1024 * 1024)
  const failure = await callFailure(save(bucket, `${most}x`, etag))
  expect(failure).toMatchObject({ status: 400, body: { field: 'text', reason: { id: 'text-too-large' } } })
  await save(bucket, most, etag)
  expect((await details(bucket)).size).toBe(1024 * 1024)
})

test('compressed content, missing objects and callers without the right are refused', async () => {
  const bucket = await newBucketWith(c, { 'a.txt': 'one' })
  const gzip = { Bucket: bucket, Key: 'b.txt', Body: 'x', ContentEncoding: 'gzip' }
  await c.s3.send(new PutObjectCommand(gzip))
  const { etag = '' } = await details(bucket, 'b.txt')
  const failure = await callFailure(save(bucket, 'x', etag, 'b.txt'))
  expect(failure).toMatchObject({ status: 400, body: { reason: { id: 'text-encoded' } } })
  expect((await callFailure(save(bucket, 'x', etag, 'absent.txt'))).status).toBe(404)
  const reader = await c.signInWith(allowS3(['s3:GetObject', 's3:GetObjectTagging']))
  const { etag: own = '' } = await details(bucket)
  expect((await callFailure(save(bucket, 'x', own, 'a.txt', reader))).status).toBe(403)
  expect(await readObjectText(c, bucket, 'a.txt')).toBe('one')
})
