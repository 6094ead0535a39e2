import { afterEach, expect, test, vi } from 'vitest'
import { findBasePath } from '../base-path.ts'
import { call, callLines } from './api.ts'
import { ApiFailure } from './api-failure.ts'
import { callAddress } from './call-address.ts'
import { markShellEntered, markShellLeft, signedOut } from './signed-out.ts'

const answer = (status: number, body?: unknown, headers: Record<string, string> = {}) =>
  vi.fn(
    async (..._: Parameters<typeof fetch>) =>
      new Response(body === undefined ? null : JSON.stringify(body), { status, headers }),
  )

afterEach(() => {
  vi.unstubAllGlobals()
  markShellLeft()
})

test.each([
  [404, { message: 'bucket is missing', detailedMessage: 'no such bucket' }, 'Bucket is missing', 'No such bucket'],
  [409, { message: 'same', detailedMessage: 'same' }, 'Same', ''],
  [500, {}, 'Error 500', ''],
  [400, { message: '', detailedMessage: 'x' }, 'Error 400', 'X'],
])('a %d response is rejected with message and details [SHL-32] [SHL-34]', async (status, body, message, detail) => {
  vi.stubGlobal('fetch', answer(status, body))
  const failure = await call('listBuckets', {}).catch((e: unknown) => e)
  expect(failure).toBeInstanceOf(ApiFailure)
  expect(failure).toMatchObject({ status, errorMessage: message, detailedError: detail })
})

test('a response that is not JSON is reported by its status', async () => {
  vi.stubGlobal('fetch', async () => new Response('<h1>Bad gateway</h1>', { status: 502 }))
  await expect(call('listBuckets', {})).rejects.toMatchObject({ status: 502, errorMessage: 'Error 502' })
})

test('a call sends method, path and body, and returns the body of the response [SHL-36]', async () => {
  const fetch = answer(200, { is_versioned: true })
  vi.stubGlobal('fetch', fetch)
  expect(await call('getBucketVersioning', { params: { bucket: 'a b' } })).toEqual({ is_versioned: true })
  expect(fetch.mock.calls[0]?.[0]).toBe('/api/v1/buckets/a%20b/versioning')
  await call('setBucketVersioning', { params: { bucket: 'a' }, body: { versioning: false } })
  expect(fetch.mock.calls[1]?.[1]).toMatchObject({ method: 'PUT', body: '{"versioning":false}' })
})

test('an empty response is undefined', async () => {
  vi.stubGlobal('fetch', answer(200))
  expect(await call('deleteBucket', { params: { bucket: 'a' } })).toBeUndefined()
})

test('401 on a page opens the sign-in page, 401 of the login call does not [SHL-33]', async () => {
  vi.stubGlobal('fetch', answer(401, { message: 'no' }))
  await call('listBuckets', {}).catch(() => undefined)
  expect(signedOut.get(), 'before the shell the guard decides').toBeUndefined()
  markShellEntered()
  await call('login', { body: { accessKey: 'a', secretKey: 'b' } }).catch(() => undefined)
  expect(signedOut.get()).toBeUndefined()
  await call('listBuckets', {}).catch(() => undefined)
  expect(signedOut.get()).toEqual({ reason: 'expired' })
})

test('a call without a response opens the sign-in page, an aborted one does not [SHL-35]', async () => {
  markShellEntered()
  vi.stubGlobal('fetch', async (_: string, init: RequestInit) => {
    init.signal?.throwIfAborted()
    throw new TypeError('failed to fetch')
  })
  await expect(call('listBuckets', { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' })
  expect(signedOut.get()).toBeUndefined()
  await expect(call('listBuckets', {})).rejects.toMatchObject({ status: 0 })
  expect(signedOut.get()).toEqual({ reason: 'unreachable' })
})

test('Retry-After is returned', async () => {
  vi.stubGlobal('fetch', answer(429, { message: 'too many' }, { 'retry-after': '30' }))
  await expect(call('login', { body: { accessKey: 'a', secretKey: 'b' } })).rejects.toMatchObject({ retryAfter: 30 })
})

test('lines are returned one by one, even if a chunk ends inside a line', async () => {
  const chunks = ['{"deleted":1,"fai', 'led":0}\n{"done":true,', '"deleted":2,"failed":0,"errors":[]}']
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk))
      controller.close()
    },
  })
  vi.stubGlobal('fetch', async () => new Response(body))
  const lines = []
  const input = { params: { bucket: 'b' }, body: [{ path: 'a/' }] }
  for await (const line of callLines('deleteObjects', input)) lines.push(line.deleted)
  expect(lines).toEqual([1, 2])
})

test('undefined members are omitted from a query', () => {
  expect(callAddress('listObjects', { params: { bucket: 'b' }, query: { prefix: 'a&b/', limit: undefined } })).toBe(
    '/api/v1/buckets/b/objects?prefix=a%26b%2F',
  )
})

test.each([
  ['/buckets', 'http://h/', '/'],
  ['/console/buckets/x/summary', 'http://h/console/', '/console/'],
  ['/api/proxy/ns/tenant/buckets/x', 'http://h/', '/api/proxy/ns/tenant/'],
  ['/api/proxy/ns/tenant', 'http://h/api/proxy/ns/', '/api/proxy/ns/tenant/'],
])('the base path of %s with base %s is %s [SHL-02]', (page, baseURI, expected) =>
  expect(findBasePath(page, baseURI)).toBe(expected),
)
