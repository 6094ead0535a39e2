import { randomUUID } from 'node:crypto'
import { readXml } from '@stowage/madmin/xml'
import { encodePath, encodeQuery, signHeaders, UNSIGNED_PAYLOAD } from '@stowage/sigv4'
import { isUploadedInParts } from '../engine/interface/tier-object-names.ts'
import { children, toXmlText, xmlChildText } from '../lib/xml.ts'
import { splitStream } from './split-stream.ts'
import {
  copyChunks,
  type GetDispatcher,
  readTierRange,
  readTierText,
  sendTierRequest,
  type TierDriver,
  TierFailure,
  type TierLocation,
  tierPrefix,
} from './tier-driver.ts'

interface S3Request {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** Absent: a request about the bucket. */
  object?: string
  query?: [string, string][]
  headers?: Record<string, string>
  body?: AsyncIterable<Uint8Array> | Buffer
  signal?: AbortSignal | undefined
}

/** Size of the parts of a large object in bytes; S3 allows 10,000 parts. */
const PART_BYTES = 1024 ** 3

/**
 * Creates a driver for a tier on S3 or a compatible server. Connections go through the guard of outgoing connections.
 * @param partBytes size of each part except the last, for objects that are uploaded in parts
 */
export function s3Driver(place: TierLocation, dispatcher: GetDispatcher, partBytes: number = PART_BYTES): TierDriver {
  const { origin, host } = new URL(place.endpoint)
  const prefix = tierPrefix(place)
  const { accessKey, secretKey } = place

  async function send(
    { method, object, query = [], headers: given = {}, body, signal }: S3Request,
    readError: (text: string) => string = s3ErrorCode,
  ) {
    const path = encodePath(object === undefined ? `/${place.bucket}` : `/${place.bucket}/${prefix}${object}`)
    const encoded = encodeQuery(query)
    const { headers } = signHeaders(
      { method, path, query: encoded, headers: { host, ...given } },
      {
        credentials: { accessKey, secretKey },
        region: place.region || 'us-east-1',
        payloadHash: UNSIGNED_PAYLOAD,
      },
    )
    const call = { origin, path: encoded ? `${path}?${encoded}` : path, method, headers, body, signal }
    return await sendTierRequest(dispatcher, call, readError)
  }

  const storageClass: Record<string, string> =
    place.storageClass === '' ? {} : { 'x-amz-storage-class': place.storageClass }

  async function putInParts(object: string, size: number, body: AsyncIterable<Uint8Array>, signal?: AbortSignal) {
    const begun = await send({ method: 'POST', object, query: [['uploads', '']], headers: storageClass, signal })
    const uploadId = xmlChildText(readXml(await readTierText(begun.body)).node, 'UploadId') ?? ''
    const upload: [string, string] = ['uploadId', uploadId]
    try {
      let parts = ''
      let number = 0
      for await (const { length, chunks } of splitStream(body, size, partBytes)) {
        number++
        const answer = await send({
          method: 'PUT',
          object,
          query: [['partNumber', String(number)], upload],
          headers: { 'content-length': String(length) },
          body: copyChunks(chunks),
          signal,
        })
        await answer.body.dump()
        parts += `<Part><PartNumber>${number}</PartNumber><ETag>${toXmlText(String(answer.headers.etag))}</ETag></Part>`
      }
      const document = `<CompleteMultipartUpload>${parts}</CompleteMultipartUpload>`
      const completed = await send({ method: 'POST', object, query: [upload], body: Buffer.from(document), signal })
      // A completion may fail after its status was sent.
      const { name, node } = readXml(await readTierText(completed.body))
      if (name === 'Error') throw new TierFailure(xmlChildText(node, 'Code') ?? '', 500)
    } catch (error) {
      // Report the failure. The rest of the upload is deleted with the object, later.
      await send({ method: 'DELETE', object, query: [upload] })
        .then((answer) => answer.body.dump())
        .catch(() => undefined)
      throw error
    }
  }

  /** Aborts uploads of an object that remain after a crash. */
  async function abortUploads(object: string, signal?: AbortSignal) {
    const query: [string, string][] = [
      ['uploads', ''],
      ['prefix', `${prefix}${object}`],
    ]
    const answer = await send({ method: 'GET', query, signal })
    for (const upload of children(readXml(await readTierText(answer.body)).node, 'Upload')) {
      const uploadId = xmlChildText(upload, 'UploadId') ?? ''
      const ended = await send({ method: 'DELETE', object, query: [['uploadId', uploadId]], signal })
      await ended.body.dump()
    }
  }

  return {
    async put(object, size, body, signal) {
      if (isUploadedInParts(object)) await putInParts(object, size, body, signal)
      else {
        const headers = { 'content-length': String(size), ...storageClass }
        const put = await send({ method: 'PUT', object, headers, body: copyChunks(body), signal })
        await put.body.dump()
      }
      const head = await send({ method: 'HEAD', object, signal })
      await head.body.dump()
      if (Number(head.headers['content-length']) !== size) throw new TierFailure('IncompleteBody', 400)
    },
    async *get(object, range, signal) {
      const headers = { range: `bytes=${range.start}-${range.end - 1}` }
      yield* readTierRange(await send({ method: 'GET', object, headers, signal }), range)
    },
    async remove(object, signal) {
      if (isUploadedInParts(object)) await abortUploads(object, signal)
      const answer = await send({ method: 'DELETE', object, signal })
      await answer.body.dump()
    },
    async isEmpty(signal) {
      const query: [string, string][] = [
        ['list-type', '2'],
        ['max-keys', '1'],
        ['prefix', prefix],
      ]
      const answer = await send({ method: 'GET', query, signal })
      return xmlChildText(readXml(await readTierText(answer.body)).node, 'KeyCount') === '0'
    },
    async deploymentId(signal) {
      let id: string | undefined
      const readError = (text: string) => {
        id = errorElementText(text, 'HostId')
        return s3ErrorCode(text)
      }
      try {
        // Answers about an object that does not exist have the ID, also if the keys may not read the bucket.
        const answer = await send({ method: 'GET', object: randomUUID(), signal }, readError)
        await answer.body.dump()
      } catch (error) {
        if (!(error instanceof TierFailure)) throw error
      }
      return id
    },
  }
}

function s3ErrorCode(text: string): string {
  return errorElementText(text, 'Code') ?? ''
}

/** Returns the text of an element of an error document. */
function errorElementText(text: string, name: string): string | undefined {
  try {
    return xmlChildText(readXml(text).node, name)
  } catch {
    // Not XML, or a page of a proxy: the status is enough.
    return undefined
  }
}
