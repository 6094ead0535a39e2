import type { UploadPart } from '@stowage/contract'
import { ApiFailure } from '../../lib/failure.ts'
import type { PartedTarget, UploadApi } from '../api/upload-api.ts'
import { partCount, partRange } from './parts.ts'
import { type Delay, retrying } from './retry.ts'
import type { Slots } from './slots.ts'

/** Parts of one file that go up at the same time. */
const WORKERS = 4

/** What is known of an upload in parts; it outlives pauses and failures. */
export interface Parted {
  bucket: string
  key: string
  contentType: string
  /** Bytes. */
  partSize: number
  /** Absent until the server has given it. */
  uploadId?: string
  /** ETags of the parts that have arrived, by number. */
  arrived: Map<number, string>
  /** False after a reload or a failure: more parts may have arrived than are known here, so the server is asked. */
  known: boolean
}

export interface PartedDeps {
  api: UploadApi
  slots: Slots
  wait: Delay
  /** Bytes that have arrived or are on their way, and the bytes of whole parts. */
  onProgress: (sent: number, kept: number) => void
  /** The server has given an upload ID. */
  onCreated: () => void
}

/**
 * Sends the missing parts and completes the upload. If the server no longer has the upload, it is restarted once.
 * @throws ApiFailure, or the signal's reason
 */
export async function uploadInParts(upload: Parted, file: Blob, deps: PartedDeps, signal: AbortSignal): Promise<void> {
  try {
    await attempt(upload, file, deps, signal)
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.code !== 'NoSuchUpload') throw error
    if (await isStored(upload, file, deps, signal)) return
    delete upload.uploadId
    upload.arrived.clear()
    await attempt(upload, file, deps, signal)
  }
}

async function attempt(upload: Parted, file: Blob, deps: PartedDeps, signal: AbortSignal): Promise<void> {
  const { api, slots, wait } = deps
  const { bucket, key } = upload
  const inSlot = <T>(work: () => Promise<T>) => retrying(signal, wait, () => slots.use(signal, work))
  if (upload.uploadId === undefined) {
    upload.uploadId = await inSlot(() => api.create(bucket, key, upload.contentType, signal))
    upload.known = true
    deps.onCreated()
  }
  const target = { bucket, key, uploadId: upload.uploadId }
  if (!upload.known) {
    upload.arrived = wholeParts(await inSlot(() => api.listParts(target, signal)), upload, file.size)
    upload.known = true
  }
  await sendMissing(upload, file, target, deps, signal)
  const parts = [...upload.arrived].map(([part, etag]) => ({ part, etag })).toSorted((a, b) => a.part - b.part)
  await inSlot(() => api.complete(target, parts, signal))
}

async function sendMissing(
  upload: Parted,
  file: Blob,
  target: PartedTarget,
  { api, slots, wait, onProgress }: PartedDeps,
  outer: AbortSignal,
): Promise<void> {
  const count = partCount(file.size, upload.partSize)
  const onTheWay = new Map<number, number>()
  let kept = keptBytes(upload, file.size)
  let next = 1

  const tell = () => {
    onProgress(
      [...onTheWay.values()].reduce((sum, bytes) => sum + bytes, kept),
      kept,
    )
  }
  // One part that fails for good ends the upload: no other is begun or tried again. Those on their way may arrive,
  // so that Retry has less to send.
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
        upload.arrived.set(part, await retrying(signal, wait, () => slots.use(signal, send)))
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
  // Waits for all, so that no request is left running when this returns; the first failure is the one to tell.
  await Promise.allSettled(workers)
  outer.throwIfAborted()
  others.signal.throwIfAborted()
}

/** The listed parts that are what this file's parts would be; a part of another size is sent again. */
function wholeParts(parts: readonly UploadPart[], { partSize }: Parted, size: number): Map<number, string> {
  const count = partCount(size, partSize)
  const whole = parts.filter(({ part, size: bytes }) => {
    const { start, end } = partRange(part, size, partSize)
    return part <= count && bytes === end - start
  })
  return new Map(whole.map(({ part, etag }) => [part, etag]))
}

/** Bytes of the parts that have arrived. */
export function keptBytes({ arrived, partSize }: Parted, size: number): number {
  let bytes = 0
  for (const part of arrived.keys()) {
    const { start, end } = partRange(part, size, partSize)
    bytes += end - start
  }
  return bytes
}

/**
 * Whether the object is there after all: when the answer to the last call is lost, a second one finds no upload
 * because the first has made the object of it. Its ETag then ends with the number of parts.
 */
async function isStored(upload: Parted, file: Blob, { api }: PartedDeps, signal: AbortSignal): Promise<boolean> {
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
