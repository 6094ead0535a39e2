import { GetObjectTaggingCommand, HeadObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { beforeAll, expect, test } from 'vitest'
import { sharedConsole } from '../../support/console/shared-console.ts'
import type { TestTarget } from '../../support/console/test-target.ts'
import { slowRequest } from '../../support/network/slow-request.ts'

let c: TestTarget
beforeAll(async () => {
  c = await sharedConsole()
})

test('a write with If-Match is 404 if there is no object', async () => {
  const Bucket = await c.newBucket()
  const put = (IfMatch: string) => c.s3.send(new PutObjectCommand({ Bucket, Key: 'k', Body: 'x', IfMatch }))
  await expect(put('*')).rejects.toMatchObject({ name: 'NoSuchKey', $metadata: { httpStatusCode: 404 } })
  const { ETag = '' } = await c.s3.send(new PutObjectCommand({ Bucket, Key: 'k', Body: 'x' }))
  await expect(put('"00000000000000000000000000000000"')).rejects.toMatchObject({ name: 'PreconditionFailed' })
  await put(ETag)
})

test('reads obey If-None-Match and If-Match', async () => {
  const Bucket = await c.newBucket()
  const { ETag = '' } = await c.s3.send(new PutObjectCommand({ Bucket, Key: 'k', Body: 'x' }))
  const head = (more: object) => c.s3.send(new HeadObjectCommand({ Bucket, Key: 'k', ...more }))
  await expect(head({ IfNoneMatch: ETag })).rejects.toMatchObject({ $metadata: { httpStatusCode: 304 } })
  await expect(head({ IfMatch: '"other"' })).rejects.toMatchObject({ $metadata: { httpStatusCode: 412 } })
  expect(await head({ IfMatch: ETag })).toMatchObject({ ContentLength: 1 })
})

test('tags sent with an object are returned by key', async () => {
  const Bucket = await c.newBucket()
  await c.s3.send(new PutObjectCommand({ Bucket, Key: 'k', Body: 'x', Tagging: 'foo=bar&bar' }))
  const { TagSet } = await c.s3.send(new GetObjectTaggingCommand({ Bucket, Key: 'k' }))
  expect(TagSet).toEqual([
    { Key: 'bar', Value: '' },
    { Key: 'foo', Value: 'bar' },
  ])
})

test.each(['', '100-continue'])('an expectation of %j does not stop a write', async (expectation) => {
  const Bucket = await c.newBucket()
  const url = await getSignedUrl(c.s3, new PutObjectCommand({ Bucket, Key: 'k' }))
  const put = slowRequest(url, 'PUT', { expect: expectation, 'content-length': '1' })
  await put.send('x')
  expect((await put.finish()).status).toBe(200)
})
