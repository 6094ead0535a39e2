import { MiB, reason } from '@stowage/contract'
import { HttpError } from '../../../lib/errors/http-errors.ts'
import type { SessionContext } from '../../../lib/http/serve.ts'
import { ByteSource } from './byte-source.ts'
import { abortUpload, completeUpload, createUpload, uploadPart } from './multipart-upload.ts'

export interface PutTarget {
  bucket: string
  key: string
  contentType: string
  /** Refuses to replace an object. */
  ifAbsent?: boolean | undefined
}

export type PutClients = Pick<SessionContext, 's3' | 's3Stream' | 'detached'>

/** Content of a known size up to this is sent in one request; larger content in parts of this size. */
const MAX_SINGLE_PUT = 64 * MiB
/** S3 allows 10,000 parts; more than 625 GiB need larger parts. */
const MAX_PARTS = 10_000

/**
 * Stores a stream as an object, without buffering all of it.
 * @param size bytes, if the sender announced it; otherwise each part is buffered before it is sent, because S3 requires its
 *   length first
 * @throws HttpError 400 if the stream is shorter or longer than `size`; UpstreamError as PutObject, PreconditionFailed
 */
export async function putObject(
  clients: PutClients,
  target: PutTarget,
  stream: AsyncIterable<Uint8Array>,
  size: number | undefined,
): Promise<void> {
  const source = new ByteSource(stream)
  if (size === undefined) return await putUnknown(clients, target, source)
  if (size <= MAX_SINGLE_PUT) await putSingle(clients, target, exactBytes(source, size, size, true), size)
  else await putParts(clients, target, knownParts(source, size))
}

async function putUnknown(clients: PutClients, target: PutTarget, source: ByteSource): Promise<void> {
  // One buffer is used for all parts: collected chunks would be promoted to the old generation and fill the heap.
  const first = Buffer.allocUnsafeSlow(partSize(1))
  const size = await source.fill(first)
  if (size < first.length || (await source.ended()))
    return await putSingle(clients, target, first.subarray(0, size), size)
  await putParts(clients, target, filledParts(source, first))
}

async function putSingle(
  { s3Stream }: PutClients,
  { bucket, key, contentType, ifAbsent }: PutTarget,
  body: AsyncIterable<Uint8Array> | Buffer,
  size: number,
): Promise<void> {
  const headers = {
    'content-length': String(size),
    'content-type': contentType,
    'if-none-match': ifAbsent ? '*' : undefined,
  }
  await s3Stream.headers({ method: 'PUT', bucket, key, headers, body })
}

interface PartContent {
  body: AsyncIterable<Uint8Array> | Buffer
  size: number
}

async function putParts(clients: PutClients, target: PutTarget, parts: AsyncIterable<PartContent>): Promise<void> {
  const { s3, s3Stream } = clients
  const uploadId = await createUpload(s3, target)
  const upload = { ...target, uploadId }
  try {
    const done: { part: number; etag: string }[] = []
    for await (const { body, size } of parts) {
      const part = done.length + 1
      done.push({ part, etag: await uploadPart(s3Stream, { ...upload, part, body, size }) })
    }
    await completeUpload(s3, upload, done, target.ifAbsent)
  } catch (error) {
    // Also if the sender has disconnected. Two attempts, because the failure may also have broken the connection of the first
    // one. If both fail, the server's clean-up of stale uploads deletes the parts.
    const detached = clients.detached().s3
    await abortUpload(detached, upload)
      .catch(() => abortUpload(detached, upload))
      .catch(() => {})
    throw error
  }
}

async function* knownParts(source: ByteSource, size: number): AsyncGenerator<PartContent> {
  const most = Math.max(MAX_SINGLE_PUT, Math.ceil(size / MAX_PARTS))
  for (let left = size; left > 0; left -= most) {
    const length = Math.min(most, left)
    yield { body: exactBytes(source, length, size, left <= most), size: length }
  }
}

/** @param first part 1, full; its buffer is reused for each next part after the previous one was stored */
async function* filledParts(source: ByteSource, first: Buffer): AsyncGenerator<PartContent> {
  let buffer = first
  let size = first.length
  for (let number = 2; size > 0; number++) {
    yield { body: buffer.subarray(0, size), size }
    if (buffer.length !== partSize(number)) buffer = Buffer.allocUnsafeSlow(partSize(number))
    size = await source.fill(buffer)
  }
}

/**
 * Returns the size of a part of an upload of unknown size: small first, because each part is buffered in memory, then larger,
 * so that 10,000 parts can hold 362 GiB.
 */
function partSize(number: number): number {
  if (number <= 1_000) return 5 * MiB
  return number <= 5_000 ? 16 * MiB : 64 * MiB
}

/**
 * Yields exactly `size` bytes of the source, or fails.
 * @param whole size of the object, for the message
 * @param last whether the source must end here: the last chunk is held back until it does, so that a longer file is not
 *   stored truncated
 */
async function* exactBytes(source: ByteSource, size: number, whole: number, last: boolean): AsyncGenerator<Uint8Array> {
  let left = size
  for await (const chunk of source.take(size)) {
    left -= chunk.length
    if (left === 0 && last && !(await source.ended())) throw wrongSize(whole)
    yield chunk
  }
  if (left > 0 || (size === 0 && !(await source.ended()))) throw wrongSize(whole)
}

function wrongSize(size: number): HttpError {
  return new HttpError(400, reason('size-differs'), {
    detail: reason('size-announced', { size }),
    field: 'size',
  })
}
