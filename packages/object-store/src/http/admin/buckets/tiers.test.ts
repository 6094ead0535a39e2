import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  PutBucketLifecycleConfigurationCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
  RestoreObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { createMadmin } from '@stowage/madmin'
import { sealAdminBody } from '@stowage/madmin/sealing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setPolicy } from '../../../iam/policies.ts'
import { setPolicies } from '../../../iam/policy-mappings.ts'
import { setUser } from '../../../iam/users.ts'
import { TierRestores } from '../../../tiers/tier-restores.ts'
import { type HttpTestStore, ROOT_CREDENTIALS, sdkErrorCode, startTestStore } from '../../testing/test-store.ts'

const DAY = 24 * 60 * 60 * 1000
let now = Date.now()
let store: HttpTestStore
let remote: HttpTestStore
beforeAll(async () => {
  remote = await startTestStore()
  store = await startTestStore({ outgoing: '127.0.0.1', now: () => now })
  await remote.engine.createBucket('cold')
  await madmin().addTier(tier('COLD'))
})
afterAll(async () => {
  await store[Symbol.asyncDispose]()
  await remote[Symbol.asyncDispose]()
})

const madmin = () => createMadmin({ endpoint: store.url, credentials: ROOT_CREDENTIALS })
const tier = (name: string, over: object = {}) => ({
  type: 's3' as const,
  name,
  endpoint: remote.url,
  bucket: 'cold',
  prefix: name.toLowerCase(),
  region: 'us-east-1',
  storageClass: '',
  accessKey: ROOT_CREDENTIALS.accessKey,
  secretKey: ROOT_CREDENTIALS.secretKey,
  ...over,
})
const onTier = () => {
  const page = remote.engine.listObjects('cold', { prefix: '', delimiter: '', after: '', limit: 1000 })
  return page.entries.flatMap((entry) => ('object' in entry ? [entry.object] : []))
}

/** Creates a bucket whose objects move to a tier immediately. */
async function movingBucket(bucket: string): Promise<void> {
  await store.engine.createBucket(bucket)
  const Rules = [
    {
      ID: 'move',
      Status: 'Enabled' as const,
      Filter: { Prefix: '' },
      Transitions: [{ Days: 0, StorageClass: 'COLD' as never }],
    },
  ]
  const LifecycleConfiguration = { Rules }
  await store.s3().send(new PutBucketLifecycleConfigurationCommand({ Bucket: bucket, LifecycleConfiguration }))
  // Waits for the pass that the new rule has started, because tests count what their own pass moves.
  await store.server.lifecycle.run()
}
async function read(Bucket: string, Key: string, Range?: string): Promise<Buffer> {
  const { Body } = await store.s3().send(new GetObjectCommand({ Bucket, Key, ...(Range && { Range }) }))
  return Buffer.from((await Body?.transformToByteArray()) ?? [])
}

test('tiers are added after a try, listed without secrets, edited, tried and removed', async () => {
  const client = madmin()
  await client.addTier(tier('OTHER'))
  expect((await client.listTiers()).map(({ name }) => name)).toEqual(['COLD', 'OTHER'])
  const listed = await store.send({ path: '/minio/admin/v3/tier' })
  expect(listed.text).not.toContain(ROOT_CREDENTIALS.secretKey)
  expect(listed.text).toContain('REDACTED')
  await client.verifyTier('OTHER')
  const wrong = client.editTier('OTHER', { accessKey: ROOT_CREDENTIALS.accessKey, secretKey: 'wrong-secret' })
  await expect(wrong).rejects.toMatchObject({ code: 'XMinioAdminTierInvalidCredentials' })
  await client.verifyTier('OTHER')
  await client.removeTier('OTHER')
  await client.removeTier('OTHER')
  await expect(client.verifyTier('OTHER')).rejects.toMatchObject({ code: 'XMinioAdminTierNotFound' })
  expect((await store.send({ path: '/minio/admin/v3/tier', credentials: 'anonymous' })).status).toBe(403)
  // The test objects were deleted.
  expect(onTier()).toEqual([])
})

