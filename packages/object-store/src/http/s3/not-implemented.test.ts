import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestStore } from '../testing/test-store.ts'

const store = await startTestStore()
afterAll(() => store[Symbol.asyncDispose]())

beforeEach(async () => {
  await store.send({ method: 'PUT', path: '/kept', headers: { 'x-minio-force-create': 'true' } })
  await store.send({ method: 'PUT', path: '/kept/k', body: 'kept' })
})

const stored = async () => (await store.send({ path: '/kept/k' })).text

describe('a sub-resource that is not there is never taken for the whole', () => {
  const ofObjects = ['acl', 'torrent', 'legal-hold', 'retention', 'restore', 'versions', 'uploadId', 'partNumber=1']
  test.each(ofObjects)('DELETE object?%s deletes nothing', async (query) => {
    const { status } = await store.send({ method: 'DELETE', path: '/kept/k', query })
    expect(status).toBe(query === 'uploadId' ? 404 : 501)
    expect(await stored()).toBe('kept')
  })

  test.each([
    'torrent',
    'restore',
    'versions',
    'uploadId',
    'partNumber=1',
    'uploads',
    'renameObject',
    'attributes',
    'policy',
  ])('PUT object?%s stores nothing', async (query) => {
    expect((await store.send({ method: 'PUT', path: '/kept/k', query, body: 'x' })).code).toBe('NotImplemented')
    expect(await stored()).toBe('kept')
  })

  test.each(['acl', 'versioning', 'versions', 'location', 'uploads', 'policyStatus', 'inventory&id=1', 'website'])(
    'DELETE bucket?%s deletes no bucket',
    async (query) => {
      await store.send({ method: 'PUT', path: '/empty', headers: { 'x-minio-force-create': 'true' } })
      expect((await store.send({ method: 'DELETE', path: '/empty', query })).code).toBe('NotImplemented')
      expect((await store.send({ method: 'HEAD', path: '/empty' })).status).toBe(200)
    },
  )

  test('PUT bucket?… makes no bucket, a GET no listing and no object', async () => {
    const answer = async (method: string, path: string, query: string) =>
      (await store.send({ method, path, query })).code
    expect(await answer('PUT', '/unmade', 'website')).toBe('NotImplemented')
    expect((await store.send({ method: 'HEAD', path: '/unmade' })).status).toBe(404)
    expect(await answer('GET', '/kept', 'analytics&list-type=2')).toBe('NotImplemented')
    expect(await answer('GET', '/kept/k', 'torrent')).toBe('NotImplemented')
    expect(await answer('POST', '/kept/k', 'select&select-type=2')).toBe('NotImplemented')
  })

  test.each([
    ['GET', '/kept/k', 'partNumber=1', 206],
    ['GET', '/kept/k', 'x-id=GetObject&response-content-type=text%2Fx', 200],
    ['GET', '/kept/k', 'location=here&version=3', 200],
    ['HEAD', '/kept/k', 'acl', 200],
    ['PUT', '/kept/other', 'x-id=PutObject', 200],
    ['PUT', '/other', 'x-id=CreateBucket', 200],
    ['GET', '/kept', 'list-type=2&prefix=k&metadata=true&fetch-owner=true&encoding-type=url', 200],
    ['GET', '/kept', 'versions&prefix=k', 200],
    ['DELETE', '/kept/k', 'versionId=null&x-id=DeleteObject', 204],
  ])('%s %s?%s is left alone', async (method, path, query, status) => {
    const body = method === 'PUT' && path.startsWith('/kept/') ? { body: 'x' } : {}
    expect((await store.send({ method, path, query, ...body })).status).toBe(status)
  })
})

describe('a header that would make a request another one is not passed over', () => {
  test.each([
    ['x-amz-write-offset-bytes', '4'],
    ['content-range', 'bytes 4-7/8'],
    ['x-amz-rename-source', '/kept/other'],
  ])('PUT with %s overwrites nothing', async (name, value) => {
    const headers = { [name]: value }
    expect((await store.send({ method: 'PUT', path: '/kept/k', headers, body: 'tail' })).code).toBe('NotImplemented')
    expect(await stored()).toBe('kept')
  })

  test.each(['x-amz-if-match-size', 'x-amz-if-match-last-modified-time'])(
    'DELETE with %s deletes nothing',
    async (name) => {
      const headers = { [name]: '99' }
      expect((await store.send({ method: 'DELETE', path: '/kept/k', headers })).code).toBe('NotImplemented')
      expect(await stored()).toBe('kept')
    },
  )
})

describe('what is not there is refused by its name', () => {
  test.each([
    ['PUT', '/kept', 'website', /^A website configuration is not supported/],
    ['GET', '/kept', 'metrics', /^The call GET \?metrics is not supported/],
  ])('%s %s?%s', async (method, path, query, text) => {
    const { status, text: answer } = await store.send({ method, path, query })
    expect(status).toBe(501)
    expect(/<Message>(.*)<\/Message>/.exec(answer)?.[1]).toMatch(text)
  })

  test.each(['/minio/metrics/v3/api', '/minio/kms/v1/metrics'])('%s is no object', async (path) => {
    const { status, text } = await store.send({ path })
    expect([status, JSON.parse(text)]).toEqual([
      501,
      expect.objectContaining({ Code: 'NotImplemented', Message: `The call ${path} is not supported.` }),
    ])
  })

  test('looking into an archive', async () => {
    const headers = { 'x-minio-extract': 'true' }
    for (const path of ['/kept/a.zip/b', '/kept'])
      expect((await store.send({ path, headers })).code).toBe('NotImplemented')
  })
})
