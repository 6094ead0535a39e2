import { afterAll, beforeAll, expect, test } from 'vitest'
import { type HttpTestStore, type RawRequest, startTestStore } from '../testing/test-store.ts'

// Not all client libraries check the name and the namespace of a document, so this test does.

const NAMESPACE = 'http://s3.amazonaws.com/doc/2006-03-01/'

let store: HttpTestStore
beforeAll(async () => {
  store = await startTestStore()
  await store.send({ method: 'PUT', path: '/docs' })
  await store.send({ method: 'PUT', path: '/docs/key', body: 'x' })
})
afterAll(() => store[Symbol.asyncDispose]())

test.each<[root: string, request: RawRequest]>([
  ['ListAllMyBucketsResult', { path: '/' }],
  ['LocationConstraint', { path: '/docs', query: 'location=' }],
  ['VersioningConfiguration', { path: '/docs', query: 'versioning=' }],
  ['ListBucketResult', { path: '/docs' }],
  ['ListBucketResult', { path: '/docs', query: 'list-type=2' }],
  ['ListVersionsResult', { path: '/docs', query: 'versions=' }],
  ['ListMultipartUploadsResult', { path: '/docs', query: 'uploads=' }],
  ['InitiateMultipartUploadResult', { method: 'POST', path: '/docs/parts', query: 'uploads=' }],
  ['Tagging', { path: '/docs/key', query: 'tagging=' }],
  ['CopyObjectResult', { method: 'PUT', path: '/docs/copy', headers: { 'x-amz-copy-source': '/docs/key' } }],
  [
    'GetObjectAttributesResponse',
    { path: '/docs/key', query: 'attributes=', headers: { 'x-amz-object-attributes': 'ObjectSize' } },
  ],
])('%s is what %j answers', async (root, request) => {
  const { status, body } = await store.send(request)
  expect(status).toBe(200)
  const document = body.toString()
  expect(document).toContain(`<${root} xmlns="${NAMESPACE}">`)
  expect(document.endsWith(`</${root}>`)).toBe(true)
})

test('the first region is an empty location, as S3 has it', async () => {
  const { body } = await store.send({ path: '/docs', query: 'location=' })
  expect(body.toString()).toContain(`<LocationConstraint xmlns="${NAMESPACE}"></LocationConstraint>`)
})
