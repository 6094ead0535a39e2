import {
  CreateBucketCommand,
  ListObjectsCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type HttpTestStore, sdkErrorCode, startTestStore } from '../../testing/test-store.ts'

let store: HttpTestStore
let s3: S3Client
const Bucket = 'listing'
const KEYS = ['a', 'a/1', 'a/2', 'b/1', 'b/2/x', 'c', 'd e', 'ｅ', '😀']

beforeAll(async () => {
  store = await startTestStore()
  s3 = store.s3()
  for (const name of [Bucket, 'history']) await s3.send(new CreateBucketCommand({ Bucket: name }))
  for (const Key of KEYS) await s3.send(new PutObjectCommand({ Bucket, Key, Body: Key }))
  const VersioningConfiguration = { Status: 'Enabled' } as const
  await s3.send(new PutBucketVersioningCommand({ Bucket: 'history', VersioningConfiguration }))
  for (const Key of ['k', 'k', 'k', 'l', 'm/1'])
    await s3.send(new PutObjectCommand({ Bucket: 'history', Key, Body: 'x' }))
})
afterAll(() => store[Symbol.asyncDispose]())

/** Returns the keys and prefixes of all pages, and the number of pages. */
async function walk(input: { Prefix?: string; Delimiter?: string; StartAfter?: string; MaxKeys?: number }) {
  const found: string[] = []
  let pages = 0
  let ContinuationToken: string | undefined
  do {
    const page = await s3.send(new ListObjectsV2Command({ Bucket, ...input, ContinuationToken }))
    found.push(...(page.Contents ?? []).map(({ Key = '' }) => Key))
    found.push(...(page.CommonPrefixes ?? []).map(({ Prefix = '' }) => Prefix))
    expect(page.KeyCount).toBe((page.Contents?.length ?? 0) + (page.CommonPrefixes?.length ?? 0))
    ContinuationToken = page.NextContinuationToken
    expect(page.IsTruncated).toBe(ContinuationToken !== undefined)
    pages++
  } while (ContinuationToken !== undefined)
  return { found, pages }
}

describe('ListObjectsV2', () => {
  test('keys come in the order of their UTF-8 bytes', async () => {
    expect((await walk({})).found).toEqual(KEYS)
  })

  test.each([1, 2, 3, 100])('pages of %i hold everything once', async (MaxKeys) => {
    expect((await walk({ MaxKeys })).found).toEqual(KEYS)
    const { found, pages } = await walk({ MaxKeys, Delimiter: '/' })
    expect(found.toSorted()).toEqual(['a', 'a/', 'b/', 'c', 'd e', 'ｅ', '😀'].toSorted())
    expect(pages).toBe(Math.ceil(7 / MaxKeys))
  })

  test('a prefix and a place to start after narrow the listing', async () => {
    expect((await walk({ Prefix: 'b/', Delimiter: '/' })).found).toEqual(['b/1', 'b/2/'])
    expect((await walk({ StartAfter: 'b/1' })).found).toEqual(KEYS.slice(4))
  })

  test('no keys at all may be asked for', async () => {
    const page = await s3.send(new ListObjectsV2Command({ Bucket, MaxKeys: 0 }))
    expect([page.KeyCount, page.IsTruncated]).toEqual([0, false])
  })

  test.each([
    'max-keys=-1',
    'max-keys=x',
    'continuation-token=',
    'continuation-token=%2A',
    'continuation-token=bogus',
    'encoding-type=base64',
  ])('%s is refused', async (query) => {
    const answer = await store.send({ path: `/${Bucket}`, query: `list-type=2&${query}` })
    expect([answer.status, answer.code]).toEqual([400, 'InvalidArgument'])
  })

  test('the owner is shown when asked for', async () => {
    const plain = await s3.send(new ListObjectsV2Command({ Bucket, MaxKeys: 1 }))
    expect(plain.Contents?.[0]?.Owner).toBeUndefined()
    const owned = await s3.send(new ListObjectsV2Command({ Bucket, MaxKeys: 1, FetchOwner: true }))
    expect(owned.Contents?.[0]?.Owner?.ID).toHaveLength(64)
  })

  test('names can be requested URL-encoded, for characters that XML does not allow', async () => {
    const { text } = await store.send({ path: `/${Bucket}`, query: 'list-type=2&encoding-type=url&prefix=d' })
    expect(text).toContain('<EncodingType>url</EncodingType>')
    expect(text).toContain('<Key>d+e</Key>')
  })

  test('metadata=true adds what the caller may read', async () => {
    const put = { Bucket, Key: 'z', Body: 'z', Metadata: { 'one-two': 'ü' }, Tagging: 'a=b c', ContentType: 'text/z' }
    await store.send({
      method: 'PUT',
      path: `/${Bucket}/${put.Key}`,
      body: put.Body,
      headers: {
        'x-amz-meta-one-two': Buffer.from('ü').toString('latin1'),
        'x-amz-tagging': 'a=b%20c',
        'content-type': put.ContentType,
      },
    })
    const { text } = await store.send({ path: `/${Bucket}`, query: 'list-type=2&metadata=true&prefix=z' })
    expect(text).toContain('<X-Amz-Meta-One-Two>ü</X-Amz-Meta-One-Two>')
    expect(text).toContain('<content-type>text/z</content-type>')
    expect(text).toContain('<UserTags>a=b+c</UserTags>')
    await store.send({ method: 'DELETE', path: `/${Bucket}/z` })
  })

  test('a missing bucket is reported', async () => {
    expect(await sdkErrorCode(s3.send(new ListObjectsV2Command({ Bucket: 'absent' })))).toBe('NoSuchBucket')
  })
})

test('ListObjects continues after its marker, also after a common prefix', async () => {
  const first = await s3.send(new ListObjectsCommand({ Bucket, Delimiter: '/', MaxKeys: 2 }))
  expect([first.IsTruncated, first.NextMarker]).toEqual([true, 'a/'])
  const second = await s3.send(new ListObjectsCommand({ Bucket, Delimiter: '/', Marker: 'a/', MaxKeys: 1 }))
  expect(second.CommonPrefixes?.map(({ Prefix }) => Prefix)).toEqual(['b/'])
})

describe('ListObjectVersions', () => {
  test('pages go on within the versions of a key', async () => {
    const seen: string[] = []
    let KeyMarker: string | undefined
    let VersionIdMarker: string | undefined
    for (;;) {
      const input = { Bucket: 'history', MaxKeys: 2, KeyMarker, VersionIdMarker }
      const page = await s3.send(new ListObjectVersionsCommand(input))
      seen.push(...(page.Versions ?? []).map(({ Key, IsLatest }) => `${Key}${IsLatest ? '*' : ''}`))
      if (!page.IsTruncated) break
      KeyMarker = page.NextKeyMarker
      VersionIdMarker = page.NextVersionIdMarker
    }
    expect(seen).toEqual(['k*', 'k', 'k', 'l*', 'm/1*'])
  })

  test('a delimiter folds versions too', async () => {
    const page = await s3.send(new ListObjectVersionsCommand({ Bucket: 'history', Delimiter: '/' }))
    expect(page.CommonPrefixes?.map(({ Prefix }) => Prefix)).toEqual(['m/'])
  })

  test('a version marker needs a key marker', async () => {
    const answer = await store.send({ path: '/history', query: 'versions=&version-id-marker=null' })
    expect(answer.code).toBe('InvalidArgument')
  })
})
