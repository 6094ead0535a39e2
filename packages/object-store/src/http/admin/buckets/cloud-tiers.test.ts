import { generateKeyPairSync, randomBytes } from 'node:crypto'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  PutBucketLifecycleConfigurationCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3'
import { createMadmin, type NewTier } from '@stowage/madmin'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  AZURE_ACCOUNT,
  AZURE_KEY,
  type GoogleServer,
  type StorageServer,
  startAzureServer,
  startGoogleServer,
} from '../../../tiers/testing.ts'
import { type HttpTestStore, ROOT_CREDENTIALS, startTestStore } from '../../testing/test-store.ts'

let store: HttpTestStore
let azure: StorageServer
let google: GoogleServer
beforeAll(async () => {
  ;[azure, google, store] = await Promise.all([
    startAzureServer(),
    startGoogleServer(),
    startTestStore({ outgoing: '127.0.0.1' }),
  ])
})
afterAll(async () => {
  await store[Symbol.asyncDispose]()
  await azure[Symbol.asyncDispose]()
  await google[Symbol.asyncDispose]()
})
beforeEach(() => {
  azure.calls.length = 0
  google.calls.length = 0
})

const madmin = () => createMadmin({ endpoint: store.url, credentials: ROOT_CREDENTIALS })
const place = (name: string) => ({ name, bucket: 'cold', prefix: name.toLowerCase(), region: '', storageClass: '' })
const azureTier = (name: string, over: object = {}): NewTier => ({
  type: 'azure',
  ...place(name),
  endpoint: `${azure.url}/${AZURE_ACCOUNT}`,
  accountName: AZURE_ACCOUNT,
  accountKey: AZURE_KEY,
  ...over,
})
const googleTier = (name: string, over: object = {}): NewTier => ({
  type: 'gcs',
  ...place(name),
  endpoint: google.url,
  creds: google.creds,
  ...over,
})
const keyFile = (over: object) =>
  Buffer.from(JSON.stringify({ ...JSON.parse(Buffer.from(google.creds, 'base64').toString()), ...over })).toString(
    'base64',
  )

const KINDS = [
  ['azure', azureTier, () => azure],
  ['gcs', googleTier, () => google],
] as const

describe.each(KINDS)('a tier of the type %s', (type, tier, peer) => {
  test('is tried, listed without its secrets, and removed', async () => {
    const client = madmin()
    await client.addTier(tier('TRIED'))
    // The test object was deleted.
    expect(peer().objects.size).toBe(0)
    const listed = await store.send({ path: '/minio/admin/v3/tier' })
    expect(listed.text).toContain('REDACTED')
    expect(listed.text).not.toMatch(/Eby8vdM02|PRIVATE KEY|cHJpdmF0ZV9r/)
    expect((await client.listTiers()).map(({ name, type }) => [name, type])).toContainEqual(['TRIED', type])
    await client.verifyTier('TRIED')
    await client.removeTier('TRIED')
    await expect(client.verifyTier('TRIED')).rejects.toMatchObject({ code: 'XMinioAdminTierNotFound' })
  })

  test('takes objects that a rule moves, gives ranges of them, and loses them when they are deleted', async () => {
    const name = `MOVED-${type.toUpperCase()}`
    const bucket = `moved-${type}`
    await madmin().addTier(tier(name))
    await store.engine.createBucket(bucket)
    const Rules = [
      {
        ID: 'move',
        Status: 'Enabled' as const,
        Filter: { Prefix: '' },
        Transitions: [{ Days: 0, StorageClass: name as never }],
      },
    ]
    const s3 = store.s3()
    await s3.send(new PutBucketLifecycleConfigurationCommand({ Bucket: bucket, LifecycleConfiguration: { Rules } }))
    // Waits for the pass that the new rule has started.
    await store.server.lifecycle.run()
    const content = randomBytes(300_000)
    await s3.send(new PutObjectCommand({ Bucket: bucket, Key: 'a key/ü +%', Body: content }))
    expect(await store.server.lifecycle.run()).toMatchObject({ moved: 1, failed: 0 })
    expect(peer().objects.size).toBe(1)
    const read = async (Range?: string) => {
      const { Body } = await s3.send(
        new GetObjectCommand({ Bucket: bucket, Key: 'a key/ü +%', ...(Range === undefined ? {} : { Range }) }),
      )
      return Buffer.from((await Body?.transformToByteArray()) ?? [])
    }
    expect((await read()).equals(content)).toBe(true)
    expect((await read('bytes=100000-200000')).equals(content.subarray(100_000, 200_001))).toBe(true)
    await expect(madmin().removeTier(name)).rejects.toMatchObject({ rawCode: 'XMinioAdminTierBackendNotEmpty' })
    await s3.send(new DeleteObjectCommand({ Bucket: bucket, Key: 'a key/ü +%' }))
    await expect.poll(() => peer().objects.size).toBe(0)
  })

  test('is refused where other objects are', async () => {
    peer().objects.set('cold/taken/other', Buffer.from('x'))
    await expect(madmin().addTier(tier('TAKEN'))).rejects.toMatchObject({ rawCode: 'XMinioAdminTierBackendInUse' })
    peer().objects.delete('cold/taken/other')
  })

  test.each([
    ['no bucket there', { bucket: 'absent' }, 'XMinioAdminTierBucketNotFound'],
    ['a bucket that leads elsewhere', { bucket: '../x' }, 'XMinioAdminTierInvalidConfig'],
    ['a metadata service', { endpoint: 'http://169.254.169.254' }, 'XMinioAdminTierInvalidConfig'],
    ['nobody there', { endpoint: 'http://127.0.0.1:1' }, 'XMinioAdminTierInvalidConfig'],
    ['an address with a query', { endpoint: 'http://127.0.0.1:1/?x' }, 'XMinioAdminTierInvalidConfig'],
  ])('is refused for %s', async (_, over, code) => {
    await expect(madmin().addTier(tier('NEW', over))).rejects.toMatchObject({ rawCode: code })
    expect(store.engine.getDocument('tiers', 'NEW')).toBeUndefined()
  })
})

