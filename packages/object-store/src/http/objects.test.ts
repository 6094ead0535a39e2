import { createHash, randomBytes } from 'node:crypto'
import {
  CopyObjectCommand,
  CreateBucketCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  DeleteObjectTaggingCommand,
  GetObjectAttributesCommand,
  GetObjectCommand,
  GetObjectTaggingCommand,
  HeadObjectCommand,
  ListObjectVersionsCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
  PutObjectTaggingCommand,
  type S3Client,
} from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bodyOf, codeOf, startTestStore, type TestStore } from './testing.ts'

let store: TestStore
let s3: S3Client
const Bucket = 'objects'
const md5 = (data: string | Buffer) => createHash('md5').update(data).digest('hex')

beforeAll(async () => {
  store = await startTestStore()
  s3 = store.s3()
  await s3.send(new CreateBucketCommand({ Bucket }))
  await s3.send(new CreateBucketCommand({ Bucket: 'versioned' }))
  const VersioningConfiguration = { Status: 'Enabled' } as const
  await s3.send(new PutBucketVersioningCommand({ Bucket: 'versioned', VersioningConfiguration }))
})
afterAll(() => store[Symbol.asyncDispose]())

const put = (Key: string, Body: string | Buffer, more = {}) =>
  s3.send(new PutObjectCommand({ Bucket, Key, Body, ...more }))

describe('put and get', () => {
  test.each([0, 1, 16 * 1024, 16 * 1024 + 1, 1_000_000, 5_000_000])('%i bytes come back equal', async (size) => {
    const data = randomBytes(size)
    const written = await put(`size-${size}`, data)
    expect(written.ETag).toBe(`"${md5(data)}"`)
    const read = await s3.send(new GetObjectCommand({ Bucket, Key: `size-${size}` }))
    expect(read.ContentLength).toBe(size)
    expect((await bodyOf(read)).equals(data)).toBe(true)
  })

  test.each([
    'plain',
    'a/b/c',
    'a//b',
    '/leading',
    'trailing/',
    '.',
    '..',
    'a/../b',
    './x',
    'with space',
    'plus+plus',
    'percent%41',
    '100%',
    'quote"\'<>&',
    'emoji 😀/ｅ',
    'a?b#c',
    'ü/é',
    '\u0001',
    'back\\slash',
    'k'.repeat(1024),
  ])('the key %j comes back as it is', async (key) => {
    await store.send({ method: 'PUT', path: `/objects/keys:${key}`.slice(0, 9 + 1024), body: key })
    const wanted = `keys:${key}`.slice(0, 1024)
    expect((await store.send({ path: `/objects/${wanted}` })).text).toBe(key)
    const list = await store.send({ path: '/objects', query: 'encoding-type=url&list-type=2&prefix=keys%3A' })
    const names = [...list.text.matchAll(/<Key>([^<]*)</g)].map(([, name = '']) =>
      decodeURIComponent(name.replaceAll('+', ' ')),
    )
    expect(names).toContain(wanted)
  })

  test('a key of more than 1024 bytes is refused', async () => {
    const answer = await store.send({ method: 'PUT', path: `/objects/${'k'.repeat(1025)}`, body: 'x' })
    expect([answer.status, answer.code]).toEqual([400, 'KeyTooLongError'])
  })

  test('headers and metadata are kept', async () => {
    const described = {
      ContentType: 'text/plain; charset=utf-8',
      CacheControl: 'max-age=60',
      ContentDisposition: 'attachment; filename="x.txt"',
      ContentLanguage: 'de',
      ContentEncoding: 'gzip',
      Metadata: { one: '1', 'two-words': 'zwei Wörter'.normalize() },
    }
    await put('described', 'x', { ...described, Metadata: { one: '1' } })
    const head = await s3.send(new HeadObjectCommand({ Bucket, Key: 'described' }))
    expect(head).toMatchObject({ ...described, Metadata: { one: '1' } })
  })

  test('metadata in UTF-8 comes back byte for byte', async () => {
    const wire = Buffer.from('grün').toString('latin1')
    await store.send({ method: 'PUT', path: '/objects/umlaut', body: 'x', headers: { 'x-amz-meta-color': wire } })
    expect((await store.send({ method: 'HEAD', path: '/objects/umlaut' })).headers['x-amz-meta-color']).toBe(wire)
  })

  test('too much metadata is refused', async () => {
    expect(await codeOf(put('wordy', 'x', { Metadata: { long: 'm'.repeat(2048) } }))).toBe('MetadataTooLarge')
  })

  test('response parameters override headers', async () => {
    await put('overridden', 'x', { ContentType: 'text/html' })
    const read = await s3.send(
      new GetObjectCommand({
        Bucket,
        Key: 'overridden',
        ResponseContentType: 'text/plain',
        ResponseContentDisposition: 'attachment; filename="Ünï.txt"',
      }),
    )
    expect(read.ContentType).toBe('text/plain')
    const injected = await store.send({
      path: '/objects/overridden',
      query: 'response-content-type=a%0D%0Ax-evil%3A%201',
    })
    expect(injected.code).toBe('InvalidArgument')
  })

  test('a body shorter or longer than its MD5 says is refused and leaves nothing', async () => {
    expect(await codeOf(put('digest', 'x', { ContentMD5: 'AAAAAAAAAAAAAAAAAAAAAA==' }))).toBe('BadDigest')
    expect(await codeOf(put('digest', 'x', { ContentMD5: 'no' }))).toBe('InvalidDigest')
    expect(await codeOf(s3.send(new HeadObjectCommand({ Bucket, Key: 'digest' })))).toBe('NotFound')
  })
})

