import { beforeAll, expect, test } from 'vitest'
import { callFailure } from '../../support/console/caller.ts'
import { sharedConsole } from '../../support/console/shared-console.ts'
import type { TestTarget } from '../../support/console/test-target.ts'
import { unzip } from '../../support/data/zip.ts'

let c: TestTarget
beforeAll(async () => {
  c = await sharedConsole()
})

/** Names that MinIO, which stores objects as files, accepts too. */
const plain = [
  ' leading and trailing ',
  'plus+plus & equals=',
  'per%cent %2F %00',
  'question?x=1#hash',
  '"double" \'single\' `back`',
  'back\\slash',
  'emoji 😀👩‍👩‍👧 e\u0301',
  'right\u202eto\u2066left\u2069',
  'line\nbreak\ttab',
  '<b>&amp;</b>',
  'a;b,c:d|e*f$g{h}[i]~^',
  'UPPER lower',
  'C:\\Windows\\win.ini',
  'dir/ spaced /file .txt',
  '..hidden',
  'x..',
]
/** Names that no file can have, but S3 objects can. */
const odd = [
  '../../etc/passwd',
  'a/../b',
  './x',
  'a//b///c',
  '/leading',
  '..',
  '.',
  'k'.repeat(1024),
  `1,024 bytes: ${'ü'.repeat(505)}x`,
  'a/./b',
]

const list = async (bucket: string, prefix = '') => {
  const { objects } = await c.call('listObjects', {
    params: { bucket },
    query: { recursive: 'true', limit: '100', ...(prefix ? { prefix } : {}) },
  })
  return objects.map((o) => o.name)
}
const read = async (bucket: string, prefix: string) =>
  await (await c.root.send('downloadObject', { params: { bucket }, query: { prefix } })).text()

/** Sends a hand-written form: FormData would change line ends and quotes in names, as browsers do. */
async function uploadForm(bucket: string, name: string, content: string): Promise<Response> {
  const body =
    `--b\r\nContent-Disposition: form-data; name="${content.length}"; filename*=UTF-8''${encodeURIComponent(name)}` +
    `\r\n\r\n${content}\r\n--b--\r\n`
  return await c.root.send(
    'uploadObjects',
    { params: { bucket }, query: {}, body: new TextEncoder().encode(body) as never },
    { headers: { 'content-type': 'multipart/form-data; boundary=b' } },
  )
}

async function throughEveryCall(name: string): Promise<void> {
  const bucket = await c.newBucket()
  const params = { bucket }

  const query = { prefix: name }
  const { upload_id: uploadId } = await c.call('createUpload', { params, query, body: {} })
  const upload = { params: { bucket, uploadId }, query }
  const body = new TextEncoder().encode('in parts') as never
  const { etag } = await c.call('uploadPart', { params: { ...upload.params, part: 1 }, query, body })
  expect((await c.call('listUploadParts', upload)).parts).toEqual([{ part: 1, etag, size: 8 }])
  await c.call('completeUpload', { ...upload, body: { parts: [{ part: 1, etag }] } })
  expect(await list(bucket)).toEqual([name])
  expect(await list(bucket, name)).toEqual([name])
  expect(await read(bucket, name)).toBe('in parts')

  const selection = new URLSearchParams({ objects: JSON.stringify([name]) }).toString()
  const zip = await c.root.send(
    'downloadObjects',
    { params, body: new TextEncoder().encode(selection) as never },
    { headers: { 'content-type': 'application/x-www-form-urlencoded' } },
  )
  expect([zip.status, zip.headers.get('content-type')]).toEqual([200, 'application/zip'])
  const archive = await zip.arrayBuffer()
  // Longer names are allowed in a zip, but not as file names.
  if (Buffer.byteLength(name) <= 255) expect(Object.values(await unzip(archive))).toEqual(['in parts'])

  await c.call('deleteObject', { params, query: { path: name } })
  expect(await list(bucket)).toEqual([])

  const uploaded = await uploadForm(bucket, name, 'in a form')
  // A line break in a form field name would end its header.
  if (name.includes('\n')) return expect(uploaded.status).toBe(400)
  expect(uploaded.status).toBe(200)
  expect(await list(bucket)).toEqual([name])
  expect(await read(bucket, name)).toBe('in a form')
  await c.call('deleteObjects', { params, body: [{ path: name }] })
  expect(await list(bucket)).toEqual([])
}

