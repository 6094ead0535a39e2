import { createHash } from 'node:crypto'
import {
  CreateBucketCommand,
  GetObjectCommand,
  PutObjectCommand,
  type PutObjectCommandInput,
  PutObjectLegalHoldCommand,
  type S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import type { TestTarget } from '../console/test-target.ts'

/** Creates a bucket with these objects, by key. */
export async function newBucketWith(target: TestTarget, objects: Record<string, string | Uint8Array>): Promise<string> {
  const bucket = await target.newBucket()
  for (const [Key, content] of Object.entries(objects)) {
    // As bytes, because the SDK cannot determine the length of an empty string.
    const Body = Buffer.from(content)
    await target.s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body }))
  }
  return bucket
}

/** Returns all keys of a bucket. */
export async function listKeys(target: TestTarget, bucket: string): Promise<string[]> {
  const { objects } = await target.call('listObjects', { params: { bucket }, query: { recursive: 'true' } })
  return objects.map(({ name }) => name)
}

/** Returns the bytes of an object. */
export async function readObjectBytes(target: TestTarget, bucket: string, key: string): Promise<Uint8Array> {
  const { Body } = await target.s3.send(new GetObjectCommand({ Bucket: bucket, Key: key }))
  return (await Body?.transformToByteArray()) ?? new Uint8Array()
}

export const readObjectText = async (target: TestTarget, bucket: string, key: string) =>
  Buffer.from(await readObjectBytes(target, bucket, key)).toString()

export const md5Digest = (bytes: Uint8Array) => createHash('md5').update(bytes).digest('hex')

/** Writes an object as the replication of another store does: with an earlier modification time (ms since 1970). */
export async function putReplica(s3: S3Client, input: PutObjectCommandInput, modifiedAt: number): Promise<void> {
  const command = new PutObjectCommand(input)
  const headers = {
    'x-amz-replication-status': 'REPLICA',
    'x-minio-source-replication-request': 'true',
    'x-minio-source-mtime': new Date(modifiedAt).toISOString(),
  }
  command.middlewareStack.add(
    (next) => (args) => {
      Object.assign((args.request as { headers: object }).headers, headers)
      return next(args)
    },
    { step: 'build' },
  )
  await s3.send(command)
}

/** Creates a bucket with object lock; undefined if the storage server does not support it. */
export async function newLockBucket(target: TestTarget): Promise<string | undefined> {
  const Bucket = target.freshName('lock')
  await target.s3.send(new CreateBucketCommand({ Bucket, ObjectLockEnabledForBucket: true }))
  const probe = new PutObjectLegalHoldCommand({ Bucket, Key: 'absent', LegalHold: { Status: 'OFF' } })
  const refusal = await target.s3.send(probe).catch((error: unknown) => error)
  return refusal instanceof S3ServiceException && refusal.$metadata.httpStatusCode === 501 ? undefined : Bucket
}