describe('ranges', () => {
  const data = Buffer.from('0123456789')
  beforeAll(async () => void (await put('digits', data)))

  test.each([
    ['bytes=0-0', 206, '0', 'bytes 0-0/10'],
    ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
    ['bytes=7-', 206, '789', 'bytes 7-9/10'],
    ['bytes=7-100', 206, '789', 'bytes 7-9/10'],
    ['bytes=-3', 206, '789', 'bytes 7-9/10'],
    ['bytes=-30', 206, '0123456789', 'bytes 0-9/10'],
    ['bytes=5-2', 200, '0123456789', undefined],
    ['bytes=0-1,3-4', 200, '0123456789', undefined],
    ['lines=1-2', 200, '0123456789', undefined],
  ])('%s answers %i %s', async (range, status, text, contentRange) => {
    const answer = await store.send({ path: '/objects/digits', headers: { range } })
    expect([answer.status, answer.text, answer.headers['content-range']]).toEqual([status, text, contentRange])
  })

  test.each(['bytes=10-', 'bytes=-0'])('%s cannot be satisfied', async (range) => {
    const answer = await store.send({ path: '/objects/digits', headers: { range } })
    expect([answer.status, answer.code]).toEqual([416, 'InvalidRange'])
  })
})

describe('conditions', () => {
  const etag = `"${md5('conditional')}"`
  const past = 'Wed, 01 Jan 2020 00:00:00 GMT'
  const future = new Date(Date.now() + 3_600_000).toUTCString()
  beforeAll(async () => void (await put('conditional', 'conditional')))

  test.each([
    [{ 'if-match': etag }, 200],
    [{ 'if-match': '"other"' }, 412],
    [{ 'if-none-match': etag }, 304],
    [{ 'if-none-match': '"other"' }, 200],
    [{ 'if-modified-since': past }, 200],
    [{ 'if-modified-since': future }, 304],
    [{ 'if-unmodified-since': past }, 412],
    [{ 'if-unmodified-since': future }, 200],
    [{ 'if-match': etag, 'if-unmodified-since': past }, 200],
    [{ 'if-none-match': '"other"', 'if-modified-since': future }, 200],
    [{ 'if-none-match': '*' }, 304],
  ])('a read with %j answers %i', async (headers, status) => {
    expect((await store.send({ path: '/objects/conditional', headers })).status).toBe(status)
  })

  test('a write decides on the object that is there', async () => {
    const write = (headers: Record<string, string>) =>
      store.send({ method: 'PUT', path: '/objects/once', body: 'x', headers })
    expect((await write({ 'if-none-match': '*' })).status).toBe(200)
    expect((await write({ 'if-none-match': '*' })).code).toBe('PreconditionFailed')
    expect((await write({ 'if-match': `"${md5('x')}"` })).status).toBe(200)
    expect((await write({ 'if-match': '"other"' })).code).toBe('PreconditionFailed')
  })

  test('of two that write what must be new one wins', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        store.send({ method: 'PUT', path: '/objects/race', body: String(n), headers: { 'if-none-match': '*' } }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })
})

