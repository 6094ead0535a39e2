import type { ServerResponse } from 'node:http'
import type { ObjectHandle, ObjectInfo } from '../../../engine/interface/types.ts'
import { S3Error } from '../../../lib/errors.ts'
import { CHECKSUM_HEADERS, checksumHeaders } from '../../bodies/checksums.ts'
import type { ResponseHeaders, StoreCall } from '../../call/call.ts'
import type { S3Operation } from '../../call/s3-operation.ts'
import { requestedVersion } from '../../call/version-id.ts'
import { parseRange, type RequestedRange } from '../headers/byte-range.ts'
import { encryptionHeaders } from '../headers/encryption-headers.ts'
import { objectHeaders, overrideHeaders } from '../headers/object-headers.ts'
import { lockHeaders } from '../headers/object-lock-calls.ts'
import { checkReadConditions, readConditionFailed } from '../headers/preconditions.ts'
import { requestedPartNumber } from '../headers/upload-query.ts'
import { sandboxPolicy } from './active-content.ts'
import { expirationHeader } from './expiration-header.ts'
import { restoreHeader } from './restore-object.ts'

export const getObject: S3Operation = {
  name: 'GetObject',
  method: 'GET',
  level: 'object',
  async handle(call) {
    const answer = prepareRead(call)
    if (!answer) return
    const { handle, status, headers, range, length } = answer
    const { data } = handle
    if (length === 0 || data) {
      call.head(status, headers)
      call.response.end(range ? data?.subarray(range.start, range.end + 1) : data)
      return
    }
    const chunks = handle.read(range)
    // If the first chunk cannot be read, answer with an error instead of a truncated body.
    const first = await chunks.next()
    call.head(status, headers)
    if (!first.done) await sendChunks(call.response, first.value, chunks)
  },
}

/**
 * Sends chunks, each of which is valid until the next one is requested. If the client disconnects, ends early and frees them.
 */
async function sendChunks(response: ServerResponse, first: Buffer, rest: AsyncGenerator<Buffer>): Promise<void> {
  let goOn = (): void => undefined
  response.once('close', () => goOn())
  const sent = (chunk: Buffer) =>
    new Promise<void>((resolve) => {
      goOn = resolve
      // Only the callback means that the memory is free; `drain` is emitted earlier.
      response.write(chunk, () => resolve())
    })
  try {
    await sent(first)
    for await (const chunk of rest) {
      if (response.destroyed) return
      await sent(chunk)
    }
    response.end()
  } finally {
    await rest.return(undefined)
  }
}

interface ReadAnswer {
  handle: ObjectHandle
  status: number
  headers: ResponseHeaders
  range: RequestedRange | undefined
  /** Number of bytes to send. */
  length: number
}

/** Returns the headers of a read; GET adds the bytes. Undefined if it has already been answered (304). */
export function prepareRead(call: StoreCall): ReadAnswer | undefined {
  if (call.header('x-amz-server-side-encryption') !== undefined) {
    throw new S3Error('InvalidArgument', 'The header x-amz-server-side-encryption is for writing only.')
  }
  const handle = openRequested(call)
  const { info } = handle
  const versioned = call.engine.getBucket(call.bucket).versioning !== undefined
  const headers: ResponseHeaders = {
    ...objectHeaders(info, versioned),
    ...lockHeaders(call, info),
    ...encryptionHeaders(call, info.encryption),
    ...expirationHeader(call, info),
    ...restoreHeader(call, info),
  }
  switch (checkReadConditions(call, info, '')) {
    case 'failed':
      throw readConditionFailed()
    case 'not-modified':
      delete headers['content-type']
      call.empty(304, headers)
      return undefined
  }
  const part = requestedPart(call, handle, headers)
  const range = part?.range ?? parseRange(call.header('range'), info.size)
  const length = range ? range.end - range.start + 1 : part ? 0 : info.size
  if (range) headers['Content-Range'] = `bytes ${range.start}-${range.end}/${info.size}`
  if (call.header('x-amz-checksum-mode')?.toUpperCase() === 'ENABLED') {
    Object.assign(headers, answerChecksum(info, length, part?.checksum))
  }
  overrideHeaders(call, headers)
  if (call.store.sandbox) {
    const policy = sandboxPolicy(String(headers['content-type'] ?? ''))
    if (policy !== undefined) headers['Content-Security-Policy'] = policy
  }
  // Must be last: after a Content-Length, Node parses a Content-Disposition as UTF-8 and refuses non-Latin-1 characters.
  headers['Content-Length'] = length
  return { handle, status: range ? 206 : 200, headers, range, length }
}

/** Opens the object of the URL; for a delete marker the error answer has the header `x-amz-delete-marker`, as in S3. */
function openRequested(call: StoreCall): ObjectHandle {
  try {
    const handle = call.engine.getObject(call.bucket, call.key, requestedVersion(call))
    handle.useCustomerKey(call.customerKeys.own?.key)
    return handle
  } catch (error) {
    if (error instanceof S3Error) setDeleteMarkerHeaders(call, error)
    throw error
  }
}

function setDeleteMarkerHeaders(call: StoreCall, { detail }: S3Error): void {
  if (detail.DeleteMarker !== 'true') return
  call.response.setHeader('x-amz-delete-marker', 'true')
  call.response.setHeader('x-amz-version-id', detail.VersionId ?? '')
}

/** Returns the checksum of a part, without type as on MinIO, or of the whole object. Ranges have none. */
function answerChecksum({ checksum, size }: ObjectInfo, length: number, ofPart: string | undefined): ResponseHeaders {
  if (!checksum) return {}
  if (ofPart !== undefined) return { [CHECKSUM_HEADERS[checksum.algorithm]]: ofPart }
  return length === size ? checksumHeaders(checksum) : {}
}

interface RequestedPart {
  /** Undefined for an empty part. */
  range: RequestedRange | undefined
  /** Base64, of the algorithm of the object's checksum. */
  checksum: string | undefined
}

/**
 * Returns the part requested with `partNumber`; undefined if the parameter is missing or empty.
 * @throws S3Error InvalidArgument, InvalidPartNumber, InvalidRequest
 */
function requestedPart(call: StoreCall, { info }: ObjectHandle, headers: ResponseHeaders): RequestedPart | undefined {
  if (call.query.size === 0 || !call.query.get('partNumber')) return undefined
  const number = requestedPartNumber(call)
  if (call.header('range') !== undefined) {
    throw new S3Error('InvalidRequest', 'Cannot specify both Range header and partNumber query parameter.')
  }
  const parts: NonNullable<ObjectInfo['parts']> = info.parts ?? [{ size: info.size }]
  if (number > parts.length) {
    throw new S3Error('InvalidPartNumber', 'The requested partnumber is not satisfiable')
  }
  if (info.parts) headers['x-amz-mp-parts-count'] = parts.length
  const start = parts.slice(0, number - 1).reduce((sum, part) => sum + part.size, 0)
  const { size, checksum } = parts[number - 1] ?? { size: 0 }
  return { range: size === 0 ? undefined : { start, end: start + size - 1 }, checksum }
}
