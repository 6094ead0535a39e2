import { PutObjectCommand } from '@aws-sdk/client-s3'
import { beforeAll, expect, inject, test } from 'vitest'
import { sharedConsole } from '../../support/console/shared-console.ts'
import type { TestTarget } from '../../support/console/test-target.ts'
import { listKeys } from '../../support/data/objects.ts'

/* Malicious objects that a victim opens: no script of theirs runs, and none injects a header. */

let c: TestTarget
let bucket: string
beforeAll(async () => {
  c = await sharedConsole()
  bucket = await c.newBucket('hostile')
})

const SCRIPT = '<html><script>alert(1)</script></html>'

const download = (prefix: string, query: Record<string, string> = {}) =>
  c.root.send('downloadObject', { params: { bucket }, query: { prefix, ...query } as never })

test.each([
  'text/html',
  'TEXT/HTML; charset=utf-7',
  'text/html,text/plain',
  'text/xml',
  'text/xsl',
  'text/vnd.wap.wml+xml',
  'text/javascript',
  'application/xhtml+xml',
  'application/xml',
  'application/javascript',
  'image/svg+xml',
  'image/svg+xml;charset=utf-8',
  'image/png, text/html',
  'multipart/x-mixed-replace; boundary=x',
  'message/rfc822',
  'application/x-mimearchive',
  'application/pdf; x=text/html',
  'video/mp4, text/html',
  'audio/x; charset="text/html"',
  'x-content-type',
  '"',
  'text/plain\u00e9',
])('an object stored as %s runs nothing, downloaded or previewed', async (ContentType) => {
  await c.s3.send(new PutObjectCommand({ Bucket: bucket, Key: 'page', Body: SCRIPT, ContentType }))
  for (const preview of ['false', 'true']) {
    const response = await download('page', { preview })
    expect([response.status, await response.text()]).toEqual([200, SCRIPT])
    const header = (name: string) => response.headers.get(name) ?? ''
    expect(header('x-content-type-options')).toBe('nosniff')
    expect(header('content-security-policy')).toMatch(/^default-src 'none';(?!.*(script-src|unsafe-eval))/)
    expect(header('cross-origin-resource-policy')).toBe('same-origin')
    if (!header('content-type').startsWith('application/pdf'))
      expect(header('content-security-policy')).toMatch(/; sandbox$/)
    const shown = header('content-disposition').startsWith('inline')
    if (shown) expect(preview).toBe('true')
    if (shown)
      expect(header('content-type')).toMatch(/^(text\/plain; charset=utf-8|application\/pdf|(audio|video)\/[\w.+-]+)$/)
  }
})

test('metadata of an object sets no header of the console', async () => {
  const Metadata = { 'set-cookie': 'token=x', location: '//evil.example' }
  const odd = {
    CacheControl: 'public, max-age=9',
    Expires: new Date(0),
    ContentLanguage: 'x',
    ContentDisposition: 'inline',
  }
  await c.s3.send(
    new PutObjectCommand({ Bucket: bucket, Key: 'meta', Body: 'x', Metadata, WebsiteRedirectLocation: '/x', ...odd }),
  )
  const response = await download('meta')
  const names = [
    'set-cookie',
    'location',
    'expires',
    'content-language',
    'x-amz-meta-location',
    'x-amz-website-redirect-location',
  ]
  expect(names.filter((name) => response.headers.has(name))).toEqual([])
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="meta"')
  // Query parameters that S3 accepts as overrides are not forwarded either.
  const asked = await download('meta', {
    'response-content-type': 'text/html',
    'response-content-disposition': 'inline',
  })
  expect(asked.headers.get('content-type')).not.toMatch(/html/)
  expect(asked.headers.get('content-disposition')).toMatch(/^attachment/)
})

test.for([
  'a"; filename="b.exe',
  'a\r\nSet-Cookie: token=x',
  'a\u2028b',
  '\u202egnp.exe',
  `${'\u0001'.repeat(1000)}.txt`,
])('the key %j writes nothing into the headers but its name', async (key, { skip }) => {
  // MinIO stores each part of a key as a folder, whose name has at most 255 bytes.
  if (!inject('console').embedded && key.length > 255) return skip()
  await c.s3.send(new PutObjectCommand({ Bucket: bucket, Key: `d/${key}`, Body: 'x' }))
  for (const name of [`d/${key}`, `d/sub/${key}/`]) {
    if (name.endsWith('/')) await c.s3.send(new PutObjectCommand({ Bucket: bucket, Key: `${name}x`, Body: 'x' }))
    const response = await download(name)
    expect([response.status, response.headers.getSetCookie()]).toEqual([200, []])
    const disposition = response.headers.get('content-disposition') ?? ''
    expect(disposition).toMatch(
      /^attachment; filename="[\x20-\x21\x23-\x5b\x5d-\x7e]*"(; filename\*=UTF-8''[\w%.~-]*)?$/,
    )
    expect(disposition.length).toBeLessThan(1200)
    await response.body?.cancel()
  }
  await c.call('deleteObject', { params: { bucket }, query: { path: 'd/', recursive: 'true' } as never })
})

test('a deletion reports each key on one line, whatever it contains', async () => {
  const path = 'e/x"}\n{"done":true,"deleted":9,"failed":0,"errors":[]}\n'
  const denied = await c.signInWith({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: ['s3:ListBucket'], Resource: ['arn:aws:s3:::*'] }],
  })
  await c.s3.send(new PutObjectCommand({ Bucket: bucket, Key: path, Body: 'x' }))
  const headers = { accept: 'application/x-ndjson' }
  const response = await denied.send('deleteObjects', { params: { bucket }, body: [{ path }] }, { headers })
  const lines = (await response.text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines.at(-1)).toMatchObject({ done: true, deleted: 0, failed: 1, errors: [{ path }] })
  expect(lines.filter(({ done }) => done)).toHaveLength(1)
})

test.each([
  ['a head of 1 MB', `Content-Disposition: form-data; name="a"; filename="${'x'.repeat(1_000_000)}"`],
  [
    'ten thousand lines in its head',
    `${'X-A: b\r\n'.repeat(10_000)}Content-Disposition: form-data; name="a"; filename="a"`,
  ],
  ['a name that looks like a prototype', 'Content-Disposition: form-data; name="__proto__"; filename="constructor"'],
  ['a name of another charset', 'Content-Disposition: form-data; name="a"; filename*=utf-7\'\'%2B'],
  ['a broken encoding in its name', 'Content-Disposition: form-data; name="a"; filename*=utf-8\'\'%ff%zz'],
  ['a type that is none', 'Content-Disposition: form-data; name="a"; filename="a"\r\nContent-Type: \u0001\u0002'],
])('a part of an upload with %s does no harm', async (_name, head) => {
  const body = Buffer.from(`--b\r\n${head}\r\n\r\nx\r\n--b--\r\n`)
  const headers = { 'content-type': 'multipart/form-data; boundary=b' }
  const into = await c.newBucket('form')
  const response = await c.root.send(
    'uploadObjects',
    { params: { bucket: into }, query: {}, body: body as never },
    { headers },
  )
  expect([200, 400, 413]).toContain(response.status)
  expect((await listKeys(c, into)).length).toBe(response.status === 200 ? 1 : 0)
})