describe('copies', () => {
  const copy = (CopySource: string, Key: string, more = {}) =>
    s3.send(new CopyObjectCommand({ Bucket, Key, CopySource, ...more }))

  test('a copy takes metadata, type and tags along', async () => {
    await put('source ä+', 'data', { Metadata: { a: '1' }, ContentType: 'text/x', Tagging: 'k=v' })
    await copy('objects/source%20%C3%A4%2B', 'copied')
    const read = await s3.send(new GetObjectCommand({ Bucket, Key: 'copied' }))
    expect([read.Metadata, read.ContentType, read.TagCount]).toEqual([{ a: '1' }, 'text/x', 1])
    expect((await bodyOf(read)).toString()).toBe('data')
  })

  test('REPLACE takes them from the request', async () => {
    await put('replace', 'data', { Metadata: { a: '1' }, Tagging: 'k=v' })
    await copy('objects/replace', 'replace', {
      MetadataDirective: 'REPLACE',
      Metadata: { b: '2' },
      TaggingDirective: 'REPLACE',
      Tagging: 'x=y',
    })
    const head = await s3.send(new HeadObjectCommand({ Bucket, Key: 'replace' }))
    expect(head.Metadata).toEqual({ b: '2' })
    const tags = await s3.send(new GetObjectTaggingCommand({ Bucket, Key: 'replace' }))
    expect(tags.TagSet).toEqual([{ Key: 'x', Value: 'y' }])
  })

  test('a copy onto itself that changes nothing is refused', async () => {
    await put('same', 'data')
    expect(await codeOf(copy('objects/same', 'same'))).toBe('InvalidRequest')
  })

  test('the conditions of the source count', async () => {
    await put('conditioned', 'data')
    expect(await codeOf(copy('objects/conditioned', 'c', { CopySourceIfMatch: '"x"' }))).toBe('PreconditionFailed')
    await copy('objects/conditioned', 'c', { CopySourceIfMatch: `"${md5('data')}"` })
  })

  test.each(['objects', 'objects/', '/', '%E0%A4%A', 'objects/k?versionId=nonsense'])(
    'the source %s is refused',
    async (source) => {
      const headers = { 'x-amz-copy-source': source }
      const answer = await store.send({ method: 'PUT', path: '/objects/target', headers })
      expect([answer.status, answer.code]).toEqual([400, 'InvalidArgument'])
    },
  )

  test('an absent source is told', async () => {
    expect(await codeOf(copy('objects/absent', 'c'))).toBe('NoSuchKey')
  })
})

describe('versions', () => {
  test('each write is a version, a delete is a marker, and a version can be brought back', async () => {
    const Key = 'history'
    const write = (Body: string) => s3.send(new PutObjectCommand({ Bucket: 'versioned', Key, Body }))
    const { VersionId: first } = await write('one')
    const { VersionId: second } = await write('two')
    const old = await s3.send(new GetObjectCommand({ Bucket: 'versioned', Key, VersionId: first }))
    expect((await bodyOf(old)).toString()).toBe('one')

    const removed = await s3.send(new DeleteObjectCommand({ Bucket: 'versioned', Key }))
    expect(removed.DeleteMarker).toBe(true)
    const gone = await store.send({ path: `/versioned/${Key}` })
    expect([gone.status, gone.headers['x-amz-delete-marker']]).toEqual([404, 'true'])
    const marker = await store.send({ path: `/versioned/${Key}`, query: `versionId=${removed.VersionId}` })
    expect([marker.status, marker.headers['x-amz-delete-marker']]).toEqual([405, 'true'])

    const listed = await s3.send(new ListObjectVersionsCommand({ Bucket: 'versioned', Prefix: Key }))
    expect(listed.Versions?.map(({ VersionId }) => VersionId)).toEqual([second, first])
    expect(listed.DeleteMarkers?.map(({ VersionId, IsLatest }) => [VersionId, IsLatest])).toEqual([
      [removed.VersionId, true],
    ])

    await s3.send(
      new CopyObjectCommand({ Bucket: 'versioned', Key, CopySource: `versioned/${Key}?versionId=${first}` }),
    )
    const back = await s3.send(new GetObjectCommand({ Bucket: 'versioned', Key }))
    expect((await bodyOf(back)).toString()).toBe('one')
    await s3.send(new DeleteObjectCommand({ Bucket: 'versioned', Key, VersionId: second }))
    const lost = new GetObjectCommand({ Bucket: 'versioned', Key, VersionId: second })
    expect(await codeOf(s3.send(lost))).toBe('NoSuchVersion')
  })

  test('an impossible version id is refused', async () => {
    expect((await store.send({ path: '/versioned/k', query: 'versionId=nonsense' })).code).toBe('InvalidArgument')
  })
})

