import { createHash, randomBytes } from 'node:crypto'
import { GetObjectCommand, HeadObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { MiB } from '@stowage/contract'
import { beforeAll, expect, test } from 'vitest'
import { callFailure } from '../../support/console/caller.ts'
import { sharedConsole } from '../../support/console/shared-console.ts'
import type { TestTarget } from '../../support/console/test-target.ts'
import { unzip } from '../../support/data/zip.ts'

let c: TestTarget
beforeAll(async () => {
  c = await sharedConsole()
})

const md5 = (bytes: Uint8Array) => createHash('md5').update(bytes).digest('hex')
async function stored(Bucket: string, Key: string): Promise<Uint8Array> {
  const { Body } = await c.s3.send(new GetObjectCommand({ Bucket, Key }))
  return (await Body?.transformToByteArray()) ?? new Uint8Array()
}

test('one part of a form is one object, named by the prefix and its name [OBJ-29]', async () => {
  const bucket = await c.newBucket()
  const form = new FormData()
  const big = randomBytes(3 * MiB)
  form.append('hello.txt', new Blob(['hello']), 'hello.txt')
  form.append('big.bin', new Blob([big]), 'big.bin')
  form.append('empty', new Blob([]), 'empty')
  const response = await c.root.send('uploadObjects', { params: { bucket }, query: { prefix: 'in/here/' }, body: form })
  expect(response.status).toBe(200)
  expect(Buffer.from(await stored(bucket, 'in/here/hello.txt')).toString()).toBe('hello')
  expect(md5(await stored(bucket, 'in/here/big.bin'))).toBe(md5(big))
  expect(await stored(bucket, 'in/here/empty')).toHaveLength(0)
  expect(await c.s3.send(new HeadObjectCommand({ Bucket: bucket, Key: 'in/here/hello.txt' }))).toMatchObject({
    ContentType: expect.stringMatching(/^text\/plain/),
  })
})

test('a later client’s form, whose part is named by its size, is stored under the file name [OBJ-29]', async () => {
  const bucket = await c.newBucket()
  const form = new FormData()
  form.append('5', new Blob(['hello']), 'sized.txt')
  await c.root.send('uploadObjects', { params: { bucket }, query: { prefix: '' }, body: form })
  expect(Buffer.from(await stored(bucket, 'sized.txt')).toString()).toBe('hello')
})

test('a body that is not a form is 415, a broken form is 400, and nothing is stored', async () => {
  const bucket = await c.newBucket()
  const send = (type: string, body: string) =>
    c.root.send(
      'uploadObjects',
      { params: { bucket }, query: {}, body: new TextEncoder().encode(body) as never },
      { headers: { 'content-type': type } },
    )
  expect((await send('application/json', '{}')).status).toBe(415)
  expect(
    (
      await send(
        'multipart/form-data; boundary=x',
        '--x\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\nhalf',
      )
    ).status,
  ).toBe(400)
  expect((await c.call('listObjects', { params: { bucket }, query: {} })).objects).toEqual([])
})

test('a part of a form without a name, or with a type that is invalid in a header, is 400 and stores nothing', async () => {
  const bucket = `unmade-${Date.now().toString(36)}`
  const send = (head: string) =>
    c.root.send(
      'uploadObjects',
      {
        params: { bucket },
        query: { prefix: '' },
        body: Buffer.from(`--x\r\n${head}\r\n\r\n\r\n--x--\r\n`, 'latin1') as never,
      },
      { headers: { 'content-type': 'multipart/form-data; boundary=x' } },
    )
  const nameless = await send('Content-Disposition: form-data; name=""; filename=""')
  expect([nameless.status, await nameless.json()]).toEqual([400, expect.objectContaining({ field: 'name' })])
  const typed = await send('Content-Disposition: form-data; name="a"; filename="a"\r\nContent-Type: t\xe9xt/\x01html')
  expect([typed.status, await typed.json()]).toEqual([400, expect.objectContaining({ field: 'content-type' })])
  expect((await c.call('listBuckets', {})).buckets.map(({ name }) => name)).not.toContain(bucket)
})

test('an object’s own Cache-Control is ignored, because its content needs a session', async () => {
  const bucket = await c.newBucket()
  const CacheControl = 'public, max-age=31536000, immutable'
  await c.s3.send(new PutObjectCommand({ Bucket: bucket, Key: 'a.txt', Body: 'x', CacheControl }))
  for (const preview of ['true', 'false']) {
    const answer = await c.root.send('downloadObject', { params: { bucket }, query: { prefix: 'a.txt', preview } })
    expect(answer.headers.get('cache-control')).toBe('private, no-cache')
  }
})

test('a download has length, type, name and the bytes [OBJ-28]', async () => {
  const bucket = await c.newBucket()
  const Body = randomBytes(200_000)
  await c.s3.send(
    new PutObjectCommand({ Bucket: bucket, Key: 'dir/rapport "é".bin', Body, ContentType: 'application/x-thing' }),
  )
  const response = await c.root.send('downloadObject', { params: { bucket }, query: { prefix: 'dir/rapport "é".bin' } })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-length')).toBe('200000')
  expect(response.headers.get('content-type')).toBe('application/x-thing')
  expect(response.headers.get('content-disposition')).toMatch(
    /^attachment; .*filename\*=UTF-8''rapport%20%22%C3%A9%22\.bin/,
  )
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  expect(md5(new Uint8Array(await response.arrayBuffer()))).toBe(md5(Body))
})

test.each([
  ['bytes=0-4', 206, '01234', 'bytes 0-4/10'],
  ['bytes=7-', 206, '789', 'bytes 7-9/10'],
  ['bytes=-2', 206, '89', 'bytes 8-9/10'],
  ['bytes=5-99', 206, '56789', 'bytes 5-9/10'],
  ['bytes=10-', 416, undefined, undefined],
])('the range %s is answered %d [OBJ-28]', async (range, status, text, contentRange) => {
  const bucket = await c.newBucket()
  await c.s3.send(new PutObjectCommand({ Bucket: bucket, Key: 'digits', Body: '0123456789' }))
  const response = await c.root.send(
    'downloadObject',
    { params: { bucket }, query: { prefix: 'digits' } },
    { headers: { range } },
  )
  expect(response.status).toBe(status)
  if (text !== undefined) {
    expect(await response.text()).toBe(text)
    expect(response.headers.get('content-range')).toBe(contentRange)
  }
})

test('a download that was cut is resumed by If-Range, with an ETag or a date', async () => {
  const bucket = await c.newBucket()
  const bytes = randomBytes(3 * MiB)
  await c.s3.send(new PutObjectCommand({ Bucket: bucket, Key: 'big.bin', Body: bytes }))
  const get = (headers: Record<string, string>) =>
    c.root.send('downloadObject', { params: { bucket }, query: { prefix: 'big.bin' } }, { headers })
  const first = await get({})
  await first.body?.cancel()
  const etag = first.headers.get('etag') ?? ''
  const modified = first.headers.get('last-modified') ?? ''
  expect(first.headers.get('accept-ranges')).toBe('bytes')
  expect(etag).toMatch(/^"/)
  for (const ifRange of [etag, modified]) {
    const rest = await get({ range: `bytes=${2 * MiB}-`, 'if-range': ifRange })
    expect([rest.status, rest.headers.get('content-range')]).toEqual([
      206,
      `bytes ${2 * MiB}-${3 * MiB - 1}/${3 * MiB}`,
    ])
    expect(rest.headers.get('etag')).toBe(etag)
    expect(md5(new Uint8Array(await rest.arrayBuffer()))).toBe(md5(bytes.subarray(2 * MiB)))
  }
})

test.each([
  ['another ETag', () => '"0123456789abcdef0123456789abcdef"'],
  ['a weak ETag', (answer: Response) => `W/${answer.headers.get('etag')}`],
  ['a later date than the object’s', () => new Date(Date.now() + 3_600_000).toUTCString()],
  ['an earlier date than the object’s', () => new Date(0).toUTCString()],
  ['neither an ETag nor a date', () => 'yesterday'],
])('If-Range with %s gets the whole object', async (_, ifRange) => {
  const bucket = await c.newBucket()
  await c.s3.send(new PutObjectCommand({ Bucket: bucket, Key: 'digits', Body: '0123456789' }))
  const get = (headers: Record<string, string>) =>
    c.root.send('downloadObject', { params: { bucket }, query: { prefix: 'digits' } }, { headers })
  const first = await get({})
  const rest = await get({ range: 'bytes=5-', 'if-range': ifRange(first) })
  expect([rest.status, await rest.text()]).toEqual([200, '0123456789'])
})

test('a resumed download of an object that was replaced by a smaller one starts again', async () => {
  const bucket = await c.newBucket()
  await c.s3.send(new PutObjectCommand({ Bucket: bucket, Key: 'digits', Body: '0123456789' }))
  const get = (headers: Record<string, string>) =>
    c.root.send('downloadObject', { params: { bucket }, query: { prefix: 'digits' } }, { headers })
  const etag = (await get({})).headers.get('etag') ?? ''
  await c.s3.send(new PutObjectCommand({ Bucket: bucket, Key: 'digits', Body: 'abc' }))
  const rest = await get({ range: 'bytes=5-', 'if-range': etag })
  expect([rest.status, await rest.text()]).toEqual([200, 'abc'])
})

test('a version is downloaded by its ID, and a missing object is 404 [OBJ-28]', async () => {
  const bucket = await c.newBucket()
  await c.call('setBucketVersioning', { params: { bucket }, body: { versioning: true } })
  const first = await c.s3.send(new PutObjectCommand({ Bucket: bucket, Key: 'v', Body: 'one' }))
  await c.s3.send(new PutObjectCommand({ Bucket: bucket, Key: 'v', Body: 'two' }))
  const response = await c.root.send('downloadObject', {
    params: { bucket },
    query: { prefix: 'v', version_id: first.VersionId ?? '' },
  })
  expect(await response.text()).toBe('one')
  const failure = await callFailure(c.call('downloadObject', { params: { bucket }, query: { prefix: 'absent' } }))
  expect(failure).toMatchObject({ status: 404, body: { cause: 'NoSuchKey' } })
})

test('a preview is inline for a type that is safe, and never for script [OBJ-28]', async () => {
  const bucket = await c.newBucket()
  for (const [Key, ContentType] of [
    ['a.png', 'image/png'],
    ['a.svg', 'image/svg+xml'],
    ['a.html', 'text/html'],
  ] as const)
    await c.s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body: '<svg onload="alert(1)"/>', ContentType }))
  const disposition = async (prefix: string) => {
    const response = await c.root.send('downloadObject', { params: { bucket }, query: { prefix, preview: 'true' } })
    expect(response.headers.get('content-security-policy')).toMatch(/sandbox/)
    return response.headers.get('content-disposition')
  }
  expect(await disposition('a.png')).toMatch(/^inline/)
  expect(await disposition('a.svg')).toMatch(/^attachment/)
  expect(await disposition('a.html')).toMatch(/^attachment/)
})

