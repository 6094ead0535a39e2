import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { GetObjectCommand, HeadObjectCommand } from '@aws-sdk/client-s3'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { md5, readSdkBody, sdkErrorCode, startTestStore, startWithBucket } from '../../testing/test-store.ts'

const { store, s3, Bucket, put } = await startWithBucket('objects')
afterAll(() => store[Symbol.asyncDispose]())

describe('put and get', () => {
  test.each([0, 1, 16 * 1024, 16 * 1024 + 1, 1_000_000, 5_000_000])('%i bytes come back equal', async (size) => {
    const data = randomBytes(size)
    const written = await put(`size-${size}`, data)
    expect(written.ETag).toBe(`"${md5(data)}"`)
    const read = await s3.send(new GetObjectCommand({ Bucket, Key: `size-${size}` }))
    expect(read.ContentLength).toBe(size)
    expect((await readSdkBody(read)).equals(data)).toBe(true)
  })

  test('readers at once, of whom some stop and some leave, get their own bytes', async () => {
    // Larger than socket buffers, so that all reads are in progress.
    const contents = Array.from({ length: 4 }, () => randomBytes(12 * 2 ** 20))
    await Promise.all(contents.map((data, i) => put(`shared-${i}`, data)))
    const open = async (i: number) => {
      const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key: `shared-${i % contents.length}` }))
      return { i: i % contents.length, body: Body as Readable }
    }
    const readers = await Promise.all(Array.from({ length: 12 }, (_, i) => open(i)))
    for (const { body } of readers.filter((_, at) => at % 3 === 0)) body.destroy()
    const late = await Promise.all([0, 1, 2, 3].map(open))
    const left = [...readers.filter((_, at) => at % 3 !== 0), ...late]
    const sums = await Promise.all(left.map(async ({ body }) => md5(await buffer(body))))
    expect(sums).toEqual(left.map(({ i }) => md5(contents[i] ?? Buffer.alloc(0))))
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

  test('metadata in UTF-8 is returned as encoded words, also for a copy', async () => {
    const wire = Buffer.from('grün').toString('latin1')
    await store.send({ method: 'PUT', path: '/objects/umlaut', body: 'x', headers: { 'x-amz-meta-color': wire } })
    const headers = { 'x-amz-copy-source': 'objects/umlaut' }
    await store.send({ method: 'PUT', path: '/objects/umlaut-copy', headers })
    for (const path of ['/objects/umlaut', '/objects/umlaut-copy']) {
      const { headers } = await store.send({ method: 'HEAD', path })
      expect(headers['x-amz-meta-color']).toBe('=?UTF-8?q?gr=C3=BCn?=')
    }
  })

  test('too much metadata is refused', async () => {
    expect(await sdkErrorCode(put('wordy', 'x', { Metadata: { long: 'm'.repeat(2048) } }))).toBe('MetadataTooLarge')
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

  test('any text can be a name in a Content-Disposition, stored or asked for', async () => {
    const asked = async (path: string, query: string, more: object = {}) => {
      const { status, headers } = await store.send({ path, query, ...more })
      return [status, Buffer.from(headers['content-disposition'] ?? '', 'latin1').toString('utf8')]
    }
    await put('named', 'content')
    for (const name of ['Ünï', '日本', '\u202etxt.exe', '😀', 'a\ufffdb', 'plain']) {
      const disposition = `attachment; filename="${name}"`
      const query = `response-content-disposition=${encodeURIComponent(disposition)}`
      expect(await asked('/objects/named', query)).toEqual([200, disposition])
      expect(await asked('/objects/named', query, { method: 'HEAD' })).toEqual([200, disposition])
      expect(await asked('/objects/named', query, { headers: { range: 'bytes=1-2' } })).toEqual([206, disposition])
      // Node does not send such a header with a body, but other clients do.
      const headers = { 'content-disposition': Buffer.from(disposition).toString('latin1') }
      await store.engine.putObject(Bucket, 'disposed', Readable.from([Buffer.from('content')]), { headers })
      expect(await asked('/objects/disposed', '')).toEqual([200, disposition])
    }
  })

  test('no response parameter makes the store fail', async () => {
    await put('asked', 'content')
    const parameters = ['type', 'language', 'disposition', 'encoding'].map((name) => `response-content-${name}`)
    const names = fc.constantFrom(...parameters, 'response-expires', 'response-cache-control')
    const values = fc.oneof(fc.string({ unit: 'binary', maxLength: 20 }), fc.string({ maxLength: 20 }))
    await fc.assert(
      fc.asyncProperty(names, values, async (name, value) => {
        const { status } = await store.send({ path: '/objects/asked', query: `${name}=${encodeURIComponent(value)}` })
        expect([200, 400]).toContain(status)
      }),
      { numRuns: 60 },
    )
  })

  test('content that a browser could run is sent with a policy against it', async () => {
    await put('page', '<script>', { ContentType: 'text/html' })
    await put('picture', 'png', { ContentType: 'image/png' })
    const sent = async (path: string, query = '', more: object = {}) => {
      const { headers } = await store.send({ path, query, ...more })
      return [headers['x-content-type-options'], /sandbox/.test(String(headers['content-security-policy']))]
    }
    expect(await sent('/objects/page')).toEqual(['nosniff', true])
    expect(await sent('/objects/page', '', { method: 'HEAD' })).toEqual(['nosniff', true])
    expect(await sent('/objects/page', '', { headers: { range: 'bytes=0-1' } })).toEqual(['nosniff', true])
    expect(await sent('/objects/page', 'response-content-type=text%2Fplain')).toEqual(['nosniff', false])
    expect(await sent('/objects/picture')).toEqual(['nosniff', false])
    expect(await sent('/objects/picture', 'response-content-type=text%2Fhtml')).toEqual(['nosniff', true])
    expect(await sent('/objects/picture', 'response-content-type=')).toEqual(['nosniff', true])
    expect(await sent('/objects/absent')).toEqual(['nosniff', false])
  })

  test('… unless a setting says that it is a static site', async () => {
    await using site = await startTestStore({ sandbox: false })
    await site.engine.createBucket('site')
    await site.send({ method: 'PUT', path: '/site/page', body: '<script>', headers: { 'content-type': 'text/html' } })
    const { headers } = await site.send({ path: '/site/page' })
    expect(headers).toMatchObject({ 'content-type': 'text/html', 'x-content-type-options': 'nosniff' })
    expect(headers).not.toHaveProperty('content-security-policy')
  })

  test('a body shorter or longer than its MD5 says is refused and leaves nothing', async () => {
    expect(await sdkErrorCode(put('digest', 'x', { ContentMD5: 'AAAAAAAAAAAAAAAAAAAAAA==' }))).toBe('BadDigest')
    expect(await sdkErrorCode(put('digest', 'x', { ContentMD5: 'no' }))).toBe('InvalidDigest')
    expect(await sdkErrorCode(s3.send(new HeadObjectCommand({ Bucket, Key: 'digest' })))).toBe('NotFound')
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
