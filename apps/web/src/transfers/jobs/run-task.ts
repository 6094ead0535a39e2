import type { DeleteLine, JobLine } from '@stowage/contract'
import { callLines } from '../../lib/api/api.ts'
import type { HealthReportTask, JobTask } from '../list/types.ts'
import { exportLogs } from './export-logs.ts'

/** Makes the call of a job. */
export function runTask(
  bucket: string,
  task: JobTask,
  cursor: string | undefined,
  signal: AbortSignal,
): AsyncIterable<JobLine> {
  if (task.type === 'exportLogs') return exportLogs(task.query, signal)
  if (task.type === 'healthReport') return healthReport(task, signal)
  const params = { bucket }
  if (task.type === 'delete') return toJobLines(deletePaths(bucket, task.paths, cursor, signal))
  const more = { ...(cursor === undefined ? {} : { cursor }) }
  switch (task.type) {
    case 'copyObjects':
      return callLines('copyObjects', { params, body: { ...task.body, ...more }, signal })
    case 'changeObjects':
      return callLines('changeObjects', {
        params,
        body: { ...task.body, paths: [...task.body.paths], ...more },
        signal,
      })
    case 'restoreFolder':
      return callLines('restoreFolder', { params, body: { ...task.body, ...more }, signal })
    case 'undeleteObjects':
      return callLines('undeleteObjects', {
        params,
        body: { ...task.body, paths: [...task.body.paths], ...more },
        signal,
      })
  }
}

async function* healthReport(task: HealthReportTask, signal: AbortSignal): AsyncGenerator<JobLine> {
  const { readHealthReport } = await import('./health-report.ts')
  yield* readHealthReport(task, signal)
}

function deletePaths(
  bucket: string,
  paths: readonly string[],
  cursor: string | undefined,
  signal: AbortSignal,
): AsyncIterable<DeleteLine> {
  const more = cursor === undefined ? {} : { cursor }
  if (paths.length === 0) return callLines('emptyBucket', { params: { bucket }, body: { ...more }, signal })
  const body = paths.map((path) => ({ path, recursive: path.endsWith('/') }))
  return callLines('deleteObjects', { params: { bucket }, query: { ...more }, body, signal })
}

async function* toJobLines(lines: AsyncIterable<DeleteLine>): AsyncGenerator<JobLine> {
  for await (const { deleted, ...line } of lines) yield { ...line, count: deleted, skipped: 0, bytes: 0 }
}