test.each(plain)('the key %j passes every call unchanged', async (name) => {
  await throughEveryCall(name)
})

test.each(odd)('the key %j, which no file can have, does too', async (name) => {
  if (c.embedded) await throughEveryCall(name)
})

test('a key of 1,025 bytes is refused by every call that writes or reads it', async () => {
  const bucket = await c.newBucket()
  const params = { bucket }
  for (const name of ['k'.repeat(1025), 'ü'.repeat(513)]) {
    const response = await uploadForm(bucket, name, 'x')
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ message: expect.stringMatching(/key|name/i) })
    const query = { prefix: name }
    expect((await callFailure(c.call('createUpload', { params, query, body: {} }))).status).toBe(400)
    expect((await callFailure(c.call('downloadObject', { params, query }))).status).toBeOneOf([400, 404])
  }
  expect(await list(bucket)).toEqual([])
})

test('without rights to a bucket every call is 403 and changes nothing', async () => {
  const bucket = await c.newBucket()
  await uploadForm(bucket, 'mine', 'mine')
  const stranger = await c.signInWith({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: ['s3:*'], Resource: ['arn:aws:s3:::another', 'arn:aws:s3:::another/*'] }],
  })
  const params = { bucket }
  const prefix = { prefix: 'mine' }
  const form = new FormData()
  form.append('new', new Blob(['x']), 'new')
  for (const run of [
    () => stranger.call('listObjects', { params, query: {} }),
    () => stranger.call('downloadObject', { params, query: prefix }),
    () => stranger.call('downloadObject', { params, query: { prefix: 'dir/' } }),
    () => stranger.call('uploadObjects', { params, query: {}, body: form }),
    () => stranger.call('createUpload', { params, query: prefix, body: {} }),
    () => stranger.call('deleteObject', { params, query: { path: 'mine' } }),
    () => stranger.call('deleteObjects', { params, body: [{ path: 'mine' }] }),
    () => stranger.call('getBucketVersioning', { params }),
    () => stranger.call('setBucketVersioning', { params, body: { versioning: true } }),
    () => stranger.call('setBucketAccess', { params, body: { access: 'PUBLIC' } }),
    () => stranger.call('deleteBucket', { params, body: { name: bucket } }),
  ]) {
    const failure = await callFailure(run())
    expect([String(run), failure.status]).toEqual([String(run), 403])
  }
  expect(await list(bucket)).toEqual(['mine'])
  expect((await stranger.call('listBuckets', {})).buckets.map(({ name }) => name)).not.toContain(bucket)
})

test.each([
  'logs--x-s3',
  'logs--x-s3--',
  'arn:aws:s3:us-east-1:123456789012:accesspoint:foo',
  'arn:aws:s3:::b',
  'a#b?c',
  'a%23b',
])('the storage server decides whether to create a bucket %j', async (bucket) => {
  const refused = { status: 400, body: { cause: 'InvalidBucketName' } }
  const made = await c.root.send('createBucket', { body: { name: bucket } })
  if (made.status === 201) await c.call('deleteBucket', { params: { bucket }, body: {} })
  else expect(await callFailure(c.call('createBucket', { body: { name: bucket } }))).toMatchObject(refused)
  const failure = await callFailure(c.call('getBucketVersioning', { params: { bucket } }))
  expect([400, 404]).toContain(failure.status)
  expect(failure.body.cause).toMatch(/^(InvalidBucketName|NoSuchBucket)$/)
})