test.each([
  ['a name in lower case', { name: 'cold' }, 'XMinioAdminTierNameNotUpperCase'],
  ['no name', { name: '' }, 'XMinioAdminTierNameEmpty'],
  ['a reserved name', { name: 'STANDARD' }, 'XMinioAdminTierReserved'],
  ['a name that is taken', { name: 'COLD' }, 'XMinioAdminTierAlreadyExists'],
  ['no bucket there', { bucket: 'absent' }, 'XMinioAdminTierBucketNotFound'],
  ['wrong credentials', { secretKey: 'wrong-secret' }, 'XMinioAdminTierInvalidCredentials'],
  ['a bucket that leads elsewhere', { bucket: '../minio' }, 'XMinioAdminTierInvalidConfig'],
  ['an address that is none', { endpoint: 'file:///etc' }, 'XMinioAdminTierInvalidConfig'],
  ['a metadata service', { endpoint: 'http://169.254.169.254' }, 'XMinioAdminTierInvalidConfig'],
  ['nobody there', { endpoint: 'http://127.0.0.1:1' }, 'XMinioAdminTierInvalidConfig'],
])('%s is refused', async (_, over, code) => {
  await expect(madmin().addTier(tier('NEW', over))).rejects.toMatchObject({ rawCode: code })
})

test('credentials that may not read are refused, and nothing of the try stays there', async () => {
  const { iam } = remote.server
  await setUser(iam, 'writer', 'secret-of-writer', 'enabled')
  const Action = ['s3:PutObject', 's3:DeleteObject']
  const Statement = [{ Effect: 'Allow', Action, Resource: ['arn:aws:s3:::cold/*'] }]
  await setPolicy(iam, 'writer', JSON.stringify({ Version: '2012-10-17', Statement }))
  await setPolicies(iam, { kind: 'user', name: 'writer' }, ['writer'])
  const keys = { accessKey: 'writer', secretKey: 'secret-of-writer' }
  await expect(madmin().addTier(tier('NEW', keys))).rejects.toMatchObject({ code: expect.stringContaining('Tier') })
  expect(onTier()).toEqual([])
})

describe('a test that only reads', () => {
  const Bucket = 'versioned'
  const grant = async (name: string, actions: readonly string[]) => {
    const { iam } = remote.server
    await setUser(iam, name, 'secret-of-user', 'enabled')
    const Resource = [`arn:aws:s3:::${Bucket}`, `arn:aws:s3:::${Bucket}/*`]
    const Statement = [{ Effect: 'Allow', Action: actions, Resource }]
    await setPolicy(iam, name, JSON.stringify({ Version: '2012-10-17', Statement }))
    await setPolicies(iam, { kind: 'user', name }, [name])
    return { accessKey: name, secretKey: 'secret-of-user' }
  }
  /** Test objects remain as old versions. */
  const written = async () => (await remote.s3().send(new ListObjectVersionsCommand({ Bucket }))).Versions?.length ?? 0
  beforeAll(async () => {
    await remote.engine.createBucket(Bucket)
    const VersioningConfiguration = { Status: 'Enabled' as const }
    await remote.s3().send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration }))
  })

  test('writes nothing, and notices revoked keys and a deleted bucket', async () => {
    const keys = await grant('tier-user', ['s3:*'])
    await madmin().addTier(tier('READ', { bucket: Bucket, ...keys }))
    const before = await written()
    await madmin().verifyTier('READ', { readOnly: true })
    expect(await written()).toBe(before)
    await madmin().verifyTier('READ')
    expect(await written()).toBe(before + 1)
    await setUser(remote.server.iam, 'tier-user', 'another-secret', 'enabled')
    const revoked = madmin().verifyTier('READ', { readOnly: true })
    await expect(revoked).rejects.toMatchObject({ code: 'XMinioAdminTierInvalidCredentials' })
    await remote.engine.createBucket('short-lived')
    await madmin().addTier(tier('LOST', { bucket: 'short-lived' }))
    await remote.engine.deleteBucket('short-lived')
    const lost = madmin().verifyTier('LOST', { readOnly: true })
    await expect(lost).rejects.toMatchObject({ rawCode: 'XMinioAdminTierBucketNotFound' })
    for (const name of ['READ', 'LOST']) await madmin().removeTier(name)
  })

  test('writes a test object if the credentials may not list', async () => {
    const keys = await grant('object-user', ['s3:*'])
    await madmin().addTier(tier('WRITE', { bucket: Bucket, ...keys }))
    await grant('object-user', ['s3:*Object'])
    const before = await written()
    await madmin().verifyTier('WRITE', { readOnly: true })
    expect(await written()).toBe(before + 1)
    await madmin().removeTier('WRITE')
  })
})

