import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { afterAll, describe, expect, test } from 'vitest'
import { readSdkBody, startWithBucket } from '../testing/test-store.ts'
import { createHasher, requireChecksumDigest } from './checksums.ts'

const { store, s3, Bucket } = await startWithBucket('checksums')
afterAll(() => store[Symbol.asyncDispose]())

/** Checksums of the text `123456789`, from the catalogues of the algorithms. */
const CHECK = {
  CRC32: 'y/Q5Jg==',
  CRC32C: '4waSgw==',
  CRC64NVME: 'rosUhgp5mIg=',
  SHA1: createHash('sha1').update('123456789').digest('base64'),
  SHA256: createHash('sha256').update('123456789').digest('base64'),
} as const
const algorithms = Object.entries(CHECK) as [keyof typeof CHECK, string][]

describe('hashers', () => {
  test.each(algorithms)('%s gives %s, in pieces too and side by side', async (algorithm, value) => {
    const [one, other] = [await createHasher(algorithm), await createHasher(algorithm)]
    one.update(Buffer.from('1234'))
    other.update(Buffer.from('x'))
    one.update(Buffer.from('56789'))
    expect(one.digest()).toBe(value)
    const again = await createHasher(algorithm)
    again.update(Buffer.from('123456789'))
    expect(again.digest()).toBe(value)
  })

  test('a value that is no digest is refused', () => {
    for (const value of ['', 'AAAA', 'AAAAAA', 'AAAAAA=x', 'AAAA AA==', 'AAAAAAAAAAA=', '????']) {
      expect(() => requireChecksumDigest('CRC32', value)).toThrow('x-amz-checksum-crc32')
    }
  })
})

describe('uploads', () => {
  test('a Content-MD5 is the base64 of sixteen bytes and nothing else', async () => {
    const send = (digest: string, body = 'content') =>
      store.send({ method: 'PUT', path: `/${Bucket}/md5`, body, headers: { 'content-md5': digest } })
    const good = createHash('md5').update('content').digest('base64')
    expect((await send(good)).status).toBe(200)
    expect((await send(good, 'other')).code).toBe('BadDigest')
    for (const wrong of [
      good.slice(0, -2),
      good.slice(0, -1),
      `${good}x`,
      `${good}==`,
      `${good.slice(0, 8)} ${good.slice(8)}`,
      `!${good}`,
    ]) {
      expect([wrong, (await send(wrong)).code]).toEqual([wrong, 'InvalidDigest'])
    }
  })

  test.each(algorithms)('%s in a header is checked, kept and sent back', async (ChecksumAlgorithm, value) => {
    const field = `Checksum${ChecksumAlgorithm}` as const
    const object = { Bucket, Key: `header-${ChecksumAlgorithm}` }
    const header = `x-amz-checksum-${ChecksumAlgorithm.toLowerCase()}`
    const send = (digest: string) =>
      store.send({ method: 'PUT', path: `/${Bucket}/${object.Key}`, body: '123456789', headers: { [header]: digest } })
    expect((await send(value)).headers[header]).toBe(value)
    const head = await s3.send(new HeadObjectCommand({ ...object, ChecksumMode: 'ENABLED' }))
    expect([head[field], head.ChecksumType]).toEqual([value, 'FULL_OBJECT'])
    expect((await s3.send(new HeadObjectCommand(object)))[field]).toBeUndefined()
    const wrong = Buffer.from(value, 'base64')
    wrong[0] = (wrong[0] ?? 0) ^ 1
    expect((await send(wrong.toString('base64'))).code).toBe('XAmzContentChecksumMismatch')
  })

  test.each(algorithms)('%s in the trailer of a stream is checked and kept', async (ChecksumAlgorithm, value) => {
    const object = { Bucket, Key: `trailer-${ChecksumAlgorithm}` }
    const Body = Readable.from([Buffer.from('12345'), Buffer.from('6789')])
    await s3.send(new PutObjectCommand({ ...object, Body, ContentLength: 9, ChecksumAlgorithm }))
    const read = await s3.send(new GetObjectCommand({ ...object, ChecksumMode: 'ENABLED' }))
    expect(read[`Checksum${ChecksumAlgorithm}` as const]).toBe(value)
    expect(read.ContentEncoding).toBeUndefined()
    expect((await readSdkBody(read)).toString()).toBe('123456789')
  })

  test('two checksums, or one of an unknown kind, are refused', async () => {
    const put = (headers: Record<string, string>) =>
      store.send({ method: 'PUT', path: `/${Bucket}/k`, body: '123456789', headers })
    const both = { 'x-amz-checksum-crc32': CHECK.CRC32, 'x-amz-checksum-sha1': CHECK.SHA1 }
    expect((await put(both)).code).toBe('InvalidRequest')
    expect((await put({ 'x-amz-checksum-crc32': 'AAAA' })).code).toBe('InvalidRequest')
    expect((await put({ 'x-amz-trailer': 'x-amz-checksum-md4' })).code).toBe('InvalidRequest')
  })
})

