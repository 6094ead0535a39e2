import { openTransferRecords, type TransferRecords } from '../list/transfer-records.ts'
import type { Job, JobCounts, JobTask } from '../list/types.ts'

/** The state of a job: the cursor to continue from, and what was done before it. */
export interface JobProgress extends JobCounts {
  /** Undefined at the start. The counts include the objects before it. */
  cursor: string | undefined
  /** The last object that is done. */
  path?: string | undefined
  /** The first of the objects that failed or were skipped. */
  errors?: Job['errors'] | undefined
  /** When a deletion started, by the clock of the storage server. */
  since?: string | undefined
}

/** The stored state of a job, so that it can continue after a reload. */
export interface JobRecord extends JobProgress {
  id: string
  owner: string
  bucket: string
  task: JobTask
}

export type JobRecords = TransferRecords<JobRecord>

export const openJobRecords = (): JobRecords => openTransferRecords<JobRecord>('jobs')