describe('deletes', () => {
  test('many at once, one answer each', async () => {
    await Promise.all(['d1', 'd2', 'd&3'].map((key) => put(key, 'x')))
    const result = await s3.send(
      new DeleteObjectsCommand({ Bucket, Delete: { Objects: ['d1', 'd2', 'd&3', 'absent'].map((Key) => ({ Key })) } }),
    )
    expect(result.Deleted?.map(({ Key }) => Key)).toEqual(['d1', 'd2', 'd&3', 'absent'])
    expect(await codeOf(s3.send(new HeadObjectCommand({ Bucket, Key: 'd&3' })))).toBe('NotFound')
  })

  test('quietly, errors alone are answered', async () => {
    const body =
      '<Delete><Quiet>true</Quiet><Object><Key>q</Key></Object>' +
      '<Object><Key>r</Key><VersionId>nonsense</VersionId></Object></Delete>'
    const answer = await store.send({ method: 'POST', path: '/objects', query: 'delete=', body })
    expect(answer.text).not.toContain('<Deleted>')
    expect(answer.text).toContain('<Error><Code>InvalidArgument</Code>')
  })

  test.each([
    ['', 'no objects'],
    ['<Object><Key>k</Key></Object>'.repeat(1001), 'more than 1000'],
    ['<Object></Object>', 'no key'],
  ])('a list that is none is refused (%#)', async (content) => {
    const body = `<Delete>${content}</Delete>`
    const answer = await store.send({ method: 'POST', path: '/objects', query: 'delete=', body })
    expect([answer.status, answer.code]).toEqual([400, 'MalformedXML'])
  })

  test('a thousand keys with entities are read', async () => {
    const keys = Array.from({ length: 1000 }, (_, n) => `<Object><Key>&amp;&lt;&#x41;&gt;${n}</Key></Object>`)
    const body = `<Delete>${keys.join('')}</Delete>`
    const answer = await store.send({ method: 'POST', path: '/objects', query: 'delete=', body })
    expect(answer.text).toContain('<Key>&amp;&lt;A&gt;999</Key>')
  })

  test('forced, everything below a prefix goes, all versions', async () => {
    for (const key of ['tree/a', 'tree/b/c', 'treehouse']) {
      await store.send({ method: 'PUT', path: `/versioned/${key}`, body: '1' })
      await store.send({ method: 'PUT', path: `/versioned/${key}`, body: '2' })
    }
    const headers = { 'x-minio-force-delete': 'true' }
    expect((await store.send({ method: 'DELETE', path: '/versioned/tree', headers })).status).toBe(204)
    const left = await s3.send(new ListObjectVersionsCommand({ Bucket: 'versioned', Prefix: 'tree' }))
    expect(left.Versions?.map(({ Key }) => Key)).toEqual(['treehouse', 'treehouse'])
  })
})

describe('tags and attributes', () => {
  test('tags are set, counted, replaced and removed', async () => {
    await put('tagged', 'x', { Tagging: 'a=1&b=two%20words' })
    const tags = async () => (await s3.send(new GetObjectTaggingCommand({ Bucket, Key: 'tagged' }))).TagSet
    expect(await tags()).toEqual([
      { Key: 'a', Value: '1' },
      { Key: 'b', Value: 'two words' },
    ])
    const TagSet = [{ Key: 'constructor', Value: 'x' }]
    await s3.send(new PutObjectTaggingCommand({ Bucket, Key: 'tagged', Tagging: { TagSet } }))
    expect(await tags()).toEqual(TagSet)
    await s3.send(new DeleteObjectTaggingCommand({ Bucket, Key: 'tagged' }))
    expect(await tags()).toEqual([])
  })

  test.each([
    ['=1', 'InvalidTag'],
    [`${'k'.repeat(129)}=1`, 'InvalidTag'],
    ['a=1&a=2', 'InvalidTag'],
    [Array.from({ length: 11 }, (_, n) => `k${n}=1`).join('&'), 'BadRequest'],
  ])('the tags %s are refused', async (Tagging, code) => {
    expect(await codeOf(put('badly tagged', 'x', { Tagging }))).toBe(code)
  })

  test('attributes are those asked for', async () => {
    await put('attributes', 'attributes', { ChecksumAlgorithm: 'SHA256' })
    const ObjectAttributes = ['ETag', 'ObjectSize', 'Checksum', 'StorageClass'] as const
    const found = await s3.send(
      new GetObjectAttributesCommand({ Bucket, Key: 'attributes', ObjectAttributes: [...ObjectAttributes] }),
    )
    expect(found).toMatchObject({
      ETag: md5('attributes'),
      ObjectSize: 10,
      StorageClass: 'STANDARD',
      Checksum: { ChecksumSHA256: createHash('sha256').update('attributes').digest('base64') },
    })
  })
})
