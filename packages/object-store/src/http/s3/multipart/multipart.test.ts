import { createHash, randomBytes } from 'node:crypto'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  GetObjectAttributesCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListPartsCommand,
  PutObjectCommand,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3'
import { afterAll, describe, expect, test } from 'vitest'
import { readSdkBody, sdkErrorCode, startWithBucket } from '../../testing/test-store.ts'

const { store, s3, Bucket } = await startWithBucket('parts')
const MiB = 1024 * 1024
const big = randomBytes(5 * MiB)
const small = Buffer.from('the end')

afterAll(() => store[Symbol.asyncDispose]())

async function begin(Key: string, more = {}) {
  const { UploadId } = await s3.send(new CreateMultipartUploadCommand({ Bucket, Key, ...more }))
  const upload = { Bucket, Key, UploadId }
  return {
    upload,
    part: (PartNumber: number, Body: Buffer, extra = {}) =>
      s3.send(new UploadPartCommand({ ...upload, PartNumber, Body, ...extra })),
    complete: (Parts: { PartNumber: number; ETag: string | undefined }[], extra = {}) =>
      s3.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts }, ...extra })),
  }
}

const compositeEtag = (...parts: Buffer[]) => {
  const digests = parts.map((part) => createHash('md5').update(part).digest())
  return `"${createHash('md5').update(Buffer.concat(digests)).digest('hex')}-${parts.length}"`
}