describe('copies', () => {
  const copy = (source: string, ChecksumAlgorithm?: keyof typeof CHECK) => {
    const command = { Bucket, Key: 'copy', CopySource: `${Bucket}/${source}` }
    return s3.send(new CopyObjectCommand({ ...command, ...(ChecksumAlgorithm ? { ChecksumAlgorithm } : {}) }))
  }
  const head = () => s3.send(new HeadObjectCommand({ Bucket, Key: 'copy', ChecksumMode: 'ENABLED' }))

  test.each(algorithms)('get the %s that is asked for, and keep what they have otherwise', async (algorithm, value) => {
    const field = `Checksum${algorithm}` as const
    await store.send({ method: 'PUT', path: `/${Bucket}/bare`, body: '123456789' })
    expect((await copy('bare', algorithm)).CopyObjectResult?.[field]).toBe(value)
    expect(await head()).toMatchObject({ [field]: value, ChecksumType: 'FULL_OBJECT' })
    const other = algorithm === 'SHA1' ? 'CRC32' : 'SHA1'
    await s3.send(new PutObjectCommand({ Bucket, Key: 'summed', Body: '123456789', ChecksumAlgorithm: other }))
    expect((await copy('summed')).CopyObjectResult?.[`Checksum${other}`]).toBe(CHECK[other])
    await copy('summed', algorithm)
    const read = await head()
    expect([read[field], read[`Checksum${other}`]]).toEqual([value, undefined])
  })

  test('of an object in parts have a checksum of the whole, and no checksums of parts', async () => {
    const [first, second] = [randomBytes(5 * 1024 * 1024), Buffer.from('end')]
    const upload = { Bucket, Key: 'parts', ChecksumAlgorithm: 'CRC32' } as const
    const { UploadId } = await s3.send(new CreateMultipartUploadCommand(upload))
    const Parts = []
    for (const [i, Body] of [first, second].entries()) {
      const part = { ...upload, UploadId, PartNumber: i + 1, Body }
      const { ETag, ChecksumCRC32 } = await s3.send(new UploadPartCommand(part))
      Parts.push({ PartNumber: i + 1, ETag, ChecksumCRC32 })
    }
    await s3.send(new CompleteMultipartUploadCommand({ Bucket, Key: 'parts', UploadId, MultipartUpload: { Parts } }))
    await copy('parts', 'SHA256')
    const whole = createHash('sha256').update(first).update(second).digest('base64')
    expect(await head()).toMatchObject({ ChecksumSHA256: whole, ChecksumType: 'FULL_OBJECT' })
    const part = await s3.send(new HeadObjectCommand({ Bucket, Key: 'copy', PartNumber: 2, ChecksumMode: 'ENABLED' }))
    expect([part.ContentLength, part.ChecksumSHA256, part.ChecksumCRC32]).toEqual([3, undefined, undefined])
  })

  test('are refused with an algorithm that is unknown', async () => {
    const headers = { 'x-amz-copy-source': `${Bucket}/bare`, 'x-amz-checksum-algorithm': 'MD4' }
    expect((await store.send({ method: 'PUT', path: `/${Bucket}/copy`, headers })).code).toBe('InvalidRequest')
  })
})
