import { MULTIPART_THRESHOLD } from '@stowage/contract'
import { RateMeter } from '../list/transfer-rate.ts'
import type { FileUpload, UploadState } from '../list/types.ts'
import { type MultipartState, uploadedBytes } from './multipart-upload.ts'
import { partSizeFor } from './part-sizes.ts'
import type { ResumeRecord } from './resume-records.ts'
import { isFormSafeKey } from './upload-api.ts'

/** A file and the key to upload it to. */
export interface PickedFile {
  file: File
  key: string
}

/** Files that were chosen together. One message reports the result of all. */
export interface UploadBatch {
  /** The number of files that have not ended yet. */
  open: number
  stored: number
  failed: number
}

/** A file that does not match any upload that waits for its file, and why. */
export interface UnmatchedFile {
  file: File
  why: 'name' | 'size' | 'date'
}

/** The internal state of an upload. The displayed list is derived from it and never read back. */
export interface UploadTask {
  id: string
  state: UploadState
  /** Bytes in completed parts, at the last progress event. */
  kept: number
  owner: string
  bucket: string
  key: string
  name: string
  size: number
  lastModified: number
  contentType: string
  /** Undefined after a reload, until the user chooses the file again. */
  file?: File
  /** Undefined if the file is uploaded as a form. */
  parted?: MultipartState
  /** Whether the user allowed replacing an existing object, or there was none when the upload began. */
  cleared: boolean
  /** Whether the user allowed replacing an existing object. */
  replace: boolean
  batch: UploadBatch
  /** Cancels the requests that run for it. */
  control?: AbortController
  /** Identifies the latest check for an existing object; results of earlier checks are ignored. */
  check?: object
  meter: RateMeter
}

export const newUploadBatch = (): UploadBatch => ({ open: 0, stored: 0, failed: 0 })

export function newUploadTask(
  owner: string,
  bucket: string,
  { file, key }: PickedFile,
  batch: UploadBatch,
): UploadTask {
  const { name, size, lastModified, type: contentType } = file
  const inParts = size > MULTIPART_THRESHOLD || !isFormSafeKey(key)
  return {
    id: randomId(),
    state: 'checking',
    kept: 0,
    owner,
    bucket,
    key,
    name,
    size,
    lastModified,
    contentType,
    file,
    ...(inParts && {
      parted: {
        bucket,
        key,
        contentType,
        replace: false,
        partSize: partSizeFor(size),
        arrived: new Map(),
        known: true,
      },
    }),
    cleared: false,
    replace: false,
    batch,
    meter: new RateMeter(),
  }
}

/** Restores an upload after a reload. The check for an existing object was done before it started. */
export function restoreUploadTask({ uploadId, partSize, ...record }: ResumeRecord, batch: UploadBatch): UploadTask {
  const { bucket, key, contentType, replace = false } = record
  return {
    ...record,
    state: 'needs-file',
    parted: { bucket, key, contentType, replace, partSize, uploadId, arrived: new Map(), known: false },
    cleared: true,
    replace,
    batch,
    meter: new RateMeter(),
  }
}

/** Returns the record to store for a task; undefined before its multipart upload has started. */
export function resumeRecord(task: UploadTask): ResumeRecord | undefined {
  const { id, owner, bucket, key, name, size, lastModified, contentType, replace, parted } = task
  if (parted?.uploadId === undefined) return undefined
  const { uploadId, partSize } = parted
  const kept = uploadedBytes(parted, size)
  return { id, owner, bucket, key, uploadId, partSize, name, size, lastModified, contentType, replace, kept }
}

/** Returns the initial display state of a task. */
export function displayedUpload({ id, owner, bucket, key, size, lastModified, state, kept }: UploadTask): FileUpload {
  return { kind: 'upload', id, owner, bucket, key, size, lastModified, state, sent: kept, kept, rate: 0 }
}

/** Returns why no waiting upload accepts this file. */
export function mismatchReason(waiting: readonly UploadTask[], file: File): UnmatchedFile['why'] {
  const named = waiting.filter((task) => task.name === file.name)
  if (named.length === 0) return 'name'
  return named.some((task) => task.size === file.size) ? 'date' : 'size'
}

/** Reports whether a file is the one of the task, judged by name, size and modification time. */
export function isSameFile(task: UploadTask, file: File): boolean {
  return task.name === file.name && task.size === file.size && task.lastModified === file.lastModified
}

/** Returns a random ID. Not `randomUUID`, which browsers provide over HTTPS only. */
export function randomId(): string {
  return crypto.getRandomValues(new Uint32Array(3)).join('-')
}
