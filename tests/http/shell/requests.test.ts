import { readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { sharedConsole } from '../../support/console/shared-console.ts'
import type { TestTarget } from '../../support/console/test-target.ts'

let c: TestTarget
beforeAll(async () => {
  c = await sharedConsole()
})

const post = (path: string, body: string, headers: Record<string, string> = {}) =>
  fetch(`${c.url}${path}`, {
    method: 'POST',
    body,
    headers: { authorization: `Bearer ${c.root.session}`, 'content-type': 'application/json', ...headers },
  })

test('a body that is not JSON is 400 with that reason', async () => {
  const response = await post('/api/v1/buckets', '{"name": ')
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ code: 400, message: expect.stringMatching(/JSON/) })
})

test('a body of another type is 415', async () => {
  expect((await post('/api/v1/buckets', 'name=x', { 'content-type': 'text/plain' })).status).toBe(415)
})

test('a body that is too large is 413', async () => {
  expect((await post('/api/v1/buckets', JSON.stringify({ name: 'x'.repeat(1_200_000) }))).status).toBe(413)
})

test.each([
  [{}, 'name'],
  [{ name: 5 }, 'name'],
  [{ name: '   ' }, 'name'],
  [{ name: 'fine-name', versioning: 'yes' }, 'versioning'],
  [{ name: 'fine-name', quota: { enabled: true, quota_type: 'soft', amount: 1 } }, 'quota.quota_type'],
  [{ name: 'fine-name', quota: { enabled: true, amount: -1 } }, 'quota.amount'],
  [{ name: 'fine-name', quota: { enabled: true, amount: 1.5 } }, 'quota.amount'],
])('the body %j is refused, naming %s', async (body, field) => {
  const response = await post('/api/v1/buckets', JSON.stringify(body))
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ field, message: expect.stringContaining(field) })
})

test('an unknown path of the API is 404 as JSON', async () => {
  const response = await fetch(`${c.url}/api/v1/nothing-here`)
  expect(response.status).toBe(404)
  expect(await response.json()).toMatchObject({ code: 404 })
})

test('an S3 request to the console is answered with the location of the API', async () => {
  const response = await fetch(`${c.url}/some-bucket`, {
    headers: { 'x-amz-date': '20260101T000000Z', 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' },
  })
  expect(response.status).toBe(403)
  expect(await response.text()).toMatch(/<Code>AccessDenied<\/Code>/)
})

test.each([
  ['another origin', { origin: 'https://evil.example' }],
  ['a cross-site fetch', { 'sec-fetch-site': 'cross-site' }],
])('a write from %s is refused', async (_, headers) => {
  const response = await post('/api/v1/has-permission', '{"actions":[]}', headers)
  expect(response.status).toBe(403)
})

test.each(['/', '/login', '/oauth_callback?code=a&state=b'])('the page %s has the strict headers', async (path) => {
  const response = await fetch(`${c.url}${path}`)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  const csp = response.headers.get('content-security-policy') ?? ''
  expect(csp).toContain("script-src 'self'")
  expect(csp).toContain("frame-ancestors 'self'")
  expect(csp).not.toMatch(/script-src[^;]*unsafe/)
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
})

test('health needs no session', async () => {
  expect((await fetch(`${c.url}/healthz`)).status).toBe(200)
  expect(await (await fetch(`${c.url}/readyz`)).json()).toMatchObject({
    server: { reachable: true, latencyMs: expect.any(Number) },
  })
})

test('the OpenAPI document has every call, and is shown as a page', async () => {
  const document = (await (await fetch(`${c.url}/api/v1/openapi.json`)).json()) as { openapi: string; paths: object }
  expect(document.openapi).toMatch(/^3\.1/)
  expect(Object.keys(document.paths)).toEqual(
    expect.arrayContaining(['/api/v1/buckets/{bucket}/quota', '/api/v1/session']),
  )
  const page = await fetch(`${c.url}/api/v1/docs/`)
  expect(page.headers.get('content-type')).toMatch(/html/)
  const html = await page.text()
  expect(html).toContain('<title>Stowage API</title>')
  const [, icon = ''] = /<link rel="icon" type="image\/svg\+xml" href="([^"]+)"/.exec(html) ?? []
  const picture = await fetch(new URL(icon, page.url))
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
})

test('the version of the program is shown only after sign-in', async () => {
  const version = JSON.parse(await readFile('package.json', 'utf8')).version as string
  const paths = ['/', '/login', '/healthz', '/readyz', '/nothing', '/favicon.svg', '/api/v1/login', '/api/v1/session']
  const documents = [
    '/api/v1/openapi.json',
    '/api/v1/docs/json',
    '/api/v1/docs/yaml',
    '/api/v1/docs/',
    '/api/v1/nothing',
  ]
  for (const path of [...paths, ...documents]) {
    const response = await fetch(c.url + path)
    const headersAndBody = `${[...response.headers].join('\n')}\n${await response.text()}`
    expect(headersAndBody, path).not.toContain(version)
    expect([path, response.headers.has('server'), response.headers.has('x-powered-by')]).toEqual([path, false, false])
  }
  expect((await c.call('getSession', {})).version).toBe(version)
})

test('trailing and double slashes lead to the same call', async () => {
  const headers = { authorization: `Bearer ${c.root.session}` }
  for (const path of ['/api/v1/session/', '/api//v1/session', '//api/v1//session'])
    expect((await fetch(`${c.url}${path}`, { headers })).status, path).toBe(200)
})

test.each([
  ['PUT', '/api/v1/session', 'GET'],
  ['OPTIONS', '/api/v1/buckets', 'GET, POST'],
  ['GET', '/api/v1/logout', 'POST'],
])('%s %s is 405, with Allow: %s', async (method, path, allow) => {
  const response = await fetch(`${c.url}${path}`, { method })
  expect([response.status, response.headers.get('allow')]).toEqual([405, allow])
  expect(await response.json()).toMatchObject({ code: 405, message: expect.stringContaining(`[${allow}]`) })
})

test.each(['//api/v1/nothing', '/%61pi/v1/nothing'])('%s is not a page either', async (path) => {
  expect((await fetch(`${c.url}${path}`)).status).toBe(404)
})

test('no answer of the API is cached', async () => {
  const answers = [
    await fetch(`${c.url}/api/v1/session`, { headers: { authorization: `Bearer ${c.root.session}` } }),
    await fetch(`${c.url}/api/v1/session`),
    await fetch(`${c.url}/api/v1/login`),
    // All spellings of the URL are the same call.
    await fetch(`${c.url}//api/v1//session`, { headers: { authorization: `Bearer ${c.root.session}` } }),
    await fetch(`${c.url}/api/v1/nothing`),
    await fetch(`${c.url}/readyz`),
  ]
  for (const answer of answers)
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([answer.status, 'no-store'])
})

test('a compressed body is 415', async () => {
  const body = new Uint8Array(gzipSync('{"name":"x"}'))
  const response = await fetch(`${c.url}/api/v1/buckets`, {
    method: 'POST',
    body,
    headers: {
      authorization: `Bearer ${c.root.session}`,
      'content-type': 'application/json',
      'content-encoding': 'gzip',
    },
  })
  expect(response.status).toBe(415)
  expect(await response.json()).toMatchObject({ message: expect.stringContaining('Content-Encoding') })
})

test('a bucket name that collides with paths of the server’s own calls is refused', async () => {
  const response = await fetch(`${c.url}/api/v1/buckets/minio/objects/download?prefix=admin/v3/info`, {
    headers: { authorization: `Bearer ${c.root.session}` },
  })
  expect(response.status).toBe(400)
})