describe('the store itself is no tier, and gets no test object', () => {
  beforeAll(async () => {
    await store.engine.createBucket('own')
    const VersioningConfiguration = { Status: 'Enabled' as const }
    await store.s3().send(new PutBucketVersioningCommand({ Bucket: 'own', VersioningConfiguration }))
    await setUser(store.server.iam, 'objects-only', 'secret-of-user', 'enabled')
    const Statement = [{ Effect: 'Allow', Action: ['s3:*Object'], Resource: ['arn:aws:s3:::own/*'] }]
    await setPolicy(store.server.iam, 'objects-only', JSON.stringify({ Version: '2012-10-17', Statement }))
    await setPolicies(store.server.iam, { kind: 'user', name: 'objects-only' }, ['objects-only'])
  })
  afterAll(() => store.engine.deleteBucket('own'))

  test.each([
    ['its administrator', {}],
    ['a user who may not list', { accessKey: 'objects-only', secretKey: 'secret-of-user' }],
  ])('with the keys of %s', async (_, keys) => {
    const own = tier('OWN', { endpoint: store.url, bucket: 'own', ...keys })
    const message = expect.stringContaining('a bucket of the store itself')
    await expect(madmin().addTier(own)).rejects.toMatchObject({ rawCode: 'XMinioAdminTierInvalidConfig', message })
    const { Versions = [], DeleteMarkers = [] } = await store
      .s3()
      .send(new ListObjectVersionsCommand({ Bucket: 'own' }))
    expect([...Versions, ...DeleteMarkers]).toEqual([])
  })
})

test('without permission no address of this machine is a tier', async () => {
  await using guarded = await startTestStore({ outgoing: '10.0.0.1' })
  const client = createMadmin({ endpoint: guarded.url, credentials: ROOT_CREDENTIALS })
  await expect(client.addTier(tier('NEW'))).rejects.toMatchObject({ code: 'XMinioAdminTierInvalidConfig' })
  expect(guarded.engine.listDocuments('tiers')).toEqual([])
})

