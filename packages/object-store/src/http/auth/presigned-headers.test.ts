import {
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  GetObjectTaggingCommand,
  HeadObjectCommand,
  PutObjectCommand,
  type PutObjectCommandInput,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { encodePath, presign } from '@stowage/sigv4'
import { afterAll, describe, expect, test } from 'vitest'
import { setPolicy } from '../../iam/policies.ts'
import { setPolicies } from '../../iam/policy-mappings.ts'
import { setUser } from '../../iam/users.ts'
import { ROOT_CREDENTIALS, startWithBucket, TEST_REGION } from '../testing/test-store.ts'

const { store, s3, Bucket, put } = await startWithBucket('presigned')
afterAll(() => store[Symbol.asyncDispose]())

describe('what a presigned URL says of an object in its query', () => {
  async function upload(input: Partial<PutObjectCommandInput>) {
    const url = await getSignedUrl(s3, new PutObjectCommand({ Bucket, Key: 'k', ...input }))
    const answer = await fetch(url, { method: 'PUT', body: 'data' })
    return { status: answer.status, code: /<Code>(\w+)/.exec(await answer.text())?.[1] }
  }
  const head = () => s3.send(new HeadObjectCommand({ Bucket, Key: 'k' }))

  test('is kept with it: metadata, tags, storage class, redirect', async () => {
    const kept = { StorageClass: 'REDUCED_REDUNDANCY', WebsiteRedirectLocation: '/elsewhere' } as const
    expect((await upload({ ...kept, Metadata: { color: 'red' }, Tagging: 'level=low&team=a%20b' })).status).toBe(200)
    expect(await head()).toMatchObject({
      ...kept,
      Metadata: { color: 'red' },
      ContentLength: 4,
    })
    const { TagSet } = await s3.send(new GetObjectTaggingCommand({ Bucket, Key: 'k' }))
    expect(TagSet).toEqual([
      { Key: 'level', Value: 'low' },
      { Key: 'team', Value: 'a b' },
    ])
  })

  test('holds for the metadata of an upload in parts and the source of a copy', async () => {
    const start = new CreateMultipartUploadCommand({ Bucket, Key: 'parts', Metadata: { color: 'red' } })
    const answer = await fetch(await getSignedUrl(s3, start), { method: 'POST' })
    const id = /<UploadId>(\w+)/.exec(await answer.text())?.[1] ?? ''
    expect(store.engine.getUpload({ bucket: Bucket, key: 'parts', uploadId: id }).metadata).toEqual({ color: 'red' })
    await put('source ä', 'original')
    const copy = new CopyObjectCommand({ Bucket, Key: 'k', CopySource: `${Bucket}/source%20%C3%A4` })
    expect((await fetch(await getSignedUrl(s3, copy), { method: 'PUT' })).status).toBe(200)
    expect((await store.send({ path: `/${Bucket}/k` })).text).toBe('original')
  })

  test('is refused where a header would be', async () => {
    await put('k', 'kept')
    expect((await upload({ ObjectLockLegalHoldStatus: 'ON' })).code).toBe('InvalidRequest')
    expect((await upload({ WriteOffsetBytes: 4 })).code).toBe('NotImplemented')
    expect((await upload({ StorageClass: 'GLACIER' })).code).toBe('InvalidStorageClass')
    expect((await store.send({ path: `/${Bucket}/k` })).text).toBe('kept')
  })

  test('counts less than a header', async () => {
    const headers = { host: `127.0.0.1:${store.port}`, 'x-amz-meta-color': 'blue' }
    const request = { method: 'PUT', path: encodePath(`/${Bucket}/k`), query: 'x-amz-meta-color=red', headers }
    const query = presign(request, { credentials: ROOT_CREDENTIALS, region: TEST_REGION, expiresSeconds: 60 })
    const { status } = await fetch(`${store.url}/${Bucket}/k?${query}`, {
      method: 'PUT',
      body: 'x',
      headers: { 'x-amz-meta-color': 'blue' },
    })
    expect([status, (await head()).Metadata]).toEqual([200, { color: 'blue' }])
  })

  test.each(['x-amz-meta-color=red%0D%0Ax-evil%3A1', 'x-amz-meta-a%20b=red', 'x-amz-meta-a%0A=red'])(
    '%s is refused: no answer could carry it',
    async (given) => {
      const headers = { host: `127.0.0.1:${store.port}` }
      const request = { method: 'PUT', path: `/${Bucket}/odd`, query: given, headers }
      const query = presign(request, { credentials: ROOT_CREDENTIALS, region: TEST_REGION, expiresSeconds: 60 })
      const answer = await fetch(`${store.url}/${Bucket}/odd?${query}`, { method: 'PUT', body: 'x' })
      expect([answer.status, /<Code>(\w+)/.exec(await answer.text())?.[1]]).toEqual([400, 'InvalidArgument'])
    },
  )

  test('says nothing of a body to come: the SDK writes the checksum of an empty one', async () => {
    const command = new PutObjectCommand({ Bucket, Key: 'k' })
    const url = await getSignedUrl(s3, command)
    expect(url).toContain('x-amz-checksum-crc32=AAAAAA')
    expect((await upload({})).status).toBe(200)
  })

  test('means nothing in a query that is not a signature', async () => {
    const query = 'x-amz-meta-color=red'
    await store.send({ method: 'PUT', path: `/${Bucket}/k`, query, body: 'x' })
    expect((await head()).Metadata).toEqual({})
  })

  test('is seen by policies', async () => {
    const { iam } = store.server
    const Condition = { StringEquals: { 's3:x-amz-storage-class': 'REDUCED_REDUNDANCY' } }
    const statement = { Effect: 'Allow', Action: 's3:PutObject', Resource: `arn:aws:s3:::${Bucket}/*`, Condition }
    await setUser(iam, 'signer', 'secret-of-user', 'enabled')
    await setPolicy(iam, 'reduced', JSON.stringify({ Version: '2012-10-17', Statement: [statement] }))
    await setPolicies(iam, { kind: 'user', name: 'signer' }, ['reduced'])
    const signer = store.s3({ accessKey: 'signer', secretKey: 'secret-of-user' })
    const status = async (input: Partial<PutObjectCommandInput>) => {
      const url = await getSignedUrl(signer, new PutObjectCommand({ Bucket, Key: 'k', ...input }))
      return (await fetch(url, { method: 'PUT', body: 'x' })).status
    }
    expect(await status({})).toBe(403)
    expect(await status({ StorageClass: 'REDUCED_REDUNDANCY' })).toBe(200)
    expect(await status({ StorageClass: 'REDUCED_REDUNDANCY', Tagging: 'a=b' })).toBe(403)
  })
})
