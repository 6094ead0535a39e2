import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import {
  type ChecksumAlgorithm,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { MiB } from '@stowage/contract'
import { beforeAll, expect, test } from 'vitest'
import { sharedConsole } from '../../support/console/shared-console.ts'
import type { TestTarget } from '../../support/console/test-target.ts'
import { bytesDigest, pseudoRandomBytes } from '../../support/data/bytes.ts'

let c: TestTarget
beforeAll(async () => {
  c = await sharedConsole()
})

const algorithms: [ChecksumAlgorithm, string][] = [
  ['CRC32', 'DUoRhQ=='],
  ['CRC32C', 'yZRlqg=='],
  ['CRC64NVME', 'jSnVw/bqjr4='],
  ['SHA1', 'Kq5sNclPz7QV2+lfQIuc6R7oRu0='],
  ['SHA256', 'uU0nuZNNPgilLlLX2n2r+sSE7+N6U4DukIj3rOLvzek='],
]

test.each(algorithms)(
  '%s: computed by the client, stored, returned and checked',
  async (ChecksumAlgorithm, expected) => {
    const Bucket = await c.newBucket()
    const field = `Checksum${ChecksumAlgorithm}` as const
    await c.s3.send(new PutObjectCommand({ Bucket, Key: 'k', Body: 'hello world', ChecksumAlgorithm }))
    const head = await c.s3.send(new HeadObjectCommand({ Bucket, Key: 'k', ChecksumMode: 'ENABLED' }))
    expect(head).toMatchObject({ [field]: expected, ChecksumType: 'FULL_OBJECT' })
    const { Body } = await c.s3.send(new GetObjectCommand({ Bucket, Key: 'k', ChecksumMode: 'ENABLED' }))
    expect(await Body?.transformToString()).toBe('hello world')
    const wrong = new PutObjectCommand({ Bucket, Key: 'wrong', Body: 'hello World', [field]: expected })
    await expect(c.s3.send(wrong)).rejects.toMatchObject({ $metadata: { httpStatusCode: 400 } })
    await expect(c.s3.send(new HeadObjectCommand({ Bucket, Key: 'wrong' }))).rejects.toMatchObject({ name: 'NotFound' })
  },
)

test.each(algorithms)('%s of an upload in parts', async (ChecksumAlgorithm) => {
  const Bucket = await c.newBucket()
  const target = { Bucket, Key: 'k' }
  const field = `Checksum${ChecksumAlgorithm}` as const
  const { UploadId } = await c.s3.send(new CreateMultipartUploadCommand({ ...target, ChecksumAlgorithm }))
  const pieces = [pseudoRandomBytes('one', 5 * MiB), pseudoRandomBytes('two', 1000)]
  const Parts = await Promise.all(
    pieces.map(async (Body, i) => {
      const PartNumber = i + 1
      const part = await c.s3.send(new UploadPartCommand({ ...target, UploadId, PartNumber, Body, ChecksumAlgorithm }))
      expect(part[field]).toMatch(/=$/)
      return { PartNumber, ETag: part.ETag, [field]: part[field] }
    }),
  )
  const done = await c.s3.send(new CompleteMultipartUploadCommand({ ...target, UploadId, MultipartUpload: { Parts } }))
  const head = await c.s3.send(new HeadObjectCommand({ ...target, ChecksumMode: 'ENABLED' }))
  expect(head[field]).toBe(done[field])
  expect(head[field]).toMatch(head.ChecksumType === 'COMPOSITE' ? /=-2$/ : /=$/)
  const { Body } = await c.s3.send(new GetObjectCommand(target))
  expect(bytesDigest((await Body?.transformToByteArray()) ?? new Uint8Array())).toBe(bytesDigest(Buffer.concat(pieces)))
})

test('Content-MD5 is checked', async () => {
  const Bucket = await c.newBucket()
  const md5 = (text: string) => createHash('md5').update(text).digest('base64')
  const put = (ContentMD5: string) => c.s3.send(new PutObjectCommand({ Bucket, Key: 'k', Body: 'x', ContentMD5 }))
  await expect(put(md5('y'))).rejects.toMatchObject({ name: 'BadDigest' })
  await put(md5('x'))
})

test('a stream with unknown checksum is uploaded in chunks with a trailer', async () => {
  const Bucket = await c.newBucket()
  const content = pseudoRandomBytes('trailer', 700_000)
  const pieces = Array.from({ length: 7 }, (_, i) => content.subarray(i * 100_000, (i + 1) * 100_000))
  const Body = Readable.from(pieces)
  await c.s3.send(new PutObjectCommand({ Bucket, Key: 'k', Body, ContentLength: content.length }))
  const found = await c.s3.send(new GetObjectCommand({ Bucket, Key: 'k', ChecksumMode: 'ENABLED' }))
  expect(found.ChecksumCRC32).toMatch(/=$/)
  expect(bytesDigest((await found.Body?.transformToByteArray()) ?? new Uint8Array())).toBe(bytesDigest(content))
})
