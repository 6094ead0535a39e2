import { CopyObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { beforeAll, expect, test } from 'vitest'
import { callFailure } from '../../support/console/caller.ts'
import { isMinio2021 } from '../../support/console/server-release.ts'
import { sharedConsole } from '../../support/console/shared-console.ts'
import type { TestTarget } from '../../support/console/test-target.ts'
import { newLockBucket, readObjectText } from '../../support/data/objects.ts'

let c: TestTarget
beforeAll(async () => {
  c = await sharedConsole()
})

const put = (bucket: string, Key: string, Body = 'x', more: object = {}) =>
  c.s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body, ...more }))

async function versionedBucket(): Promise<string> {
  const bucket = await c.newBucket()
  await c.call('setBucketVersioning', { params: { bucket }, body: { versioning: true } })
  return bucket
}

test('the details of an object have its size, type, metadata, tags and checksum [OBJ-20] [OBJ-21]', async () => {
  const bucket = await versionedBucket()
  const { VersionId } = await put(bucket, 'a/b.txt', 'hello', {
    ContentType: 'text/plain',
    CacheControl: 'no-cache',
    Metadata: { colour: 'blue', place: 'café' },
    Tagging: 'env=test&team=a%20b',
    ChecksumAlgorithm: 'SHA256',
  })
  const details = await c.call('getObject', { params: { bucket }, query: { prefix: 'a/b.txt' } })
  expect(details).toMatchObject({
    name: 'a/b.txt',
    size: 5,
    version_id: VersionId,
    is_delete_marker: false,
    content_type: 'text/plain',
    headers: { 'cache-control': 'no-cache' },
    user_metadata: { colour: 'blue', place: 'café' },
    tags: { env: 'test', team: 'a b' },
    storage_class: 'STANDARD',
    // MinIO of 2021 does not know checksums.
    checksums: (await isMinio2021(c)) ? {} : { sha256: expect.any(String) },
    etag: '5d41402abc4b2a76b9719d911017c592',
  })
  expect(Date.parse(details.last_modified)).toBeGreaterThan(Date.now() - 60_000)
})

test('the details of an earlier version and of a delete marker are read by their IDs', async () => {
  const bucket = await versionedBucket()
  const { VersionId: first = '' } = await put(bucket, 'k', 'one')
  await put(bucket, 'k', 'second')
  await c.root.send('deleteObject', { params: { bucket }, query: { path: 'k' } })
  const { objects } = await c.call('listObjects', { params: { bucket }, query: { prefix: 'k', with_versions: 'true' } })
  const of = (version_id: string) => c.call('getObject', { params: { bucket }, query: { prefix: 'k', version_id } })
  expect(await of(first)).toMatchObject({ size: 3, version_id: first })
  const marker = objects[0]?.version_id ?? ''
  expect(await of(marker)).toMatchObject({ is_delete_marker: true, version_id: marker })
  const failure = await callFailure(c.call('getObject', { params: { bucket }, query: { prefix: 'k' } }))
  expect(failure.status).toBe(404)
})

test('tags are replaced as a whole, an empty map clears them, and too many are refused with the field [OBJ-45]', async () => {
  const bucket = await versionedBucket()
  const { VersionId: first = '' } = await put(bucket, 'k', 'x', { Tagging: 'old=1' })
  await put(bucket, 'k', 'y', { Tagging: 'latest=1' })
  const params = { bucket }
  const query = { prefix: 'k', version_id: first }
  const tags = async () => (await c.call('getObject', { params, query })).tags
  await c.call('setObjectTags', { params, query, body: { tags: { env: 'test', 'a b+c=d': 'e:/@_.-' } } })
  expect(await tags()).toEqual({ env: 'test', 'a b+c=d': 'e:/@_.-' })
  await c.call('setObjectTags', { params, query, body: { tags: {} } })
  expect(await tags()).toEqual({})
  // Another version keeps its tags.
  expect((await c.call('getObject', { params, query: { prefix: 'k' } })).tags).toEqual({ latest: '1' })
  const many = Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`k${i}`, 'v']))
  const failure = await callFailure(c.call('setObjectTags', { params, query, body: { tags: many } }))
  expect(failure).toMatchObject({ status: 400, body: { field: 'tags', reason: { id: 'too-many-tags' } } })
})

test('a listing with versions has lock and tags of the named object only [OBJ-21] [OBJ-22]', async () => {
  const bucket = await versionedBucket()
  await put(bucket, 'k', 'x', { Tagging: 'env=test' })
  await put(bucket, 'k.bak', 'x', { Tagging: 'env=other' })
  const { objects } = await c.call('listObjects', { params: { bucket }, query: { prefix: 'k', with_versions: 'true' } })
  expect(objects.map(({ name, tags }) => [name, tags])).toEqual([
    ['k', { env: 'test' }],
    ['k.bak', undefined],
  ])
})

