import { afterAll, expect, test } from 'vitest'
import { setSettingDocument } from '../../bucket-settings/testing.ts'
import { startTestStore } from '../testing/test-store.ts'

const store = await startTestStore()
afterAll(() => store[Symbol.asyncDispose]())
await store.engine.createBucket('open')
await store.engine.createBucket('ruled')

const DOCUMENT =
  '<CORSConfiguration><CORSRule><AllowedOrigin>https://app.example</AllowedOrigin>' +
  '<AllowedOrigin>https://*.pages.example</AllowedOrigin><AllowedMethod>PUT</AllowedMethod><AllowedMethod>GET</AllowedMethod>' +
  '<AllowedHeader>x-amz-*</AllowedHeader><AllowedHeader>Authorization</AllowedHeader><ExposeHeader>ETag</ExposeHeader>' +
  '<MaxAgeSeconds>60</MaxAgeSeconds></CORSRule>' +
  '<CORSRule><AllowedOrigin>*</AllowedOrigin><AllowedMethod>HEAD</AllowedMethod></CORSRule></CORSConfiguration>'

const preflight = (bucket: string, origin: string, method: string, headers = '') =>
  store.send({
    method: 'OPTIONS',
    path: `/${bucket}/k`,
    credentials: 'anonymous',
    headers: {
      origin,
      'access-control-request-method': method,
      ...(headers && { 'access-control-request-headers': headers }),
    },
  })

test('rules are put, read as they are in force, and removed', async () => {
  const put = await store.send({ method: 'PUT', path: '/ruled', query: 'cors', body: DOCUMENT })
  expect([put.status, put.text]).toEqual([200, ''])
  const got = await store.send({ path: '/ruled', query: 'cors' })
  expect(got.text).toContain('<AllowedHeader>x-amz-*</AllowedHeader>')
  const ok = await preflight('ruled', 'https://app.example', 'PUT', 'X-Amz-Date, authorization')
  expect([ok.status, ok.headers['access-control-allow-origin'], ok.headers['access-control-max-age']]).toEqual([
    204,
    'https://app.example',
    '60',
  ])
  expect(ok.headers['access-control-allow-methods']).toBe('PUT, GET')
  expect(ok.headers['access-control-allow-headers']).toBe('X-Amz-Date, authorization')
  expect(ok.headers.vary).toContain('Origin')
  for (const [origin, method, headers] of [
    ['https://evil.example', 'PUT', ''],
    ['https://app.example.evil', 'PUT', ''],
    ['http://app.example', 'PUT', ''],
    ['https://app.example', 'DELETE', ''],
    ['https://app.example', 'PUT', 'x-other'],
    ['null', 'GET', ''],
  ] as const) {
    const refused = await preflight('ruled', origin, method, headers)
    expect([origin, refused.status, refused.code]).toEqual([origin, 403, 'AccessForbidden'])
    expect(refused.headers['access-control-allow-origin']).toBeUndefined()
  }
  expect((await preflight('ruled', 'https://a.pages.example', 'GET')).status).toBe(204)
  expect((await preflight('ruled', 'https://any.example', 'HEAD')).headers['access-control-allow-origin']).toBe('*')
  expect((await store.send({ method: 'DELETE', path: '/ruled', query: 'cors' })).status).toBe(204)
  expect((await store.send({ path: '/ruled', query: 'cors' })).code).toBe('NoSuchCORSConfiguration')
  expect((await preflight('ruled', 'https://evil.example', 'DELETE')).status).toBe(204)
})

test('answers are opened to the pages that a rule allows, and to no others; other buckets stay as they are', async () => {
  await setSettingDocument(store.engine, 'ruled', 'cors', DOCUMENT)
  const get = (bucket: string, origin: string, method = 'GET') =>
    store.send({ method, path: `/${bucket}/absent`, headers: { origin } })
  const allowed = await get('ruled', 'https://app.example')
  expect(allowed.headers['access-control-allow-origin']).toBe('https://app.example')
  expect(allowed.headers['access-control-expose-headers']).toBe('ETag')
  expect((await get('ruled', 'https://evil.example')).headers['access-control-allow-origin']).toBeUndefined()
  expect((await get('ruled', 'https://evil.example', 'HEAD')).headers['access-control-allow-origin']).toBe('*')
  expect((await get('open', 'https://evil.example')).headers['access-control-allow-origin']).toBe('*')
  expect((await get('no-such-bucket', 'https://evil.example')).headers['access-control-allow-origin']).toBe('*')
})
