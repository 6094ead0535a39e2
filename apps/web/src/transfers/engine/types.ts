import type { ApiFailure } from '../../lib/failure.ts'

/**
 * - `checking`: asks whether the bucket has an object of this name already
 * - `asking`: it has, and a person must say what becomes of it
 * - `waiting`: for its turn
 * - `held`: for its user to sign in again
 * - `needs-file`: begun before the page was loaded anew; goes on when the file is chosen again
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
}

export type JobState = 'running' | 'held' | 'failed' | 'done'

/** A deletion that runs on the server while its call is open. Never changed in place. */
export interface Job {
  kind: 'job'
  id: string
  owner: string
  bucket: string
  /** What is deleted, as keys; a key that ends with a slash is a folder with all below it. */
  paths: readonly string[]
  state: JobState
  deleted: number
  failed: number
  /** The first failures, by path. */
  errors: readonly { path: string; message: string }[]
  /** Of the last try. */
  error?: ApiFailure | undefined
}

export type Transfer = Upload | Job