test('an earlier version becomes the latest again, with metadata and tags', async () => {
  const bucket = await versionedBucket()
  const { VersionId: first = '' } = await put(bucket, 'k', 'one', { Metadata: { n: '1' }, Tagging: 'n=1' })
  await put(bucket, 'k', 'two', { Metadata: { n: '2' } })
  await c.call('restoreObject', { params: { bucket }, query: { prefix: 'k', version_id: first } })
  expect(await readObjectText(c, bucket, 'k')).toBe('one')
  const details = await c.call('getObject', { params: { bucket }, query: { prefix: 'k' } })
  expect(details).toMatchObject({ user_metadata: { n: '1' }, tags: { n: '1' } })
  expect(details.version_id).not.toBe(first)
})

test('metadata and content type are replaced, the bytes and tags stay, and a changed object is refused', async () => {
  const bucket = await c.newBucket()
  await put(bucket, 'k', 'bytes', { ContentType: 'text/plain', Metadata: { old: '1' }, Tagging: 'n=1' })
  const params = { bucket }
  const { etag } = await c.call('getObject', { params, query: { prefix: 'k' } })
  const body = {
    content_type: 'text/markdown',
    headers: { 'cache-control': 'max-age=60' },
    user_metadata: { place: 'café' },
    etag,
  }
  await c.call('setObjectMetadata', { params, query: { prefix: 'k' }, body })
  expect(await c.call('getObject', { params, query: { prefix: 'k' } })).toMatchObject({
    content_type: 'text/markdown',
    headers: { 'cache-control': 'max-age=60' },
    user_metadata: { place: 'café' },
    tags: { n: '1' },
  })
  expect(await readObjectText(c, bucket, 'k')).toBe('bytes')
  await put(bucket, 'k', 'other bytes')
  const failure = await callFailure(c.call('setObjectMetadata', { params, query: { prefix: 'k' }, body }))
  expect(failure).toMatchObject({ status: 412, body: { reason: { id: 'object-changed' } } })
})

test('a header value with a line break is refused', async () => {
  const bucket = await c.newBucket()
  await put(bucket, 'k')
  const wrong = [
    { content_type: 'text/plain\r\nx-amz-acl: public-read' },
    { content_type: 'text/plain', headers: { 'cache-control': 'a\nb' } },
    { content_type: 'text/plain', user_metadata: { 'a b': '1' } },
    { content_type: 'text/plain', user_metadata: { a: '1\r\n2' } },
  ]
  for (const body of wrong) {
    const call = c.call('setObjectMetadata', { params: { bucket }, query: { prefix: 'k' }, body })
    expect((await callFailure(call)).status).toBe(400)
  }
})

test('legal hold and retention are set and shown, and a held version survives its deletion [OBJ-42] [OBJ-44]', async () => {
  const bucket = await newLockBucket(c)
  if (!bucket) return
  const { VersionId = '' } = await put(bucket, 'k')
  const params = { bucket }
  const query = { prefix: 'k', version_id: VersionId }
  await c.call('setObjectLegalHold', { params, query, body: { status: 'enabled' } })
  const expires = '2031-01-02T23:59:59Z'
  await c.call('setObjectRetention', { params, query, body: { mode: 'governance', expires } })
  const lock = { legal_hold_status: 'ON', retention_mode: 'GOVERNANCE' }
  const details = await c.call('getObject', { params, query })
  expect(details).toMatchObject(lock)
  expect(Date.parse(details.retention_until_date ?? '')).toBe(Date.parse(expires))
  const listed = await c.call('listObjects', { params, query: { prefix: 'k', with_versions: 'true' } })
  expect(listed.objects[0]).toMatchObject(lock)
  const failure = await callFailure(
    c.call('deleteObject', { params, query: { path: 'k', version_id: VersionId, bypass: 'true' } }),
  )
  expect(failure.status).toBeGreaterThanOrEqual(400)
  expect(failure.status).toBeLessThan(500)
  await c.call('setObjectLegalHold', { params, query, body: { status: 'disabled' } })
  expect((await c.call('getObject', { params, query })).legal_hold_status).toBe('OFF')
})

test('governance retention can be removed, compliance cannot [OBJ-43]', async () => {
  const bucket = await newLockBucket(c)
  if (!bucket) return
  const { VersionId = '' } = await put(bucket, 'k')
  const params = { bucket }
  const query = { prefix: 'k', version_id: VersionId }
  const expires = new Date(Date.now() + 86_400_000).toISOString()
  await c.call('setObjectRetention', { params, query, body: { mode: 'governance', expires } })
  await c.root.send('deleteObjectRetention', { params, query })
  expect((await c.call('getObject', { params, query })).retention_mode).toBeUndefined()
  await c.call('setObjectRetention', { params, query, body: { mode: 'compliance', expires } })
  expect((await callFailure(c.call('deleteObjectRetention', { params, query }))).status).toBeLessThan(500)
  expect((await c.call('getObject', { params, query })).retention_mode).toBe('COMPLIANCE')
})

