import { Readable } from 'node:stream'
import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  GetObjectAttributesCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  PutObjectCommand,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { MiB } from '@stowage/contract'
import { beforeAll, expect, test } from 'vitest'
import { sharedConsole } from '../../support/console/shared-console.ts'
import type { TestTarget } from '../../support/console/test-target.ts'
import { bytesDigest, pseudoRandomBytes } from '../../support/data/bytes.ts'

let c: TestTarget
beforeAll(async () => {
  c = await sharedConsole()
})

async function stored(Bucket: string, Key: string, Range?: string): Promise<Uint8Array> {
  const { Body } = await c.s3.send(new GetObjectCommand({ Bucket, Key, ...(Range ? { Range } : {}) }))
  return (await Body?.transformToByteArray()) ?? new Uint8Array()
}

test('lib-storage uploads a stream with five parts in flight', async () => {
  const Bucket = await c.newBucket()
  const content = pseudoRandomBytes('stream', 43 * MiB + 17)
  const pieces = function* () {
    for (let at = 0; at < content.length; at += 100_000) yield content.subarray(at, at + 100_000)
  }
  const upload = new Upload({
    client: c.s3,
    params: { Bucket, Key: 'stream', Body: Readable.from(pieces()), ContentType: 'application/x-thing' },
    queueSize: 5,
    partSize: 5 * MiB,
  })
  const { ETag } = await upload.done()
  expect(ETag).toMatch(/-9"$/)
  expect(bytesDigest(await stored(Bucket, 'stream'))).toBe(bytesDigest(content))
  const [from, to] = [5 * MiB - 10, 10 * MiB + 10]
  const range = await stored(Bucket, 'stream', `bytes=${from}-${to}`)
  expect(bytesDigest(range)).toBe(bytesDigest(content.subarray(from, to + 1)))
  expect(await c.s3.send(new HeadObjectCommand({ Bucket, Key: 'stream', PartNumber: 9 }))).toMatchObject({
    ContentLength: 3 * MiB + 17,
    PartsCount: 9,
    ContentType: 'application/x-thing',
  })
})

test('an upload that lib-storage aborts leaves nothing behind', async () => {
  const Bucket = await c.newBucket()
  const upload = new Upload({
    client: c.s3,
    params: { Bucket, Key: 'left', Body: pseudoRandomBytes('left', 30 * MiB) },
    queueSize: 2,
    partSize: 5 * MiB,
  })
  upload.on('httpUploadProgress', () => void upload.abort())
  await expect(upload.done()).rejects.toThrow()
  const uploads = async () => (await c.s3.send(new ListMultipartUploadsCommand({ Bucket }))).Uploads ?? []
  await expect.poll(uploads).toEqual([])
})

test('parts may be copied from an object, and their sizes are returned', async () => {
  const Bucket = await c.newBucket()
  const source = pseudoRandomBytes('source', 12 * MiB)
  await c.s3.send(new PutObjectCommand({ Bucket, Key: 'a source', Body: source }))
  const { UploadId } = await c.s3.send(new CreateMultipartUploadCommand({ Bucket, Key: 'copy' }))
  const part = { Bucket, Key: 'copy', UploadId }
  const copied = await c.s3.send(
    new UploadPartCopyCommand({
      ...part,
      PartNumber: 1,
      CopySource: `${Bucket}/a%20source`,
      CopySourceRange: `bytes=100-${6 * MiB + 99}`,
    }),
  )
  const sent = await c.s3.send(new UploadPartCommand({ ...part, PartNumber: 3, Body: 'the end' }))
  await c.s3.send(
    new CompleteMultipartUploadCommand({
      ...part,
      MultipartUpload: {
        Parts: [
          { PartNumber: 1, ETag: copied.CopyPartResult?.ETag },
          { PartNumber: 3, ETag: sent.ETag },
        ],
      },
    }),
  )
  const expected = Buffer.concat([source.subarray(100, 6 * MiB + 100), Buffer.from('the end')])
  expect(bytesDigest(await stored(Bucket, 'copy'))).toBe(bytesDigest(expected))
  // MinIO accepts one attribute per request; S3 and the SDKs request several.
  if (!c.embedded) return
  const attributes = await c.s3.send(
    new GetObjectAttributesCommand({ Bucket, Key: 'copy', ObjectAttributes: ['ObjectSize', 'ObjectParts'] }),
  )
  expect(attributes).toMatchObject({ ObjectSize: expected.length, ObjectParts: { TotalPartsCount: 2 } })
})

test.each([
  ['a part that was never sent', [1, 2], 'InvalidPart'],
  ['parts out of order', [2, 1], 'InvalidPartOrder'],
])('%s is refused on completion', async (_, numbers, code) => {
  const Bucket = await c.newBucket()
  const { UploadId } = await c.s3.send(new CreateMultipartUploadCommand({ Bucket, Key: 'k' }))
  const { ETag } = await c.s3.send(new UploadPartCommand({ Bucket, Key: 'k', UploadId, PartNumber: 1, Body: 'x' }))
  const Parts = numbers.map((PartNumber) => ({ PartNumber, ETag }))
  const complete = new CompleteMultipartUploadCommand({ Bucket, Key: 'k', UploadId, MultipartUpload: { Parts } })
  await expect(c.s3.send(complete)).rejects.toMatchObject({ name: code })
})
