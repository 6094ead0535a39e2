import type { Input, ObjectChanges } from '@stowage/contract'
import type { ApiFailure } from '../../lib/failure.ts'

/**
 * - `checking`: asks whether the bucket has an object of this name already
 * - `asking`: it has, and a person must say what becomes of it
 * - `waiting`: for its turn
 * - `held`: for its user to sign in again
 * - `needs-file`: started before a reload; continues when the file is chosen again
 */
export type UploadState =
  | 'checking'
  | 'asking'
  | 'waiting'
  | 'running'
  | 'paused'
  | 'held'
  | 'needs-file'
  | 'failed'
  | 'done'

/** One file on its way into a bucket, as it is shown. Never changed in place. */
export interface Upload {
  kind: 'upload'
  id: string
  /** The user and server that it belongs to. */
  owner: string
  bucket: string
  /** The whole key of the object to be. */
  key: string
  /** Bytes. */
  size: number
  /** Of the file, in milliseconds since 1970. */
  lastModified: number
  state: UploadState
  /** Bytes that have arrived or are on their way. */
  sent: number
  /** Bytes in parts that have arrived: what Retry does not send again. */
  kept: number
  /** Bytes a second, over the last few seconds. */
  rate: number
  /** The object that has the key already, while `asking`. */
  there?: { size: number; lastModified: string }
  /** Of the last try. */
  error?: ApiFailure | undefined
  /** It failed in a way that may pass, and is tried again by itself: why, and when (milliseconds since 1970). */
  retry?: { error: ApiFailure; at: number } | undefined
}

export type JobState = 'running' | 'held' | 'failed' | 'done'

type CopyBody = Omit<Input<'copyObjects'>['body'], 'dry_run' | 'cursor'>

/** What a job does, as it is kept in the browser: a deletion, or a call of the contract with its body. */
export type JobTask =
  /** Keys; one that ends with a slash is a folder with all below it. None: the whole bucket. */
  | { type: 'delete'; paths: readonly string[] }
  | { type: 'copyObjects'; body: CopyBody }
  | { type: 'changeObjects'; body: { paths: readonly string[]; changes: ObjectChanges } }
  | { type: 'restoreFolder'; body: { prefix: string; date: string } }
  | { type: 'undeleteObjects'; body: { paths: readonly string[]; since: string } }

/** Objects of a job so far. */
export interface JobSums {
  /** Deleted or otherwise changed. */
  count: number
  /** Left as they are. */
  skipped: number
  failed: number
}

/** A task that runs on the server while its call is open. Never changed in place. */
export interface Job extends JobSums {
  kind: 'job'
  id: string
  owner: string
  bucket: string
  task: JobTask
  state: JobState
  /** The first failures, by path. */
  errors: readonly { path: string; message: string }[]
  /** Of a deletion that has ended: when it began, by the clock of the storage server. It can be undone where versions are kept. */
  since?: string | undefined
  /** Of the last try. */
  error?: ApiFailure | undefined
}

export type Transfer = Upload | Job
