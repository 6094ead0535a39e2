import { openRecords, type Records } from './transfer-db.ts'
import type { JobSums, JobTask } from './types.ts'

/** What lets a job continue after a reload. */
export interface JobRecord extends JobSums {
  id: string
  owner: string
  bucket: string
  task: JobTask
  /** Where it continues; undefined at its beginning. The sums are those of the objects before. */
  cursor: string | undefined
}

export type JobRecords = Records<JobRecord>

export const openJobRecords = (): JobRecords => openRecords<JobRecord>('jobs')
