import { openTransferRecords, type TransferRecords } from '../list/transfer-records.ts'
import type { JobCounts, JobTask } from '../list/types.ts'

/** The stored state of a job, so that it can continue after a reload. */
export interface JobRecord extends JobCounts {
  id: string
  owner: string
  bucket: string
  task: JobTask
  /** The position to continue from; undefined at the start. The counts include the objects before it. */
  cursor: string | undefined
}

export type JobRecords = TransferRecords<JobRecord>

export const openJobRecords = (): JobRecords => openTransferRecords<JobRecord>('jobs')