describe('a version that a rule moves', () => {
  test('is read through its tier with ranges, listed by it, and gone there with it', async () => {
    await movingBucket('moving')
    const s3 = store.s3()
    const large = randomBytes(200_000)
    await s3.send(new PutObjectCommand({ Bucket: 'moving', Key: 'large', Body: large, Tagging: 'a=b' }))
    await s3.send(new PutObjectCommand({ Bucket: 'moving', Key: 'small', Body: 'small one' }))
    await s3.send(new PutObjectCommand({ Bucket: 'moving', Key: 'empty', Body: '' }))
    const before = await s3.send(new HeadObjectCommand({ Bucket: 'moving', Key: 'large' }))
    expect(await store.server.lifecycle.run()).toMatchObject({ moved: 2, failed: 0 })
    expect(
      onTier()
        .map(({ size }) => size)
        .sort(),
    ).toEqual([200_000, 9])
    expect(large.equals(await read('moving', 'large'))).toBe(true)
    expect(large.subarray(70_000, 140_002).equals(await read('moving', 'large', 'bytes=70000-140001'))).toBe(true)
    expect((await read('moving', 'small', 'bytes=-3')).toString()).toBe('one')
    const after = await s3.send(new HeadObjectCommand({ Bucket: 'moving', Key: 'large' }))
    expect([after.StorageClass, after.ETag, after.ContentLength]).toEqual(['COLD', before.ETag, 200_000])
    const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: 'moving' }))
    expect(Contents.map(({ Key, StorageClass }) => [Key, StorageClass])).toEqual([
      ['empty', 'STANDARD'],
      ['large', 'COLD'],
      ['small', 'COLD'],
    ])
    expect(await madmin().tierUsage()).toContainEqual({
      name: 'COLD',
      type: 's3',
      totalSize: 200_009,
      numObjects: 2,
      numVersions: 2,
    })
    await expect(madmin().removeTier('COLD')).rejects.toMatchObject({ code: 'XMinioAdminTierBackendNotEmpty' })
    // A copy has separate bytes.
    await s3.send(new CopyObjectCommand({ Bucket: 'moving', Key: 'copy', CopySource: 'moving/large' }))
    await s3.send(new DeleteObjectCommand({ Bucket: 'moving', Key: 'large' }))
    await s3.send(new PutObjectCommand({ Bucket: 'moving', Key: 'small', Body: 'again' }))
    expect(large.equals(await read('moving', 'copy'))).toBe(true)
    await expect.poll(() => onTier().length).toBe(0)
    expect(await store.server.lifecycle.run()).toMatchObject({ moved: 2 })
    await store.engine.deleteBucket('moving', { force: true })
    await expect.poll(() => onTier().length).toBe(0)
  })

  test('lies there as ciphertext, in parts as without', async () => {
    await movingBucket('sealed')
    const s3 = store.s3()
    const content = Buffer.from('secret '.repeat(20_000))
    const sse = { ServerSideEncryption: 'AES256' as const }
    await s3.send(new PutObjectCommand({ Bucket: 'sealed', Key: 'large', Body: content, ...sse }))
    await s3.send(new PutObjectCommand({ Bucket: 'sealed', Key: 'small', Body: 'secret', ...sse }))
    const upload = await s3.send(new CreateMultipartUploadCommand({ Bucket: 'sealed', Key: 'parts', ...sse }))
    const parts = [randomBytes(5 * 1024 * 1024), randomBytes(1000)]
    const target = { Bucket: 'sealed', Key: 'parts', UploadId: upload.UploadId }
    const Parts = []
    for (const [i, Body] of parts.entries()) {
      const { ETag } = await s3.send(new UploadPartCommand({ ...target, PartNumber: i + 1, Body }))
      Parts.push({ ETag, PartNumber: i + 1 })
    }
    await s3.send(new CompleteMultipartUploadCommand({ ...target, MultipartUpload: { Parts } }))
    expect(await store.server.lifecycle.run()).toMatchObject({ moved: 3, failed: 0 })
    for (const { key } of onTier()) {
      const chunks: Buffer[] = []
      for await (const chunk of remote.engine.getObject('cold', key).read()) chunks.push(Buffer.from(chunk))
      expect(Buffer.concat(chunks).includes('secret')).toBe(false)
    }
    expect(content.equals(await read('sealed', 'large'))).toBe(true)
    expect((await read('sealed', 'small', 'bytes=1-3')).toString()).toBe('ecr')
    const whole = Buffer.concat(parts)
    expect(whole.equals(await read('sealed', 'parts'))).toBe(true)
    const edge = 5 * 1024 * 1024
    const across = await read('sealed', 'parts', `bytes=${edge - 70_000}-${edge + 10}`)
    expect(whole.subarray(edge - 70_000, edge + 11).equals(across)).toBe(true)
    const second = await s3.send(new GetObjectCommand({ Bucket: 'sealed', Key: 'parts', PartNumber: 2 }))
    expect([second.ContentLength, second.PartsCount]).toEqual([1000, 2])
    await store.engine.deleteBucket('sealed', { force: true })
    await expect.poll(() => onTier().length).toBe(0)
  })

  test('comes back for some days, and its copy goes then', async () => {
    await movingBucket('back')
    const s3 = store.s3()
    const content = randomBytes(100_000)
    await s3.send(new PutObjectCommand({ Bucket: 'back', Key: 'k', Body: content }))
    const restore = (Days: number) =>
      s3.send(new RestoreObjectCommand({ Bucket: 'back', Key: 'k', RestoreRequest: { Days } }))
    expect(await sdkErrorCode(restore(1))).toBe('InvalidObjectState')
    await store.server.lifecycle.run()
    expect(await sdkErrorCode(restore(0))).toBe('InvalidArgument')
    const head = async () => (await s3.send(new HeadObjectCommand({ Bucket: 'back', Key: 'k' }))).Restore
    expect(await head()).toBeUndefined()
    expect((await restore(1)).$metadata.httpStatusCode).toBe(202)
    await expect.poll(head).toMatch(/^ongoing-request="false", expiry-date=".* 00:00:00 GMT"$/)
    expect((await restore(2)).$metadata.httpStatusCode).toBe(200)
    const used = () => store.engine.drives().reduce((sum, drive) => sum + drive.used, 0)
    const withCopy = used()
    expect(content.equals(await read('back', 'k'))).toBe(true)
    now += 4 * DAY
    await store.server.lifecycle.run()
    expect(await head()).toBeUndefined()
    expect(used()).toBeLessThan(withCopy)
    expect(await read('back', 'k', 'bytes=5-9')).toEqual(content.subarray(5, 10))
    await store.engine.deleteBucket('back', { force: true })
    await expect.poll(() => onTier().length).toBe(0)
  })

  test('comes back after a restart that interrupted its restore', async () => {
    await movingBucket('cut-off')
    await store.s3().send(new PutObjectCommand({ Bucket: 'cut-off', Key: 'k', Body: 'x' }))
    await store.server.lifecycle.run()
    const name = { bucket: 'cut-off', key: 'k', versionId: 'null' }
    const note = (value: object) => ({ collection: 'restores', name: 'interrupted', value: JSON.stringify(value) })
    const notes = () => store.engine.listDocuments('restores')
    // The record before the answer, which is all that remains after a crash.
    await store.engine.putDocuments([note({ ...name, until: now + DAY })])
    const restores = new TierRestores({ engine: store.engine, log: { warn: () => undefined } })
    restores.start()
    expect(restores.has(name)).toBe(true)
    await expect.poll(notes).toEqual([])
    expect(store.engine.getObject('cut-off', 'k').info.tier).toEqual({ restoredUntil: now + DAY })
    // A deleted version is not restored.
    await store.engine.putDocuments([note({ ...name, key: 'gone', until: now + DAY })])
    restores.start()
    await expect.poll(notes).toEqual([])
    await restores.stop()
  })

  test('is restored later when its tier does not have it for a while', async () => {
    await movingBucket('slow')
    await store.s3().send(new PutObjectCommand({ Bucket: 'slow', Key: 'k', Body: 'x' }))
    // The object of the previous test may still exist.
    const before = new Set(onTier().map(({ key }) => key))
    await store.server.lifecycle.run()
    const Key = onTier().find(({ key }) => !before.has(key))?.key ?? ''
    await remote.engine.deleteObject('cold', Key)
    const notes = () => store.engine.listDocuments('restores').length
    const noted: number[] = []
    const wait = async () => {
      noted.push(notes())
      if (noted.length === 2) await remote.s3().send(new PutObjectCommand({ Bucket: 'cold', Key, Body: 'x' }))
    }
    const restores = new TierRestores({ engine: store.engine, log: { warn: () => undefined }, wait })
    await restores.begin({ bucket: 'slow', key: 'k', versionId: 'null', until: now + DAY })
    await expect.poll(notes).toBe(0)
    expect(noted).toEqual([1, 1])
    expect(store.engine.getObject('slow', 'k').info.tier).toEqual({ restoredUntil: now + DAY })
    await restores.stop()
    await store.engine.deleteBucket('slow', { force: true })
    await store.engine.deleteBucket('cut-off', { force: true })
    await expect.poll(() => onTier().length).toBe(0)
  })

  test('moves with as many others as ilm transition_workers allows', async () => {
    await movingBucket('many')
    for (let i = 0; i < 30; i++) await store.send({ method: 'PUT', path: `/many/${i}`, body: 'x' })
    const original = store.engine.transitionVersion
    let [running, most] = [0, 0]
    store.engine.transitionVersion = async (object) => {
      most = Math.max(most, ++running)
      return await original.call(store.engine, object).finally(() => running--)
    }
    const body = await sealAdminBody('ilm transition_workers=3', ROOT_CREDENTIALS.secretKey)
    const answer = await store.send({ method: 'PUT', path: '/minio/admin/v3/set-config-kv', region: '', body })
    expect(answer.headers['x-minio-config-applied']).toBe('true')
    await store.server.lifecycle.run()
    store.engine.transitionVersion = original
    expect(most).toBe(3)
    await store.engine.deleteBucket('many', { force: true })
    await expect.poll(() => onTier().length).toBe(0)
  })

  test('is removed when it expires, in as many batches at a time as ilm expiration_workers allows', async () => {
    await store.engine.createBucket('expiring')
    const content = () => Readable.from([Buffer.from('x')], { objectMode: false })
    const keys = Array.from({ length: 400 }, (_, i) => `${i}`)
    await Promise.all(keys.map((key) => store.engine.putObject('expiring', key, content(), { size: 1 })))
    const Rules = [{ ID: 'r', Status: 'Enabled' as const, Filter: { Prefix: '' }, Expiration: { Days: 1 } }]
    const LifecycleConfiguration = { Rules }
    await store.s3().send(new PutBucketLifecycleConfigurationCommand({ Bucket: 'expiring', LifecycleConfiguration }))
    await store.server.lifecycle.run()
    const { applyLifecycle: original, scanLifecycle } = store.engine
    // On a slow machine a slice has fewer keys than three batches.
    store.engine.scanLifecycle = (bucket, after) => scanLifecycle(bucket, after, 60_000)
    let [running, most] = [0, 0]
    store.engine.applyLifecycle = async (...given) => {
      most = Math.max(most, ++running)
      return await original.apply(store.engine, given).finally(() => running--)
    }
    const body = await sealAdminBody('ilm expiration_workers=3', ROOT_CREDENTIALS.secretKey)
    await store.send({ method: 'PUT', path: '/minio/admin/v3/set-config-kv', region: '', body })
    now += 3 * DAY
    expect(await store.server.lifecycle.run()).toMatchObject({ removed: 400 })
    Object.assign(store.engine, { applyLifecycle: original, scanLifecycle })
    expect(most).toBe(3)
    await store.engine.deleteBucket('expiring')
  })

  test('stays local while its tier is unreachable; a missing object of a tier is reported, and its entry stays', async () => {
    await movingBucket('lost')
    const s3 = store.s3()
    await s3.send(new PutObjectCommand({ Bucket: 'lost', Key: 'a', Body: 'content' }))
    await store.server.lifecycle.run()
    const [object] = onTier()
    await remote.engine.deleteObject('cold', object?.key ?? '')
    expect(await sdkErrorCode(read('lost', 'a'))).toBe('ServiceUnavailable')
    expect((await s3.send(new HeadObjectCommand({ Bucket: 'lost', Key: 'a' }))).ContentLength).toBe(7)
    await remote.engine.deleteBucket('cold', { force: true })
    await s3.send(new PutObjectCommand({ Bucket: 'lost', Key: 'b', Body: 'kept here' }))
    expect(await store.server.lifecycle.run()).toMatchObject({ moved: 0, failed: 1 })
    expect((await read('lost', 'b')).toString()).toBe('kept here')
    await remote.engine.createBucket('cold')
    expect(await store.server.lifecycle.run()).toMatchObject({ moved: 1, failed: 0 })
    expect((await read('lost', 'b')).toString()).toBe('kept here')
    await store.engine.deleteBucket('lost', { force: true })
    await expect.poll(() => onTier().length).toBe(0)
  })
})

