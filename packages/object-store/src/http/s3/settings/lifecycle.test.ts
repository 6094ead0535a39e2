import {
  DeleteBucketLifecycleCommand,
  GetBucketLifecycleConfigurationCommand,
  type LifecycleRule,
  PutBucketLifecycleConfigurationCommand,
} from '@aws-sdk/client-s3'
import { afterAll, describe, expect, test } from 'vitest'
import { sdkErrorCode, startTestStore } from '../../testing/test-store.ts'

const store = await startTestStore()
const s3 = store.s3()
afterAll(() => store[Symbol.asyncDispose]())

const put = (Bucket: string, Rules: LifecycleRule[]) =>
  s3.send(new PutBucketLifecycleConfigurationCommand({ Bucket, LifecycleConfiguration: { Rules } }))
const get = async (Bucket: string) =>
  (await s3.send(new GetBucketLifecycleConfigurationCommand({ Bucket }))).Rules ?? []

describe('the lifecycle of a bucket', () => {
  test('is put, read as it was and removed; rules without an ID get one', async () => {
    await store.engine.createBucket('ruled')
    const Rules: LifecycleRule[] = [
      { ID: 'old', Status: 'Enabled', Prefix: 'test1/', Expiration: { Days: 31 } },
      {
        ID: 'date',
        Status: 'Disabled',
        Filter: { Prefix: '' },
        Expiration: { Date: new Date('2030-01-01T00:00:00Z') },
      },
      {
        ID: 'and',
        Status: 'Enabled',
        Filter: { And: { Prefix: 'a/', Tags: [{ Key: 'k', Value: 'v' }], ObjectSizeGreaterThan: 5 } },
        NoncurrentVersionExpiration: { NoncurrentDays: 3, NewerNoncurrentVersions: 2 },
        AbortIncompleteMultipartUpload: undefined,
      },
    ]
    await put('ruled', Rules)
    expect(await get('ruled')).toEqual(Rules)
    await put('ruled', [{ Status: 'Enabled', Filter: { Prefix: 'a' }, Expiration: { Days: 1 } }])
    expect((await get('ruled'))[0]?.ID).toMatch(/./)
    const dated = await store.send({ path: '/ruled', query: 'lifecycle=&withUpdatedAt=true' })
    expect(dated.headers['x-minio-lifecycleconfig-updatedat']).toMatch(/^\d{8}T\d{6}Z$/)
    await s3.send(new DeleteBucketLifecycleCommand({ Bucket: 'ruled' }))
    expect(await sdkErrorCode(get('ruled'))).toBe('NoSuchLifecycleConfiguration')
  })

  test('needs the right to it, a body of bounded size, and on a locked bucket no rule that removes all versions', async () => {
    await store.engine.createBucket('locked', { objectLock: true })
    const body =
      '<LifecycleConfiguration><Rule><Status>Enabled</Status><Filter/><Expiration><Days>1</Days>' +
      '<ExpiredObjectAllVersions>true</ExpiredObjectAllVersions></Expiration></Rule></LifecycleConfiguration>'
    const send = (rest: object) => store.send({ method: 'PUT', path: '/locked', query: 'lifecycle', body, ...rest })
    expect((await send({})).code).toBe('InvalidRequest')
    expect((await send({ credentials: 'anonymous' })).code).toBe('AccessDenied')
    const stranger = { accessKey: 'nobody', secretKey: 'nobody-at-all' }
    expect((await send({ credentials: stranger })).code).toBe('InvalidAccessKeyId')
    expect((await send({ body: ' '.repeat(2 * 1024 * 1024) })).status).toBe(400)
    expect((await send({ path: '/absent' })).code).toBe('NoSuchBucket')
  })
})