test('a folder and a selection are downloaded as a zip', async () => {
  const bucket = await c.newBucket()
  for (const [Key, Body] of [
    ['d/a.txt', 'A'],
    ['d/sub/b.txt', 'B'],
    ['d/sub/ü 😀.txt', 'C'],
    ['other', 'D'],
  ] as const)
    await c.s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body }))
  const folder = await c.root.send('downloadObject', { params: { bucket }, query: { prefix: 'd/' } })
  expect(folder.headers.get('content-type')).toBe('application/zip')
  expect(folder.headers.get('content-disposition')).toMatch(/filename="?d\.zip/)
  expect(await unzip(await folder.arrayBuffer())).toEqual({ 'd/a.txt': 'A', 'd/sub/b.txt': 'B', 'd/sub/ü 😀.txt': 'C' })

  const form = new URLSearchParams({ objects: JSON.stringify(['d/sub/', 'other']), name: 'mine.zip' })
  const selection = await fetch(`${c.url}/api/v1/buckets/${bucket}/objects/download-multiple`, {
    method: 'POST',
    body: form,
    headers: { authorization: `Bearer ${c.root.session}` },
  })
  expect(selection.headers.get('content-disposition')).toContain('mine.zip')
  expect(Object.values(await unzip(await selection.arrayBuffer())).sort()).toEqual(['B', 'C', 'D'])
})

