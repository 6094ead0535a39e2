import type { Input, ObjectChanges } from '@stowage/contract'
import type { ApiFailure } from '../../lib/api/api-failure.ts'

/**
 * - `checking`: checks whether the bucket already has an object with this key
 * - `asking`: it has one, and the user must decide what to do
 * - `waiting`: waits in the queue
 * - `held`: waits until its user signs in again
 * - `needs-file`: started before a reload; continues when the user chooses the file again
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

/** An upload of one file, for display. Immutable: changes replace it. */
export interface FileUpload {
  kind: 'upload'
  id: string
  /** The user and the server that it belongs to. */
  owner: string
  bucket: string
  /** The full key of the object to create. */
  key: string
  /** Bytes. */
  size: number
  /** The modification time of the file, milliseconds since 1970. */
  lastModified: number
  state: UploadState
  /** Bytes sent, including parts in progress. */
  sent: number
  /** Bytes in completed parts, which Retry does not send again. */
  kept: number
  /** Bytes per second, over the last few seconds. */
  rate: number
  /** The existing object with this key, in state `asking`. */
  there?: { size: number; lastModified: string }
  /** The error of the last attempt. */
  error?: ApiFailure | undefined
  /** The next automatic attempt: the error that caused it, and its time (milliseconds since 1970). */
  retry?: { error: ApiFailure; at: number } | undefined
}

export type JobState = 'running' | 'held' | 'failed' | 'done'

export type LogExportQuery = NonNullable<Input<'exportLogs'>['query']>

type CopyBody = Omit<Input<'copyObjects'>['body'], 'dry_run' | 'cursor'>

/** The task of a job, as stored in the browser: a deletion, or a call of the contract with its body. */
export type JobTask =
  /** Keys; one that ends with a slash includes everything below it. An empty list means the whole bucket. */
  | { type: 'delete'; paths: readonly string[] }
  | { type: 'copyObjects'; body: CopyBody }
  | { type: 'changeObjects'; body: { paths: readonly string[]; changes: ObjectChanges } }
  | { type: 'restoreFolder'; body: { prefix: string; date: string } }
  | { type: 'undeleteObjects'; body: { paths: readonly string[]; since: string } }
  /** All audit records that match, as a file. It belongs to no bucket. */
  | { type: 'exportLogs'; query: LogExportQuery }
  | HealthReportTask

/** The report about the servers. It belongs to no bucket. */
export interface HealthReportTask {
  type: 'healthReport'
  /** Without the names of hosts, addresses and folders. */
  masked: boolean
}

/** The number of objects processed so far. */
export interface JobCounts {
  /** Deleted, otherwise changed or exported; sections of a report. */
  count: number
  /** Left unchanged. */
  skipped: number
  failed: number
}

/** A task that runs on the server while its call is open. Immutable: changes replace it. */
export interface Job extends JobCounts {
  kind: 'job'
  id: string
  owner: string
  bucket: string
  task: JobTask
  state: JobState
  /** The first failures, by path. */
  errors: readonly { path: string; message: string }[]
  /** When a finished deletion started, by the clock of the storage server. With versioning it can be undone from there. */
  since?: string | undefined
  /** The error of the last attempt. */
  error?: ApiFailure | undefined
  /** The last object that was done before that error, if the job can continue after it. */
  stoppedAfter?: string | undefined
}

export type Transfer = FileUpload | Job
