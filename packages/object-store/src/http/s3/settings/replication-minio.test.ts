import { randomBytes, randomUUID } from 'node:crypto'
import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectTaggingCommand,
  PutObjectCommand,
  PutObjectTaggingCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { createMadmin } from '@stowage/madmin'
import { afterAll, describe, expect, test, vi } from 'vitest'
import {
  createVersionedBucket,
  listVersionLines,
  replicationRuleXml,
  replicationStatus,
  setUpReplication,
  startSite,
  waitForSameVersions,
  waitForStatus,
} from '../../testing/replication-sites.ts'
import { ROOT_CREDENTIALS, TEST_REGION } from '../../testing/test-store.ts'

/* To and from a real MinIO, if its port is set: STOWAGE_TEST_MINIO=21110, with the user minioadmin. */

const port = Number(process.env.STOWAGE_TEST_MINIO)
const minio = { accessKey: 'minioadmin', secretKey: 'minioadmin' }

describe.skipIf(!port)('MinIO', async () => {
  if (!port) return
  const store = await startSite()
  afterAll(() => store[Symbol.asyncDispose]())
  const ours = store.s3()
  const { accessKey: accessKeyId, secretKey: secretAccessKey } = minio
  const theirs = new S3Client({
    endpoint: `http://127.0.0.1:${port}`,
    region: TEST_REGION,
    forcePathStyle: true,
    credentials: { accessKeyId, secretAccessKey },
  })

  async function pair(): Promise<string> {
    const bucket = `minio-${randomUUID().slice(0, 8)}`
    await Promise.all([ours, theirs].map((s3) => createVersionedBucket(s3, bucket)))
    return bucket
  }

  async function replicateFrom(bucket: string): Promise<void> {
    const madmin = createMadmin({ endpoint: `http://127.0.0.1:${port}`, credentials: minio })
    const target = { endpoint: `127.0.0.1:${store.port}`, secure: false, targetBucket: bucket, ...ROOT_CREDENTIALS }
    const arn = await madmin.setRemoteTarget(bucket, {
      ...target,
      region: '',
      sync: false,
      bandwidth: 0,
      healthCheckSeconds: 60,
    })
    await putRule(bucket, arn)
  }

  async function putRule(bucket: string, arn: string): Promise<void> {
    const { signHeaders } = await import('@stowage/sigv4')
    const { createHash } = await import('node:crypto')
    const body = replicationRuleXml(arn, {})
    const payloadHash = createHash('sha256').update(body).digest('hex')
    const request = { method: 'PUT', path: `/${bucket}`, query: 'replication=', headers: { host: `127.0.0.1:${port}` } }
    const { headers } = signHeaders(request, { credentials: minio, region: TEST_REGION, payloadHash })
    const { host: _, ...sent } = headers
    const answer = await fetch(`http://127.0.0.1:${port}/${bucket}?replication=`, {
      method: 'PUT',
      headers: sent,
      body,
    })
    expect(await answer.text()).toBe('')
  }

  async function change(from: S3Client, Bucket: string): Promise<void> {
    const first = await from.send(
      new PutObjectCommand({ Bucket, Key: 'a/b', Body: '1', Metadata: { x: 'y' }, Tagging: 'k=v' }),
    )
    await from.send(new PutObjectCommand({ Bucket, Key: 'a/b', Body: '2' }))
    await from.send(new PutObjectCommand({ Bucket, Key: 'large', Body: randomBytes(2 ** 20) }))
    await from.send(new DeleteObjectCommand({ Bucket, Key: 'a/b' }))
    const parts = { Bucket, Key: 'parts' }
    const { UploadId } = await from.send(new CreateMultipartUploadCommand(parts))
    const Parts = await Promise.all(
      [5 * 2 ** 20, 100].map(async (size, i) => {
        const PartNumber = i + 1
        const { ETag } = await from.send(
          new UploadPartCommand({ ...parts, UploadId, PartNumber, Body: randomBytes(size) }),
        )
        return { PartNumber, ETag }
      }),
    )
    await from.send(new CompleteMultipartUploadCommand({ ...parts, UploadId, MultipartUpload: { Parts } }))
    expect(first.VersionId).toBeDefined()
  }

  async function retag(from: S3Client, to: S3Client, Bucket: string): Promise<void> {
    const TagSet = [{ Key: 'later', Value: 'z' }]
    await from.send(new PutObjectTaggingCommand({ Bucket, Key: 'large', Tagging: { TagSet } }))
    const tags = async () => (await to.send(new GetObjectTaggingCommand({ Bucket, Key: 'large' }))).TagSet
    await vi.waitFor(async () => expect(await tags()).toEqual(TagSet), { timeout: 60_000, interval: 100 })
  }

  test('takes versions, markers, parts, tags and removals from the store', async () => {
    const bucket = await pair()
    await setUpReplication(store, bucket, { port, bucket, ...minio })
    await change(ours, bucket)
    await waitForSameVersions(ours, bucket, theirs, bucket)
    await waitForStatus(ours, bucket, 'parts', 'COMPLETED')
    expect(await replicationStatus(theirs, bucket, 'large')).toBe('REPLICA')
    await retag(ours, theirs, bucket)
    const [, VersionId] = (await listVersionLines(ours, bucket))[0]?.split(' ') ?? []
    await ours.send(new DeleteObjectCommand({ Bucket: bucket, Key: 'a/b', VersionId }))
    await waitForSameVersions(ours, bucket, theirs, bucket)
  }, 120_000)

  test('sends the same to the store', async () => {
    const bucket = await pair()
    await replicateFrom(bucket)
    await change(theirs, bucket)
    await waitForSameVersions(theirs, bucket, ours, bucket)
    await waitForStatus(theirs, bucket, 'parts', 'COMPLETED')
    expect(await replicationStatus(ours, bucket, 'large')).toBe('REPLICA')
    await retag(theirs, ours, bucket)
  }, 120_000)

  test('and the store replicate to each other and come to rest', async () => {
    const bucket = await pair()
    await setUpReplication(store, bucket, { port, bucket, ...minio })
    await replicateFrom(bucket)
    await Promise.all([change(ours, bucket), change(theirs, bucket)])
    await waitForSameVersions(ours, bucket, theirs, bucket)
  }, 120_000)
})
