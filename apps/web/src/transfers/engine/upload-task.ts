import { MULTIPART_FROM } from '@stowage/contract'
import { fitsForm } from '../api/upload-api.ts'
import { keptBytes, type Parted } from './parted-upload.ts'
import { partSizeFor } from './parts.ts'
import { RateMeter } from './rate.ts'
import type { ResumeRecord } from './resume-records.ts'
import type { Upload, UploadState } from './types.ts'

/** A file and the key that it is to have. */
export interface Picked {
  file: File
  key: string
}

/** Files that were chosen together. One message reports the result of all. */
export interface Batch {
  /** Still on their way. */
  open: number
  stored: number
  failed: number
}

/** A file that is not the one an upload was begun with, and what is different. */
export interface Refused {
  file: File
  why: 'name' | 'size' | 'date'
}

/** What the engine holds of an upload; the list that is shown is made of it and never asked. */
export interface Task {
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
  /** Absent after a reload, until it is chosen again. */
  file?: File
  /** Absent for one that goes up as a form. */
  parted?: Parted
  /** Whether it is settled that an object of this key may be replaced. */
  cleared: boolean
  batch: Batch
  /** Of the requests that run for it. */
  control?: AbortController
  /** The look for an existing object that counts; one that was begun earlier doesn't any more. */
  check?: object
  meter: RateMeter
}

export const newBatch = (): Batch => ({ open: 0, stored: 0, failed: 0 })

export function newTask(owner: string, bucket: string, { file, key }: Picked, batch: Batch): Task {
  const { name, size, lastModified, type: contentType } = file
  const inParts = size > MULTIPART_FROM || !fitsForm(key)
  return {
    id: newId(),
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
      parted: { bucket, key, contentType, partSize: partSizeFor(size), arrived: new Map(), known: true },
    }),
    cleared: false,
    batch,
    meter: new RateMeter(),
  }
}

/** An upload of before the reload; its clash was settled when it began. */
export function taskOfRecord({ uploadId, partSize, ...record }: ResumeRecord, batch: Batch): Task {
  const { bucket, key, contentType } = record
  return {
    ...record,
    state: 'needs-file',
    parted: { bucket, key, contentType, partSize, uploadId, arrived: new Map(), known: false },
    cleared: true,
    batch,
    meter: new RateMeter(),
  }
}

/** What to keep of a task over a reload; nothing before its upload in parts has begun. */
export function recordOfTask(task: Task): ResumeRecord | undefined {
  const { id, owner, bucket, key, name, size, lastModified, contentType, parted } = task
  if (parted?.uploadId === undefined) return undefined
  const { uploadId, partSize } = parted
  const kept = keptBytes(parted, size)
  return { id, owner, bucket, key, uploadId, partSize, name, size, lastModified, contentType, kept }
}

/** How a task is shown at first. */
export function uploadOfTask({ id, owner, bucket, key, size, lastModified, state, kept }: Task): Upload {
  return { kind: 'upload', id, owner, bucket, key, size, lastModified, state, sent: kept, kept, rate: 0 }
}

/** Why no waiting upload takes this file. */
export function whyRefused(waiting: readonly Task[], file: File): Refused['why'] {
  const named = waiting.filter((task) => task.name === file.name)
  if (named.length === 0) return 'name'
  return named.some((task) => task.size === file.size) ? 'date' : 'size'
}

/** Whether it is the same file, judged by what the browser reports. */
export function isSameFile(task: Task, file: File): boolean {
  return task.name === file.name && task.size === file.size && task.lastModified === file.lastModified
}

/** Not `randomUUID`, which browsers have over HTTPS only. */
export function newId(): string {
  return crypto.getRandomValues(new Uint32Array(3)).join('-')
}