describe('multipart uploads', () => {
  test('parts become one object with its metadata, type and tags', async () => {
    const { part, complete } = await begin('whole', { ContentType: 'text/x', Metadata: { a: '1' }, Tagging: 'k=v' })
    const [second, first] = [await part(2, small), await part(1, big)]
    const done = await complete([
      { PartNumber: 1, ETag: first.ETag },
      { PartNumber: 2, ETag: second.ETag },
    ])
    expect(done.ETag).toBe(compositeEtag(big, small))
    const read = await s3.send(new GetObjectCommand({ Bucket, Key: 'whole' }))
    expect([read.ContentType, read.Metadata, read.TagCount]).toEqual(['text/x', { a: '1' }, 1])
    expect((await readSdkBody(read)).equals(Buffer.concat([big, small]))).toBe(true)
  })

  test('a part that is read by its number has its own checksum', async () => {
    const Key = 'summed'
    const { part, complete } = await begin(Key, { ChecksumAlgorithm: 'SHA256' })
    const parts = [big, small]
    const done = []
    for (const [i, body] of parts.entries()) {
      const { ETag, ChecksumSHA256 } = await part(i + 1, body, { ChecksumAlgorithm: 'SHA256' })
      done.push({ PartNumber: i + 1, ETag, ChecksumSHA256 })
    }
    const { ChecksumSHA256: whole } = await complete(done)
    expect(whole).toMatch(/-2$/)
    const headers = { 'x-amz-checksum-mode': 'ENABLED' }
    const sum = async (method: string, query = '') =>
      (await store.send({ method, path: `/${Bucket}/${Key}`, query, headers })).headers['x-amz-checksum-sha256']
    for (const method of ['GET', 'HEAD']) {
      expect(await sum(method)).toBe(whole)
      for (const [i, body] of parts.entries()) {
        expect(await sum(method, `partNumber=${i + 1}`)).toBe(createHash('sha256').update(body).digest('base64'))
      }
    }
  })

  test('an empty part is read as nothing, not as the whole', async () => {
    const { part, complete } = await begin('ends-empty')
    const [first, second] = [await part(1, big), await part(2, Buffer.alloc(0))]
    await complete([
      { PartNumber: 1, ETag: first.ETag },
      { PartNumber: 2, ETag: second.ETag },
    ])
    const { headers } = await store.send({ method: 'HEAD', path: `/${Bucket}/ends-empty`, query: 'partNumber=2' })
    expect(headers['content-length']).toBe('0')
  })

  test('an upload of another size than the client takes it for is not completed', async () => {
    const { part, complete } = await begin('sized')
    const Parts = [{ PartNumber: 1, ETag: (await part(1, small)).ETag }]
    expect(await sdkErrorCode(complete(Parts, { MpuObjectSize: small.length + 1 }))).toBe('InvalidRequest')
    await complete(Parts, { MpuObjectSize: small.length })
  })

  test('a part can be read by its number, and a range across parts', async () => {
    const read = await s3.send(new GetObjectCommand({ Bucket, Key: 'whole', PartNumber: 2 }))
    expect([read.PartsCount, read.ContentRange]).toEqual([2, `bytes ${5 * MiB}-${5 * MiB + 6}/${5 * MiB + 7}`])
    expect((await readSdkBody(read)).equals(small)).toBe(true)
    const Range = `bytes=${5 * MiB - 2}-${5 * MiB + 2}`
    const across = await readSdkBody(await s3.send(new GetObjectCommand({ Bucket, Key: 'whole', Range })))
    expect(across.equals(Buffer.concat([big.subarray(-2), small.subarray(0, 3)]))).toBe(true)
    const third = await store.send({ path: '/parts/whole', query: 'partNumber=3' })
    expect([third.status, third.code]).toEqual([416, 'InvalidPartNumber'])
    for (const number of ['0', '-1', '1.5', '1e0', '0x1', 'x', '10001', '99999999999999999999']) {
      const answer = await store.send({ path: '/parts/whole', query: `partNumber=${number}` })
      expect([number, answer.status, answer.code]).toEqual([number, 400, 'InvalidArgument'])
    }
    const none = await store.send({ path: '/parts/whole', query: 'partNumber=', headers: { range: 'bytes=0-1' } })
    expect([none.status, none.body.length]).toEqual([206, 2])
    expect((await store.send({ path: '/parts/whole', query: 'partNumber=' })).status).toBe(200)
    const attributes = await s3.send(
      new GetObjectAttributesCommand({ Bucket, Key: 'whole', ObjectAttributes: ['ObjectParts'] }),
    )
    expect(attributes.ObjectParts?.TotalPartsCount).toBe(2)
  })

  test('uploads and parts are listed until the end', async () => {
    const { upload, part } = await begin('listed')
    await part(1, small)
    await part(3, small)
    await part(1, Buffer.from('again'))
    const uploads = await s3.send(new ListMultipartUploadsCommand({ Bucket, Prefix: 'lis' }))
    expect(uploads.Uploads?.map(({ UploadId }) => UploadId)).toEqual([upload.UploadId])
    const page = await s3.send(new ListPartsCommand({ ...upload, MaxParts: 1 }))
    expect([page.IsTruncated, page.NextPartNumberMarker, page.Parts?.[0]?.Size]).toEqual([true, '1', 5])
    const rest = await s3.send(new ListPartsCommand({ ...upload, PartNumberMarker: '1' }))
    expect(rest.Parts?.map(({ PartNumber }) => PartNumber)).toEqual([3])
    await s3.send(new AbortMultipartUploadCommand(upload))
    expect(await sdkErrorCode(s3.send(new ListPartsCommand(upload)))).toBe('NoSuchUpload')
  })

  test('a list that does not fit the parts is refused', async () => {
    const { upload, part, complete } = await begin('refused')
    const [first, second] = [await part(1, small), await part(2, small)]
    const one = { PartNumber: 1, ETag: first.ETag }
    const two = { PartNumber: 2, ETag: second.ETag }
    expect(await sdkErrorCode(complete([two, one]))).toBe('InvalidPartOrder')
    expect(await sdkErrorCode(complete([{ PartNumber: 1, ETag: '"other"' }]))).toBe('InvalidPart')
    expect(await sdkErrorCode(complete([{ PartNumber: 3, ETag: second.ETag }]))).toBe('InvalidPart')
    const query = `uploadId=${upload.UploadId}`
    for (const number of ['1e0', '0x1', '-1', '']) {
      const Part = `<Part><PartNumber>${number}</PartNumber><ETag>${first.ETag}</ETag></Part>`
      const body = `<CompleteMultipartUpload>${Part}</CompleteMultipartUpload>`
      const answer = await store.send({ method: 'POST', path: `/parts/${upload.Key}`, query, body })
      expect([number, answer.code]).toEqual([number, 'MalformedXML'])
    }
    expect(await sdkErrorCode(complete([one, two]))).toBe('EntityTooSmall')
    expect(await sdkErrorCode(complete([]))).toBe('MalformedXML')
  })

  test.each(['0', '10001', 'x', '-1'])('the part number %s is refused', async (number) => {
    const { upload } = await begin('numbers')
    const query = `partNumber=${number}&uploadId=${upload.UploadId}`
    const answer = await store.send({ method: 'PUT', path: '/parts/numbers', query, body: 'x' })
    expect([answer.status, answer.code]).toEqual([400, 'InvalidArgument'])
  })

  test('ranges of objects are copied as parts', async () => {
    await s3.send(new PutObjectCommand({ Bucket, Key: 'source', Body: Buffer.concat([big, small]) }))
    const { upload, complete } = await begin('pasted')
    const copy = (PartNumber: number, CopySourceRange: string) =>
      s3.send(new UploadPartCopyCommand({ ...upload, PartNumber, CopySource: 'parts/source', CopySourceRange }))
    const first = await copy(1, `bytes=0-${5 * MiB - 1}`)
    const second = await copy(2, `bytes=${5 * MiB}-${5 * MiB + 2}`)
    expect(await sdkErrorCode(copy(3, 'bytes=0-99999999'))).toBe('InvalidRange')
    expect(await sdkErrorCode(copy(3, 'bytes=5-'))).toBe('InvalidArgument')
    await complete([
      { PartNumber: 1, ETag: first.CopyPartResult?.ETag },
      { PartNumber: 2, ETag: second.CopyPartResult?.ETag },
    ])
    const whole = await readSdkBody(await s3.send(new GetObjectCommand({ Bucket, Key: 'pasted' })))
    expect(whole.equals(Buffer.concat([big, small.subarray(0, 3)]))).toBe(true)
  })

  test.each([
    ['CRC32', 'COMPOSITE'],
    ['CRC32C', 'FULL_OBJECT'],
    ['CRC64NVME', 'FULL_OBJECT'],
    ['SHA1', 'COMPOSITE'],
    ['SHA256', 'COMPOSITE'],
  ] as const)('a checksum %s of type %s goes with the upload', async (ChecksumAlgorithm, ChecksumType) => {
    const Key = `sum-${ChecksumAlgorithm}`
    const { part, complete } = await begin(Key, { ChecksumAlgorithm, ChecksumType })
    const field = `Checksum${ChecksumAlgorithm}` as const
    const [first, second] = [await part(1, big, { ChecksumAlgorithm }), await part(2, small, { ChecksumAlgorithm })]
    expect(first[field]).toBeTruthy()
    await complete([
      { PartNumber: 1, ETag: first.ETag, [field]: first[field] },
      { PartNumber: 2, ETag: second.ETag, [field]: second[field] },
    ])
    const head = await s3.send(new HeadObjectCommand({ Bucket, Key, ChecksumMode: 'ENABLED' }))
    expect(head.ChecksumType).toBe(ChecksumType)
    expect(head[field]?.endsWith('-2')).toBe(ChecksumType === 'COMPOSITE')
    if (ChecksumType !== 'FULL_OBJECT') return
    // The same bytes in one upload have the same checksum.
    const Body = Buffer.concat([big, small])
    const once = await s3.send(new PutObjectCommand({ Bucket, Key: `${Key}-once`, Body, ChecksumAlgorithm }))
    expect(head[field]).toBe(once[field])
  })

  test('a checksum type that the algorithm cannot have is refused', async () => {
    expect(await sdkErrorCode(begin('odd', { ChecksumAlgorithm: 'SHA256', ChecksumType: 'FULL_OBJECT' }))).toBe(
      'InvalidRequest',
    )
  })
})