test('an upload in parts continues where it stopped and becomes one object', async () => {
  const bucket = await c.newBucket()
  const key = 'dir/large file+.bin'
  const parts = [randomBytes(5 * MiB), randomBytes(5 * MiB), randomBytes(1234)]
  const { upload_id: uploadId } = await c.call('createUpload', {
    params: { bucket },
    query: { prefix: key },
    body: { content_type: 'video/mp4' },
  })
  const send = (part: number) =>
    c.call('uploadPart', { params: { bucket, uploadId, part }, query: { prefix: key }, body: parts[part - 1] as never })
  const first = await send(1)
  expect(first).toMatchObject({ part: 1, size: 5 * MiB, etag: md5(parts[0] as Buffer) })
  await send(3)
  const arrived = await c.call('listUploadParts', { params: { bucket, uploadId }, query: { prefix: key } })
  expect(arrived.parts.map((p) => p.part)).toEqual([1, 3])
  const second = await send(2)
  const done = [...arrived.parts, second].sort((a, b) => a.part - b.part).map(({ part, etag }) => ({ part, etag }))
  const { etag } = await c.call('completeUpload', {
    params: { bucket, uploadId },
    query: { prefix: key },
    body: { parts: done },
  })
  expect(etag).toMatch(/-3$/)
  expect(md5(await stored(bucket, key))).toBe(md5(Buffer.concat(parts)))
  expect(await c.s3.send(new HeadObjectCommand({ Bucket: bucket, Key: key }))).toMatchObject({
    ContentType: 'video/mp4',
  })
})

test('an aborted upload leaves nothing behind', async () => {
  const bucket = await c.newBucket()
  const query = { prefix: 'gone' }
  const { upload_id: uploadId } = await c.call('createUpload', { params: { bucket }, query, body: {} })
  await c.call('uploadPart', { params: { bucket, uploadId, part: 1 }, query, body: randomBytes(1000) as never })
  expect((await c.root.send('abortUpload', { params: { bucket, uploadId }, query })).status).toBe(204)
  const failure = await callFailure(c.call('listUploadParts', { params: { bucket, uploadId }, query }))
  expect(failure).toMatchObject({ status: 404, body: { cause: 'NoSuchUpload' } })
  expect((await c.call('listObjects', { params: { bucket }, query: {} })).objects).toEqual([])
})
