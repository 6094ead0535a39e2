import { deflateRawSync } from 'node:zlib'
import { readZip, writeZip, ZipError } from '@stowage/madmin/zip'
import { afterAll, expect, test } from 'vitest'
import { setSettingDocument } from '../../../bucket-settings/testing.ts'
import { startTestStore } from '../../testing/test-store.ts'

const store = await startTestStore()
afterAll(() => store[Symbol.asyncDispose]())
const LIMITS = { entries: 100, entryBytes: 100_000, totalBytes: 150_000 }

const admin = (method: string, path: string, query = '', body?: Buffer) =>
  store.send({ method, path: `/minio/admin/v3/${path}`, query, ...(body && { body }) })
const importZip = async (files: Record<string, string>, query = '') => {
  const archive = writeZip(Object.entries(files).map(([name, text]) => ({ name, content: Buffer.from(text) })))
  const { status, text } = await admin('PUT', 'import-bucket-metadata', query, archive)
  return { status, ...(JSON.parse(text) as { buckets?: Record<string, Record<string, unknown>>; Code?: string }) }
}
const POLICY = (bucket: string) =>
  JSON.stringify({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Principal: '*', Action: 's3:GetObject', Resource: `arn:aws:s3:::${bucket}/*` }],
  })

test('what is exported is imported elsewhere as it was, with a bucket that is made for it', async () => {
  await store.engine.createBucket('first', { objectLock: true })
  await setSettingDocument(store.engine, 'first', 'quota', '{"size":1000}')
  await setSettingDocument(store.engine, 'first', 'policy', POLICY('first'))
  await setSettingDocument(
    store.engine,
    'first',
    'tagging',
    '<Tagging><TagSet><Tag><Key>a</Key><Value>1</Value></Tag></TagSet></Tagging>',
  )
  const { body, headers } = await admin('GET', 'export-bucket-metadata', 'bucket=first')
  expect(headers['content-type']).toBe('application/zip')
  const files = readZip(body, LIMITS)
  expect(files.map(({ name }) => name)).toEqual(
    ['object-lock.xml', 'versioning.xml', 'quota.json', 'tagging.xml', 'policy.json'].map((name) => `first/${name}`),
  )
  const copied = Object.fromEntries(
    files.map(({ name, content }) => [
      name.replace('first', 'second'),
      content.toString().replaceAll('first', 'second'),
    ]),
  )
  const { status, buckets } = await importZip(copied)
  const set = { isSet: true }
  expect([status, buckets?.second]).toEqual([
    200,
    expect.objectContaining({
      olock: set,
      versioning: set,
      quota: set,
      tagging: set,
      policy: set,
      sse: { isSet: false },
    }),
  ])
  expect(store.engine.getBucket('second')).toMatchObject({ objectLock: true, versioning: 'Enabled' })
  expect(store.engine.getBucketSetting('second', 'quota')?.value.size).toBe(1000)
  expect((await admin('GET', 'export-bucket-metadata')).body.includes('second/policy.json')).toBe(true)
})

test('each setting fails by itself, by the rules of the call that puts it; protections are not taken away', async () => {
  await store.engine.createBucket('plain')
  await store.engine.createBucket('protected', { objectLock: true })
  const { buckets } = await importZip({
    'plain/object-lock.xml':
      '<ObjectLockConfiguration><ObjectLockEnabled>Enabled</ObjectLockEnabled></ObjectLockConfiguration>',
    'plain/policy.json': POLICY('other'),
    'plain/bucket-encryption.xml':
      '<ServerSideEncryptionConfiguration><Rule><ApplyServerSideEncryptionByDefault><SSEAlgorithm>aws:kms</SSEAlgorithm>' +
      '<KMSMasterKeyID>unknown</KMSMasterKeyID></ApplyServerSideEncryptionByDefault></Rule></ServerSideEncryptionConfiguration>',
    'plain/notification.xml':
      '<NotificationConfiguration><QueueConfiguration><Queue>arn:minio:sqs::x:webhook</Queue><Event>s3:ObjectCreated:*</Event>' +
      '</QueueConfiguration></NotificationConfiguration>',
    'plain/quota.json': '{"size":5}',
    'plain/lifecycle.xml': '<LifecycleConfiguration/>',
    'protected/versioning.xml': '<VersioningConfiguration><Status>Suspended</Status></VersioningConfiguration>',
    'Not_A_Bucket/quota.json': '{"size":5}',
  })
  const failed = { isSet: false, error: expect.any(String) }
  expect(buckets?.plain).toMatchObject({
    olock: failed,
    policy: failed,
    sse: failed,
    notification: failed,
    lifecycle: failed,
    quota: { isSet: true },
  })
  expect(buckets?.protected).toMatchObject({ versioning: failed })
  expect(store.engine.getBucket('protected').versioning).toBe('Enabled')
  expect(buckets?.Not_A_Bucket).toMatchObject({ error: expect.any(String) })
  const limited = await importZip(
    { 'plain/quota.json': '{"size":6}', 'protected/quota.json': '{"size":6}' },
    'bucket=plain',
  )
  expect(Object.keys(limited.buckets ?? {})).toEqual(['plain'])
})

test('files that are no archive, and archives that are cut, encrypted, too large or without buckets, are refused', async () => {
  const good = writeZip([{ name: 'plain/quota.json', content: Buffer.from('{"size":5}') }])
  const encrypted = Buffer.from(good)
  encrypted.writeUInt16LE(1, good.length - 22 - 16 - 46 + 8)
  for (const body of [Buffer.from('text'), good.subarray(0, 40), good.subarray(20), encrypted]) {
    const { status, code } = await admin('PUT', 'import-bucket-metadata', '', body)
    expect([status, code]).toEqual([400, 'InvalidRequest'])
  }
  for (const name of ['quota.json', '/quota.json', 'a/b/quota.json', '../quota.json/']) {
    expect([400, 200]).toContain((await importZip({ [name]: '{"size":5}' })).status)
  }
  expect((await importZip({ 'a/b/quota.json': '{}' })).Code).toBe('InvalidRequest')
  // A bomb: 10 MiB of zeros with a declared size of ten bytes.
  const bomb = Buffer.from(
    writeZip([{ name: 'plain/quota.json', content: deflateRawSync(Buffer.alloc(10 * 2 ** 20)) }]),
  )
  const central = bomb.length - 22 - 16 - 46
  bomb.writeUInt16LE(8, central + 10)
  bomb.writeUInt32LE(10, central + 24)
  expect(() => readZip(bomb, LIMITS)).toThrow(ZipError)
  const many = writeZip(Array.from({ length: 101 }, (_, n) => ({ name: `b/${n}`, content: Buffer.alloc(0) })))
  expect(() => readZip(many, LIMITS)).toThrow('more than 100 files')
  const large = writeZip([1, 2].map((n) => ({ name: `b/${n}`, content: Buffer.alloc(90_000) })))
  expect(() => readZip(large, LIMITS)).toThrow(ZipError)
  expect((await store.send({ path: '/minio/admin/v3/export-bucket-metadata', credentials: 'anonymous' })).status).toBe(
    403,
  )
})
