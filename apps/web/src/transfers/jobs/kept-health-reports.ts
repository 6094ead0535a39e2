import type { HealthReport } from '@stowage/contract'
import type { HealthReportTask } from '../list/types.ts'

/** The reports of jobs that are done, as long as these are in the tray. */
const reports = new WeakMap<HealthReportTask, HealthReport>()

export function keepHealthReport(task: HealthReportTask, report: HealthReport): void {
  reports.set(task, report)
}

export const keptHealthReport = (task: HealthReportTask): HealthReport | undefined => reports.get(task)
