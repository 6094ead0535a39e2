import type { JobLine, Operation } from '@stowage/contract'
import { acceptLines, readAnswerLines } from '../console/answer-lines.ts'
import type { TestCaller } from '../console/caller.ts'

export type JobReport = Extract<JobLine, { done: true }>

/** Runs a job to its end. @returns all lines; the last one is the report, unless the job stopped */
export async function jobLines(caller: TestCaller, job: Operation, bucket: string, body: object): Promise<JobLine[]> {
  return await readAnswerLines<JobLine>(await caller.send(job, { params: { bucket }, body } as never, acceptLines))
}

/** Runs a job to its end and returns its report. */
export async function jobReport(caller: TestCaller, job: Operation, bucket: string, body: object): Promise<JobReport> {
  const lines = await jobLines(caller, job, bucket, body)
  const report = lines.at(-1)
  if (!report || !('done' in report)) throw new Error(`No report: ${JSON.stringify(lines)}`)
  return report
}
