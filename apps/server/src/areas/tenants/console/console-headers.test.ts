import { expect, test } from 'vitest'
import { answerHeaders } from './console-headers.ts'

const base = '/api/proxy/a/b/'
const grant = {
  link: { origin: 'https://b-console.a.svc.cluster.local:9443' } as Parameters<typeof answerHeaders>[1]['link'],
  addresses: ['https://b.example.com'],
  framedBy: 'https://console.example.com',
  isShared: false,
}
const answer = (headers: Record<string, string>, statusCode = 200, path = '/x/y?z') =>
  answerHeaders({ statusCode, headers, base, path }, grant)

test.each([
  ['/deeper?x=1#top', '/api/proxy/a/b/deeper?x=1#top'],
  ['deeper', '/api/proxy/a/b/x/deeper'],
  ['../../../other/alpha/', '/api/proxy/a/b/other/alpha/'],
  ['/../..//c', '/api/proxy/a/b//c'],
  ['https://b-console.a.svc.cluster.local:9443', '/api/proxy/a/b/'],
  ['HTTPS://B-CONSOLE.a.svc.cluster.local:9443/c', '/api/proxy/a/b/c'],
  ['https://user:word@b.example.com/c', '/api/proxy/a/b/c'],
])('a redirect of a tenant to its own address %s stays below its path', (location, shown) => {
  expect(answer({ location }, 302).location).toBe(shown)
  expect(answer({ 'content-location': location })['content-location']).toBe(shown)
  for (const refresh of [`5; url=${location}`, `5;URL='${location}'`, `5,${location}`])
    expect(answer({ refresh }).refresh).toBe(`5; url=${shown}`)
})

test.each([
  'https://evil.example/',
  '//evil.example/',
  '/\\evil.example/',
  '\t//evil.example',
  'http:evil.example',
  'https://b-console.a.svc.cluster.local:9443@evil.example/',
  'http://b-console.a.svc.cluster.local:9443/',
  'https://b-console.a.svc.cluster.local/',
  'javascript:alert(1)',
  'data:text/html,x',
  'https://[/',
])('a tenant does not lead to %j', (location) => {
  for (const status of [301, 302, 303, 307, 308]) expect(() => answer({ location }, status)).toThrow(location)
  expect(answer({ location }, 201)).not.toHaveProperty('location')
  expect(answer({ 'content-location': location })).not.toHaveProperty('content-location')
  for (const refresh of [`0; url=${location}`, `0;url="${location}"`, `0,${location}`])
    expect(answer({ refresh })).not.toHaveProperty('refresh')
})

test('a page of a tenant may reload itself', () => {
  expect(answer({ refresh: '30' }).refresh).toBe('30')
  expect(answer({ refresh: 'soon' })).not.toHaveProperty('refresh')
})

test('headers with an effect beyond one answer are not forwarded, others are', () => {
  const harmless = {
    'accept-ranges': 'bytes',
    'cache-control': 'max-age=5',
    'content-disposition': 'attachment',
    'content-encoding': 'gzip',
    'content-length': '5',
    'content-range': 'bytes 0-4/9',
    'content-type': 'text/plain',
    etag: '"a"',
    'last-modified': 'Thu, 01 Jan 1970 00:00:00 GMT',
    vary: 'accept-encoding',
  }
  const dropped = [
    'accept-ch',
    'access-control-allow-credentials',
    'access-control-allow-origin',
    'alt-svc',
    'clear-site-data',
    'connection',
    'content-security-policy-report-only',
    'link',
    'nel',
    'report-to',
    'reporting-endpoints',
    'service-worker-allowed',
    'set-cookie',
    'set-login',
    'strict-transport-security',
    'transfer-encoding',
    'use-as-dictionary',
    'www-authenticate',
    'x-accel-redirect',
    'x-frame-options',
    'x-sendfile',
  ]
  const { 'content-security-policy': _, ...kept } = answer({
    ...harmless,
    ...Object.fromEntries(dropped.map((name) => [name, 'x'])),
  })
  expect(kept).toEqual({ ...harmless, 'cross-origin-resource-policy': 'same-origin' })
})

test('the policy of a tenant is kept, except for who frames it and where it is reported', () => {
  const own =
    "default-src 'self'; Frame-Ancestors *; report-uri https://evil.example; report-to x, sandbox allow-popups"
  const policies = answer({ 'content-security-policy': own })['content-security-policy']
  expect(policies).toEqual([
    "default-src 'self'",
    "sandbox allow-scripts allow-same-origin allow-forms allow-downloads allow-modals; frame-ancestors 'self' https://console.example.com",
  ])
})

test('at an origin of all tenants, the cache keeps nothing that another tenant could read', () => {
  const headers = { 'cache-control': 'public, max-age=31536000', etag: '"a"' }
  const shared = answerHeaders({ statusCode: 200, headers, base, path: '/' }, { ...grant, isShared: true })
  expect(shared['cache-control']).toBe('no-store')
  expect(String(shared['content-security-policy'])).toContain("worker-src 'self'")
})