test.each([
  ['a wrong key', { accountKey: Buffer.from('wrong').toString('base64') }],
  ['another account', { accountName: 'other' }],
  [
    'an account that would change the host',
    { accountName: 'evil.example/', endpoint: 'https://blob.core.windows.net' },
  ],
])('azure with %s is refused', async (_, over) => {
  const failure = madmin().addTier(azureTier('NEW', over))
  await expect(failure).rejects.toMatchObject({ code: 'XMinioAdminTierInvalidCredentials' })
})

test('the credentials of azure are replaced when they are right, and stay when they are not', async () => {
  const client = madmin()
  await client.addTier(azureTier('EDIT'))
  const wrong = client.editTier('EDIT', { accessKey: AZURE_ACCOUNT, secretKey: 'd3Jvbmc=' })
  await expect(wrong).rejects.toMatchObject({ code: 'XMinioAdminTierInvalidCredentials' })
  await client.editTier('EDIT', { accessKey: AZURE_ACCOUNT, secretKey: AZURE_KEY })
  await client.verifyTier('EDIT')
  await client.removeTier('EDIT')
})

describe('the key file of gcs', () => {
  const otherKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
    type: 'pkcs8',
    format: 'pem',
  })
  test.each([
    ['no JSON', () => Buffer.from('{').toString('base64')],
    ['of another kind', () => keyFile({ type: 'authorized_user' })],
    ['without a private key', () => keyFile({ private_key: 'secret' })],
    ['with the key of somebody else', () => keyFile({ private_key: otherKey })],
    ['with a token address that is no web address', () => keyFile({ token_uri: 'file:///etc/passwd' })],
  ])('%s is refused', async (_, creds) => {
    const failure = madmin().addTier(googleTier('NEW', { creds: creds() }))
    await expect(failure).rejects.toMatchObject({ code: 'XMinioAdminTierInvalidCredentials' })
  })

  test('cannot lead to a metadata service', async () => {
    const creds = keyFile({ token_uri: 'http://169.254.169.254/token' })
    const failure = madmin().addTier(googleTier('NEW', { creds }))
    await expect(failure).rejects.toMatchObject({ code: 'XMinioAdminTierInvalidConfig' })
  })

  test('is exchanged for a token once for all calls of a try', async () => {
    const client = madmin()
    await client.addTier(googleTier('TOKENS'))
    const tokens = () => google.calls.filter((call) => call === 'POST /token').length
    expect(tokens()).toBe(1)
    await client.editTier('TOKENS', { creds: google.creds })
    await client.removeTier('TOKENS')
  })
})
