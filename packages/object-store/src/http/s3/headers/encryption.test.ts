import { createHash, randomBytes } from 'node:crypto'
import { Writable } from 'node:stream'
import {
  CopyObjectCommand,
  CreateBucketCommand,
  DeleteBucketEncryptionCommand,
  GetBucketEncryptionCommand,
  GetObjectAttributesCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutBucketEncryptionCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3'
import { pino } from 'pino'
import { afterAll, describe, expect, test } from 'vitest'
import { setPolicy } from '../../../iam/policies.ts'
import { setPolicies } from '../../../iam/policy-mappings.ts'
import { setUser } from '../../../iam/users.ts'
import { md5, presignedPath, readSdkBody, sdkErrorCode, startTestStore } from '../../testing/test-store.ts'

let logged = ''
const stream = new Writable({
  write(chunk, _encoding, done) {
    logged += String(chunk)
    done()
  },
})
const store = await startTestStore({ log: pino({ level: 'debug' }, stream) })
afterAll(() => store[Symbol.asyncDispose]())
const s3 = store.s3()
const Bucket = 'sealed'
await s3.send(new CreateBucketCommand({ Bucket }))
await store.engine.createEncryptionKey('mine', 'me')

const customerKeyInput = (key: Buffer) => ({
  SSECustomerAlgorithm: 'AES256',
  SSECustomerKey: key.toString('base64'),
  SSECustomerKeyMD5: createHash('md5').update(key).digest('base64'),
})
const raw = (key: Buffer, prefix = 'x-amz-server-side-encryption') => ({
  [`${prefix}-customer-algorithm`]: 'AES256',
  [`${prefix}-customer-key`]: key.toString('base64'),
  [`${prefix}-customer-key-md5`]: createHash('md5').update(key).digest('base64'),
})

test('SSE-S3 and SSE-KMS: shown in every answer and listing; the ETag is an MD5 only for SSE-S3', async () => {
  const Body = 'x'.repeat(20_000)
  const put = await s3.send(new PutObjectCommand({ Bucket, Key: 's3', Body, ServerSideEncryption: 'AES256' }))
  expect(put).toMatchObject({ ServerSideEncryption: 'AES256', ETag: `"${md5(Body)}"` })
  const kms = { ServerSideEncryption: 'aws:kms', SSEKMSKeyId: 'mine' } as const
  const ofKms = await s3.send(new PutObjectCommand({ Bucket, Key: 'kms', Body, ...kms }))
  expect(ofKms).toMatchObject({ ServerSideEncryption: 'aws:kms', SSEKMSKeyId: 'arn:aws:kms:mine' })
  expect(ofKms.ETag).not.toBe(`"${md5(Body)}"`)
  const got = await s3.send(new GetObjectCommand({ Bucket, Key: 'kms', Range: 'bytes=5-9', IfMatch: ofKms.ETag }))
  expect(got).toMatchObject({ ContentLength: 5, ContentRange: 'bytes 5-9/20000', SSEKMSKeyId: 'arn:aws:kms:mine' })
  expect((await readSdkBody(got)).toString()).toBe('xxxxx')
  const { text: listed } = await store.send({ path: `/${Bucket}`, query: 'list-type=2&metadata=true' })
  const told = [...listed.matchAll(/<X-Amz-Server-Side-Encryption>([^<]*)/g)].map(([, mode]) => mode)
  expect(told).toEqual(['aws:kms', 'AES256'])
  const copy = await s3.send(new CopyObjectCommand({ Bucket, Key: 's3', CopySource: `${Bucket}/s3`, ...kms }))
  expect(copy.ServerSideEncryption).toBe('aws:kms')
})

test('a read that asks for encryption is refused', async () => {
  await s3.send(new PutObjectCommand({ Bucket, Key: 'plain', Body: 'x' }))
  for (const method of ['GET', 'HEAD']) {
    const headers = { 'x-amz-server-side-encryption': 'aws:kms' }
    expect((await store.send({ method, path: `/${Bucket}/plain`, headers })).status).toBe(400)
  }
})

test('SSE-C: the right key reads, copies and lists attributes; a missing or wrong key does not', async () => {
  const [right, wrong] = [randomBytes(32), randomBytes(32)]
  const Body = randomBytes(100_000)
  const named = { Bucket, Key: 'customer' }
  const put = await s3.send(new PutObjectCommand({ ...named, Body, ...customerKeyInput(right) }))
  expect(put).toMatchObject({
    SSECustomerAlgorithm: 'AES256',
    SSECustomerKeyMD5: customerKeyInput(right).SSECustomerKeyMD5,
  })
  const got = await s3.send(new GetObjectCommand({ ...named, ...customerKeyInput(right) }))
  expect((await readSdkBody(got)).equals(Body)).toBe(true)
  for (const command of [GetObjectCommand, HeadObjectCommand]) {
    await expect(s3.send(new command(named))).rejects.toMatchObject({ $metadata: { httpStatusCode: 400 } })
    const refused = s3.send(new command({ ...named, ...customerKeyInput(wrong) }))
    await expect(refused).rejects.toMatchObject({ $metadata: { httpStatusCode: 400 } })
  }
  const attributes = { ...named, ObjectAttributes: ['ObjectSize' as const] }
  expect(await sdkErrorCode(s3.send(new GetObjectAttributesCommand(attributes)))).toBe('InvalidRequest')
  const size = await s3.send(new GetObjectAttributesCommand({ ...attributes, ...customerKeyInput(right) }))
  expect(size.ObjectSize).toBe(100_000)
  const copy = { Bucket, Key: 'copied', CopySource: `${Bucket}/customer` }
  expect(await sdkErrorCode(s3.send(new CopyObjectCommand(copy)))).toBe('InvalidRequest')
  const source = {
    CopySourceSSECustomerAlgorithm: 'AES256',
    CopySourceSSECustomerKey: right.toString('base64'),
    CopySourceSSECustomerKeyMD5: customerKeyInput(right).SSECustomerKeyMD5,
  }
  await s3.send(new CopyObjectCommand({ ...copy, ...source, ...customerKeyInput(wrong) }))
  const copied = await s3.send(new GetObjectCommand({ Bucket, Key: 'copied', ...customerKeyInput(wrong) }))
  expect((await readSdkBody(copied)).equals(Body)).toBe(true)
  await s3.send(new PutObjectCommand({ Bucket, Key: 'plain', Body: 'x' }))
  expect(await sdkErrorCode(s3.send(new GetObjectCommand({ Bucket, Key: 'plain', ...customerKeyInput(right) })))).toBe(
    'InvalidRequest',
  )
})

test('a customer’s key is in no log, and in no presigned URL that is logged', async () => {
  const key = randomBytes(32)
  const headers = raw(key)
  await store.send({ method: 'PUT', path: `/${Bucket}/logged`, headers, body: 'x' })
  const records: string[] = []
  const end = store.server.recorder.subscribe((record) => records.push(JSON.stringify(record)))
  const query = new URLSearchParams(headers).toString()
  const url = presignedPath(store.port, 'GET', `/${Bucket}/logged`)
  await store.send({ rawPath: `${url}&${query}`, credentials: 'anonymous' })
  await store.send({ path: `/${Bucket}/logged`, headers })
  await expect.poll(() => records.length).toBe(2)
  end()
  for (const text of [logged, ...records]) {
    expect(text).not.toContain(key.toString('base64'))
    expect(text).not.toContain(encodeURIComponent(key.toString('base64')))
  }
})

describe('bad input writes nothing', () => {
  const key = randomBytes(32)
  const without = (name: string) =>
    Object.fromEntries(Object.entries(raw(key)).filter(([header]) => !header.endsWith(name)))
  test.each<[string, Record<string, string>, string]>([
    ['no algorithm', without('algorithm'), 'InvalidArgument'],
    ['another algorithm', { ...raw(key), 'x-amz-server-side-encryption-customer-algorithm': 'DES' }, 'InvalidArgument'],
    ['no key', without('customer-key'), 'InvalidArgument'],
    ['no MD5', without('md5'), 'InvalidArgument'],
    [
      'the MD5 of another key',
      { ...raw(key), 'x-amz-server-side-encryption-customer-key-md5': 'AAAA' },
      'InvalidArgument',
    ],
    ['a short key', raw(randomBytes(31)), 'InvalidArgument'],
    ['two kinds', { ...raw(key), 'x-amz-server-side-encryption': 'AES256' }, 'InvalidArgument'],
    ['an unknown method', { 'x-amz-server-side-encryption': 'rot13' }, 'InvalidArgument'],
    ['a key ID without KMS', { 'x-amz-server-side-encryption-aws-kms-key-id': 'mine' }, 'InvalidArgument'],
    [
      'an unknown key ID',
      { 'x-amz-server-side-encryption': 'aws:kms', 'x-amz-server-side-encryption-aws-kms-key-id': '../mine' },
      'KMS.NotFoundException',
    ],
    [
      'a context',
      { 'x-amz-server-side-encryption': 'aws:kms', 'x-amz-server-side-encryption-context': 'e30=' },
      'NotImplemented',
    ],
  ])('%s', async (_, headers, code) => {
    expect((await store.send({ method: 'PUT', path: `/${Bucket}/bad`, headers, body: 'x' })).code).toBe(code)
    expect((await store.send({ path: `/${Bucket}/bad` })).status).toBe(404)
  })
})

test('the default encryption of a bucket is set, read, put in force and removed', async () => {
  const rules = (ApplyServerSideEncryptionByDefault: object) => ({
    Bucket,
    ServerSideEncryptionConfiguration: { Rules: [{ ApplyServerSideEncryptionByDefault }] } as never,
  })
  const set = (rule: object) => sdkErrorCode(s3.send(new PutBucketEncryptionCommand(rules(rule))))
  const get = () => s3.send(new GetBucketEncryptionCommand({ Bucket }))
  expect(await sdkErrorCode(get())).toBe('ServerSideEncryptionConfigurationNotFoundError')
  expect(await set({ SSEAlgorithm: 'aws:kms', KMSMasterKeyID: 'unknown' })).toBe('KMS.NotFoundException')
  const rule = { SSEAlgorithm: 'aws:kms', KMSMasterKeyID: 'mine' }
  expect(await set(rule)).toBe('no error')
  expect((await get()).ServerSideEncryptionConfiguration?.Rules).toEqual([{ ApplyServerSideEncryptionByDefault: rule }])
  const { SSEKMSKeyId } = await s3.send(new PutObjectCommand({ Bucket, Key: 'by default', Body: 'x' }))
  expect(SSEKMSKeyId).toBe('arn:aws:kms:mine')
  await s3.send(new DeleteBucketEncryptionCommand({ Bucket }))
  expect((await s3.send(new PutObjectCommand({ Bucket, Key: 'k', Body: 'x' }))).ServerSideEncryption).toBeUndefined()
})

describe('keys', () => {
  const kms = (method: string, path: string, query = '', more: object = {}) =>
    store.send({ method, path: `/minio/kms/v1/${path}`, query, ...more })

  test('are created, listed and tested, and never shown', async () => {
    expect((await kms('POST', 'key/create', 'key-id=made')).status).toBe(200)
    expect((await kms('POST', 'key/create', 'key-id=made')).code).toBe('XMinioKMSKeyExists')
    expect((await kms('POST', 'key/create', 'key-id=..%2Fmade')).code).toBe('InvalidArgument')
    const listed = JSON.parse((await kms('GET', 'key/list', 'pattern=m*')).text)
    expect(listed).toEqual([
      { name: 'made', createdAt: expect.any(String), createdBy: 'rootuser' },
      { name: 'mine', createdAt: expect.any(String), createdBy: 'me' },
    ])
    const status = async (query: string) => JSON.parse((await kms('GET', 'key/status', query)).text)
    expect(await status('key-id=made')).toEqual({ 'key-id': 'made' })
    expect(await status('key-id=other')).toMatchObject({ 'key-id': 'other', 'encryption-error': expect.any(String) })
    expect(JSON.parse((await kms('GET', 'status')).text)).toMatchObject({ 'default-key-id': 'stowage-default-key' })
    const old = await store.send({ method: 'POST', path: '/minio/admin/v3/kms/status' })
    expect(JSON.parse(old.text)).toMatchObject({ 'default-key-id': 'stowage-default-key' })
  })

  test('need rights of their own, and a signature', async () => {
    const { iam } = store.server
    await setUser(iam, 'lister', 'secret-of-user', 'enabled')
    const Statement = [{ Effect: 'Allow', Action: ['kms:ListKeys'] }]
    await setPolicy(iam, 'lister', JSON.stringify({ Version: '2012-10-17', Statement }))
    await setPolicies(iam, { kind: 'user', name: 'lister' }, ['lister'])
    const credentials = { accessKey: 'lister', secretKey: 'secret-of-user' }
    expect((await kms('GET', 'key/list', '', { credentials })).status).toBe(200)
    for (const [method, path] of [
      ['POST', 'key/create'],
      ['GET', 'status'],
    ] as const) {
      expect((await kms(method, path, 'key-id=theirs', { credentials })).status).toBe(403)
    }
    expect((await kms('GET', 'key/list', '', { credentials: 'anonymous' })).status).toBe(403)
    expect((await kms('GET', 'key/list/more')).status).toBe(501)
  })
})