test('a tier that a rule uses is not removed', async () => {
  await madmin().addTier(tier('RULED'))
  await store.engine.createBucket('rules')
  const transition = { Days: 9, StorageClass: 'RULED' as never }
  const rule = { ID: 'r', Status: 'Enabled' as const, Filter: { Prefix: '' } }
  for (const moves of [
    { Transitions: [transition] },
    { NoncurrentVersionTransitions: [{ NoncurrentDays: 9, StorageClass: 'RULED' as never }] },
  ]) {
    const LifecycleConfiguration = { Rules: [{ ...rule, ...moves }] }
    await store.s3().send(new PutBucketLifecycleConfigurationCommand({ Bucket: 'rules', LifecycleConfiguration }))
    const message = 'A lifecycle rule of the bucket rules uses the tier.'
    await expect(madmin().removeTier('RULED')).rejects.toMatchObject({
      rawCode: 'XMinioAdminTierBackendInUse',
      message,
    })
  }
  await store.engine.deleteBucket('rules')
  await madmin().removeTier('RULED')
})

test('a rule names only tiers that there are', async () => {
  await store.engine.createBucket('ruled')
  const Transitions = [{ Days: 1, StorageClass: 'ABSENT' as never }]
  const Rules = [{ ID: 'r', Status: 'Enabled' as const, Filter: { Prefix: '' }, Transitions }]
  const put = new PutBucketLifecycleConfigurationCommand({ Bucket: 'ruled', LifecycleConfiguration: { Rules } })
  expect(await sdkErrorCode(store.s3().send(put))).toBe('InvalidStorageClass')
})
