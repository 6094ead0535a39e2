import { GetObjectCommand, HeadObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { beforeAll, expect, test } from 'vitest'
import { sharedConsole } from '../../support/console/shared-console.ts'
import type { TestTarget } from '../../support/console/test-target.ts'

let c: TestTarget
beforeAll(async () => {
  c = await sharedConsole()
})

const readErrorCode = async (response: Response) => /<Code>(\w+)</.exec(await response.text())?.[1]

test('a presigned URL lets anyone read only one object', async () => {
  const Bucket = await c.newBucket()
  await c.s3.send(new PutObjectCommand({ Bucket, Key: 'dir/a b+ü.txt', Body: 'secret' }))
  const url = await getSignedUrl(c.s3, new GetObjectCommand({ Bucket, Key: 'dir/a b+ü.txt' }), { expiresIn: 600 })
  const response = await fetch(url)
  expect([response.status, await response.text()]).toEqual([200, 'secret'])
  const other = await fetch(url.replace('a%20b', 'a%20c'))
  expect([other.status, await readErrorCode(other)]).toEqual([403, 'SignatureDoesNotMatch'])
  const put = await fetch(url, { method: 'PUT', body: 'x' })
  expect([put.status, await readErrorCode(put)]).toEqual([403, 'SignatureDoesNotMatch'])
})

test('a presigned URL accepts an upload with the signed type', async () => {
  const Bucket = await c.newBucket()
  const command = new PutObjectCommand({ Bucket, Key: 'up', ContentType: 'text/css' })
  const url = await getSignedUrl(c.s3, command, { expiresIn: 600, signableHeaders: new Set(['content-type']) })
  const send = (type: string) => fetch(url, { method: 'PUT', headers: { 'content-type': type }, body: 'body {}' })
  expect((await send('text/html')).status).toBe(403)
  expect((await send('text/css')).status).toBe(200)
  expect(await c.s3.send(new HeadObjectCommand({ Bucket, Key: 'up' }))).toMatchObject({
    ContentType: 'text/css',
    ContentLength: 7,
  })
})

test('the answer’s headers can be set in the URL', async () => {
  const Bucket = await c.newBucket()
  await c.s3.send(new PutObjectCommand({ Bucket, Key: 'k', Body: 'x' }))
  const command = new GetObjectCommand({
    Bucket,
    Key: 'k',
    ResponseContentType: 'text/x-thing',
    ResponseContentDisposition: 'attachment; filename="f.txt"',
  })
  const { headers } = await fetch(await getSignedUrl(c.s3, command))
  expect(headers.get('content-type')).toBe('text/x-thing')
  expect(headers.get('content-disposition')).toBe('attachment; filename="f.txt"')
})

test('a URL that has expired, or lasts longer than a week, is refused', async () => {
  const Bucket = await c.newBucket()
  await c.s3.send(new PutObjectCommand({ Bucket, Key: 'k', Body: 'x' }))
  const command = new GetObjectCommand({ Bucket, Key: 'k' })
  const signingDate = new Date(Date.now() - 120_000)
  const old = await fetch(await getSignedUrl(c.s3, command, { expiresIn: 60, signingDate }))
  expect([old.status, await readErrorCode(old)]).toEqual([403, 'AccessDenied'])
  const url = await getSignedUrl(c.s3, command, { expiresIn: 60 })
  const long = await fetch(url.replace('X-Amz-Expires=60', 'X-Amz-Expires=700000'))
  expect(long.status).toBe(400)
})
