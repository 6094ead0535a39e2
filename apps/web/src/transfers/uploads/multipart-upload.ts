import type { UploadPart } from '@stowage/contract'
import { ApiFailure } from '../../lib/api/api-failure.ts'
import type { TransferRequestLimit } from '../list/request-limit.ts'
import { partCount, partRange } from './part-sizes.ts'
import { type RetryDelay, withRetries } from './retry.ts'
import type { MultipartTarget, UploadApi } from './upload-api.ts'

/** The number of parts of one file that are uploaded in parallel. */
const WORKERS = 4

/** The state of a multipart upload. It is kept during pauses and after failures. */
export interface MultipartState {
  bucket: string
  key: string
  contentType: string
  /** Whether the user allowed replacing an existing object. */
  replace: boolean
  /** Bytes. */
  partSize: number
  /** Undefined until the server has created the upload. */
  uploadId?: string
  /** ETags of the uploaded parts, by part number. */
  arrived: Map<number, string>
  /** Whether `arrived` is complete. False after a reload or a failure: the parts are then listed from the server. */
  known: boolean
}

export interface MultipartDeps {
  api: UploadApi
  limit: TransferRequestLimit
  wait: RetryDelay
  /** Called with the number of bytes sent, including parts in progress, and the number of bytes in completed parts. */
  onProgress: (sent: number, kept: number) => void
  /** Called when the server has returned an upload ID. */
  onCreated: () => void
}

/**
 * Sends the missing parts and completes the upload. If the server no longer has the upload, it is restarted once.
 * @throws ApiFailure, or the signal's reason
 */
export async function uploadInParts(
  upload: MultipartState,
  file: Blob,
  deps: MultipartDeps,
  signal: AbortSignal,
): Promise<void> {
  try {
    await attemptUpload(upload, file, deps, signal)
  } catch (error) {
    const gone =
      error instanceof ApiFailure &&
      (error.code === 'NoSuchUpload' || (await isUploadGone(error, upload, deps, signal)))
    if (!gone) throw error
    if (await isObjectStored(upload, file, deps, signal)) return
    delete upload.uploadId
    upload.arrived.clear()
    await attemptUpload(upload, file, deps, signal)
  }
}

async function attemptUpload(
  upload: MultipartState,
  file: Blob,
  deps: MultipartDeps,
  signal: AbortSignal,
): Promise<void> {
  const { api, limit, wait } = deps
  const { bucket, key } = upload
  const inSlot = <T>(work: () => Promise<T>) => withRetries(signal, wait, () => limit(signal, work))
  if (upload.uploadId === undefined) {
    upload.uploadId = await inSlot(() => api.create(bucket, key, upload.contentType, signal))
    upload.known = true
    deps.onCreated()
  }
  const target = { bucket, key, uploadId: upload.uploadId }
  if (!upload.known) {
    upload.arrived = keepCompleteParts(await inSlot(() => api.listParts(target, signal)), upload, file.size)
    upload.known = true
  }
  await sendMissingParts(upload, file, target, deps, signal)
  const parts = [...upload.arrived].map(([part, etag]) => ({ part, etag })).toSorted((a, b) => a.part - b.part)
  await inSlot(() => api.complete(target, parts, { replace: upload.replace, signal }))
}

async function sendMissingParts(
  upload: MultipartState,
  file: Blob,
  target: MultipartTarget,
  { api, limit, wait, onProgress }: MultipartDeps,
  outer: AbortSignal,
): Promise<void> {
  const count = partCount(file.size, upload.partSize)
  const onTheWay = new Map<number, number>()
  let kept = uploadedBytes(upload, file.size)
  let next = 1

  const tell = () => {
    onProgress(
      [...onTheWay.values()].reduce((sum, bytes) => sum + bytes, kept),
      kept,
    )
  }
  // If one part finally fails, no other part is started or retried. Parts in progress may complete, so that Retry has less to
  // send.
  const others = new AbortController()
  const signal = AbortSignal.any([outer, others.signal])

  const worker = async () => {
    for (let part = next++; part <= count; part = next++) {
      if (upload.arrived.has(part)) continue
      const { start, end } = partRange(part, file.size, upload.partSize)
      const send = () =>
        api.sendPart(target, part, file.slice(start, end), {
          signal: outer,
          onProgress: (sent) => {
            onTheWay.set(part, sent)
            tell()
          },
        })
      try {
        upload.arrived.set(part, await withRetries(signal, wait, () => limit(signal, send)))
        kept += end - start
      } finally {
        onTheWay.delete(part)
        tell()
      }
    }
  }

  tell()
  const workers = Array.from({ length: WORKERS }, () =>
    worker().catch((error: unknown) => {
      others.abort(error)
      throw error
    }),
  )
  // Wait for all workers, so that no request is still running when this returns. The first failure is reported.
  await Promise.allSettled(workers)
  outer.throwIfAborted()
  others.signal.throwIfAborted()
}

/** Returns the listed parts that have the expected size; a part of another size is sent again. */
function keepCompleteParts(
  parts: readonly UploadPart[],
  { partSize }: MultipartState,
  size: number,
): Map<number, string> {
  const count = partCount(size, partSize)
  const whole = parts.filter(({ part, size: bytes }) => {
    const { start, end } = partRange(part, size, partSize)
    return part <= count && bytes === end - start
  })
  return new Map(whole.map(({ part, etag }) => [part, etag]))
}

/** Returns the number of bytes in uploaded parts. */
export function uploadedBytes({ arrived, partSize }: MultipartState, size: number): number {
  let bytes = 0
  for (const part of arrived.keys()) {
    const { start, end } = partRange(part, size, partSize)
    bytes += end - start
  }
  return bytes
}

/**
 * Reports whether a refusal to replace an object means that an earlier attempt, whose response was lost, has created it: then
 * the upload no longer exists.
 */
async function isUploadGone(
  { status }: ApiFailure,
  { bucket, key, uploadId }: MultipartState,
  { api }: MultipartDeps,
  signal: AbortSignal,
): Promise<boolean> {
  if (status !== 412 || uploadId === undefined) return false
  return await api.listParts({ bucket, key, uploadId }, signal).then(
    () => false,
    (error: unknown) => error instanceof ApiFailure && error.code === 'NoSuchUpload',
  )
}

/**
 * Reports whether the object was created after all. If the response to the completing call is lost, a second attempt finds no
 * upload, because the first one succeeded. The ETag of the object then ends with the number of parts.
 */
async function isObjectStored(
  upload: MultipartState,
  file: Blob,
  { api }: MultipartDeps,
  signal: AbortSignal,
): Promise<boolean> {
  const count = partCount(file.size, upload.partSize)
  if (upload.arrived.size < count) return false
  const { objects } = await api.listAfter(upload.bucket, upload.key, '', 1, signal)
  const [object] = objects
  return (
    object?.name === upload.key &&
    object.size === file.size &&
    object.etag?.replaceAll('"', '').endsWith(`-${count}`) === true
  )
}
