import {
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteBucketTaggingCommand,
  GetBucketLocationCommand,
  GetBucketTaggingCommand,
  GetBucketVersioningCommand,
  GetObjectLockConfigurationCommand,
  HeadBucketCommand,
  ListBucketsCommand,
  PutBucketTaggingCommand,
  PutBucketVersioningCommand,
} from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type HttpTestStore, sdkErrorCode, startTestStore } from '../../testing/test-store.ts'

let store: HttpTestStore
beforeAll(async () => {
  store = await startTestStore()
})
afterAll(() => store[Symbol.asyncDispose]())

describe('buckets', () => {
  test('a bucket is made, listed, found and removed', async () => {
    const s3 = store.s3()
    await s3.send(new CreateBucketCommand({ Bucket: 'first' }))
    const listed = await s3.send(new ListBucketsCommand())
    expect(listed.Buckets?.map(({ Name }) => Name)).toContain('first')
    await s3.send(new HeadBucketCommand({ Bucket: 'first' }))
    expect(await s3.send(new GetBucketLocationCommand({ Bucket: 'first' }))).not.toHaveProperty('LocationConstraint')
    await s3.send(new DeleteBucketCommand({ Bucket: 'first' }))
    expect(await sdkErrorCode(s3.send(new HeadBucketCommand({ Bucket: 'first' })))).toBe('NotFound')
  })

  test('a name that exists is refused, and forced creation keeps the bucket', async () => {
    await store.send({ method: 'PUT', path: '/taken' })
    const again = await store.send({ method: 'PUT', path: '/taken' })
    expect([again.status, again.code]).toEqual([409, 'BucketAlreadyOwnedByYou'])
    const forced = await store.send({ method: 'PUT', path: '/taken', headers: { 'x-minio-force-create': 'true' } })
    expect(forced.status).toBe(200)
  })

  test.each(['ab', 'Upper', 'under_score', '-dash', 'dash-', 'a..b', '192.168.0.1', 'x'.repeat(64)])(
    'the name %s is refused',
    async (name) => {
      const answer = await store.send({ method: 'PUT', path: `/${name}` })
      expect([answer.status, answer.code]).toEqual([400, 'InvalidBucketName'])
    },
  )

  test('the name that the paths of the admin API begin with cannot be a bucket', async () => {
    expect((await store.send({ method: 'PUT', path: '/minio' })).code).toBe('AllAccessDisabled')
  })

  test('a location other than the region is refused', async () => {
    const configuration = (location: string) =>
      `<CreateBucketConfiguration><LocationConstraint>${location}</LocationConstraint></CreateBucketConfiguration>`
    const elsewhere = await store.send({ method: 'PUT', path: '/located', body: configuration('eu-west-1') })
    expect(elsewhere.code).toBe('InvalidRegion')
    expect((await store.send({ method: 'PUT', path: '/located', body: configuration('us-east-1') })).status).toBe(200)
  })

  test('a bucket with objects is removed only by force', async () => {
    await store.send({ method: 'PUT', path: '/full' })
    await store.send({ method: 'PUT', path: '/full/key', body: 'x' })
    expect((await store.send({ method: 'DELETE', path: '/full' })).code).toBe('BucketNotEmpty')
    const forced = await store.send({ method: 'DELETE', path: '/full', headers: { 'x-minio-force-delete': 'true' } })
    expect(forced.status).toBe(204)
  })

  test('object lock switches versioning on and forbids removal by force', async () => {
    const s3 = store.s3()
    await s3.send(new CreateBucketCommand({ Bucket: 'locked', ObjectLockEnabledForBucket: true }))
    expect((await s3.send(new GetBucketVersioningCommand({ Bucket: 'locked' }))).Status).toBe('Enabled')
    const lock = await s3.send(new GetObjectLockConfigurationCommand({ Bucket: 'locked' }))
    expect(lock.ObjectLockConfiguration?.ObjectLockEnabled).toBe('Enabled')
    const forced = await store.send({ method: 'DELETE', path: '/locked', headers: { 'x-minio-force-delete': 'true' } })
    expect(forced.code).toBe('MethodNotAllowed')
    const suspended = { Bucket: 'locked', VersioningConfiguration: { Status: 'Suspended' } } as const
    expect(await sdkErrorCode(s3.send(new PutBucketVersioningCommand(suspended)))).toBe('InvalidBucketState')
  })

  test('versioning is unset, enabled, suspended', async () => {
    const s3 = store.s3()
    await s3.send(new CreateBucketCommand({ Bucket: 'versions' }))
    const status = async () => (await s3.send(new GetBucketVersioningCommand({ Bucket: 'versions' }))).Status
    expect(await status()).toBeUndefined()
    for (const Status of ['Enabled', 'Suspended'] as const) {
      await s3.send(new PutBucketVersioningCommand({ Bucket: 'versions', VersioningConfiguration: { Status } }))
      expect(await status()).toBe(Status)
    }
  })

  test('tags of a bucket are set, read and removed', async () => {
    const s3 = store.s3()
    await s3.send(new CreateBucketCommand({ Bucket: 'tagged' }))
    expect(await sdkErrorCode(s3.send(new GetBucketTaggingCommand({ Bucket: 'tagged' })))).toBe('NoSuchTagSet')
    const TagSet = [{ Key: 'team', Value: 'größer + kleiner' }]
    await s3.send(new PutBucketTaggingCommand({ Bucket: 'tagged', Tagging: { TagSet } }))
    expect((await s3.send(new GetBucketTaggingCommand({ Bucket: 'tagged' }))).TagSet).toEqual(TagSet)
    await s3.send(new DeleteBucketTaggingCommand({ Bucket: 'tagged' }))
    expect(await sdkErrorCode(s3.send(new GetBucketTaggingCommand({ Bucket: 'tagged' })))).toBe('NoSuchTagSet')
  })

  test.each([
    ['encryption', 404, 'ServerSideEncryptionConfigurationNotFoundError'],
    ['policy', 404, 'NoSuchBucketPolicy'],
    ['object-lock', 404, 'ObjectLockConfigurationNotFoundError'],
    ['cors', 404, 'NoSuchCORSConfiguration'],
    ['website', 404, 'NoSuchWebsiteConfiguration'],
    ['lifecycle', 404, 'NoSuchLifecycleConfiguration'],
    ['replication', 404, 'ReplicationConfigurationNotFoundError'],
    ['notification', 200, undefined],
    ['acl', 200, undefined],
    ['logging', 200, undefined],
    ['accelerate', 200, undefined],
    ['requestPayment', 200, undefined],
    ['publicAccessBlock', 501, 'NotImplemented'],
    ['ownershipControls', 501, 'NotImplemented'],
  ])('an unset ?%s answers %i %s', async (query, status, code) => {
    await store.send({ method: 'PUT', path: '/unset', headers: { 'x-minio-force-create': 'true' } })
    const answer = await store.send({ path: '/unset', query: `${query}=` })
    expect([answer.status, answer.code]).toEqual([status, code])
  })

  test('a setting that does not exist yet is refused, not swallowed', async () => {
    await store.send({ method: 'PUT', path: '/later' })
    const body = '<WebsiteConfiguration></WebsiteConfiguration>'
    expect((await store.send({ method: 'PUT', path: '/later', query: 'website=', body })).code).toBe('NotImplemented')
  })

  test('the one ACL that there is can be set, and no other', async () => {
    await store.send({ method: 'PUT', path: '/acl' })
    const put = (canned: string) =>
      store.send({ method: 'PUT', path: '/acl', query: 'acl=', headers: { 'x-amz-acl': canned } })
    expect((await put('private')).status).toBe(200)
    expect((await put('public-read')).code).toBe('NotImplemented')
    const body = (await store.send({ path: '/acl', query: 'acl=' })).text
    expect((await store.send({ method: 'PUT', path: '/acl', query: 'acl=', body })).status).toBe(200)
    const open = body.replace('FULL_CONTROL', 'READ')
    expect((await store.send({ method: 'PUT', path: '/acl', query: 'acl=', body: open })).code).toBe('NotImplemented')
  })

  test('an object that was never locked has no retention', async () => {
    await store.send({ method: 'PUT', path: '/unlocked' })
    await store.send({ method: 'PUT', path: '/unlocked/k', body: 'x' })
    expect((await store.send({ path: '/unlocked/k', query: 'retention=' })).code).toBe('InvalidRequest')
    await store.engine.createBucket('lockable', { objectLock: true })
    await store.send({ method: 'PUT', path: '/lockable/k', body: 'x' })
    for (const query of ['retention=', 'legal-hold=']) {
      expect((await store.send({ path: '/lockable/k', query })).code).toBe('NoSuchObjectLockConfiguration')
    }
  })

  test('an error contains bucket, resource and request', async () => {
    const answer = await store.send({ path: '/absent/key' })
    expect(answer.status).toBe(404)
    expect(answer.headers['content-type']).toBe('application/xml')
    expect(answer.text).toContain('<BucketName>absent</BucketName>')
    expect(answer.text).toContain('<Resource>/absent/key</Resource>')
    expect(answer.text).toContain(`<RequestId>${answer.headers['x-amz-request-id']}</RequestId>`)
    const head = await store.send({ method: 'HEAD', path: '/absent/key' })
    expect(head.headers['x-minio-error-code']).toBe('NoSuchBucket')
    expect(head.body).toHaveLength(0)
  })
})