test('a retention date in the past is refused with its field', async () => {
  const bucket = await c.newBucket()
  const body = { mode: 'governance' as const, expires: '2020-01-01T00:00:00Z' }
  const failure = await callFailure(
    c.call('setObjectRetention', { params: { bucket }, query: { prefix: 'k', version_id: 'null' }, body }),
  )
  expect(failure).toMatchObject({ status: 400, body: { field: 'expires', reason: { id: 'retention-in-the-past' } } })
})

test('a bulk deletion keeps locked versions, lists them with the reason, and deletes the others', async () => {
  const bucket = await newLockBucket(c)
  if (!bucket) return
  const { VersionId = '' } = await put(bucket, 'dir/held')
  await put(bucket, 'dir/free')
  await c.call('setObjectLegalHold', {
    params: { bucket },
    query: { prefix: 'dir/held', version_id: VersionId },
    body: { status: 'enabled' },
  })
  const response = await c.root.send(
    'deleteObject',
    { params: { bucket }, query: { path: 'dir/', recursive: 'true', all_versions: 'true' } },
    { headers: { accept: 'application/x-ndjson' } },
  )
  const report = JSON.parse((await response.text()).trim().split('\n').at(-1) ?? '')
  expect(report).toMatchObject({ done: true, deleted: 1, failed: 1, errors: [{ path: 'dir/held' }] })
  expect(report.errors[0].message).not.toBe('')
})

test('all versions or the noncurrent ones are deleted, and never those of a neighbour', async () => {
  const bucket = await versionedBucket()
  for (const key of ['k', 'k', 'k', 'k.bak', 'k.bak', 'dir/a', 'dir/a', 'dir.b', 'dir.b']) await put(bucket, key)
  const left = async () => {
    const query = { recursive: 'true', with_versions: 'true' }
    const { objects } = await c.call('listObjects', { params: { bucket }, query })
    return objects.map(({ name }) => name)
  }
  const params = { bucket }
  await c.root.send('deleteObject', { params, query: { path: 'k', non_current_versions: 'true' } })
  expect(await left()).toEqual(['dir.b', 'dir.b', 'dir/a', 'dir/a', 'k', 'k.bak', 'k.bak'])
  await c.root.send('deleteObjects', {
    params,
    query: { all_versions: 'true' },
    body: [{ path: 'k' }, { path: 'dir/', recursive: true }],
  })
  expect(await left()).toEqual(['dir.b', 'dir.b', 'k.bak', 'k.bak'])
})

test.each([
  { all_versions: 'true', non_current_versions: 'true' },
  { all_versions: 'true', version_id: 'x' },
])('a deletion that contradicts itself is refused: %j', async (query) => {
  const bucket = await c.newBucket()
  await put(bucket, 'k')
  const failure = await callFailure(c.call('deleteObject', { params: { bucket }, query: { path: 'k', ...query } }))
  expect(failure).toMatchObject({ status: 400, body: { reason: { id: 'delete-scope-ambiguous' } } })
})

const base64 = (text: string) => Buffer.from(text).toString('base64')

test('Base64 keys are decoded only if the request says so', async () => {
  const bucket = await versionedBucket()
  const params = { bucket }
  await put(bucket, 'dir/ü+ä.txt', 'x')
  // A key that is the Base64 of another key.
  await put(bucket, base64('dir/ü+ä.txt'), 'decoy')
  const encoded = { prefix: base64('dir/ü+ä.txt'), encoding: 'base64' as const }
  expect((await c.call('getObject', { params, query: encoded })).size).toBe(1)
  expect((await c.call('getObject', { params, query: { prefix: encoded.prefix } })).size).toBe(5)
  await c.root.send('deleteObjects', { params, query: { encoding: 'base64' }, body: [{ path: encoded.prefix }] })
  const { objects } = await c.call('listObjects', { params, query: { recursive: 'true' } })
  expect(objects.map(({ name }) => name)).toEqual([base64('dir/ü+ä.txt')])
})

test.each(['%%%', 'YWJ', '/w==', ' YWJj'])('%j is not the Base64 of a key', async (prefix) => {
  const bucket = await c.newBucket()
  const query = { prefix, encoding: 'base64' as const }
  const failure = await callFailure(c.call('getObject', { params: { bucket }, query }))
  expect(failure).toMatchObject({ status: 400, body: { field: 'prefix' } })
})

test('a copy that the caller may not read is refused', async () => {
  const bucket = await versionedBucket()
  const { VersionId = '' } = await put(bucket, 'k')
  await c.s3.send(new CopyObjectCommand({ Bucket: bucket, Key: 'other', CopySource: `${bucket}/k` }))
  const caller = await c.signInWith({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: ['s3:PutObject'], Resource: [`arn:aws:s3:::${bucket}/*`] }],
  })
  const call = caller.call('restoreObject', { params: { bucket }, query: { prefix: 'k', version_id: VersionId } })
  expect((await callFailure(call)).status).toBe(403)
})
