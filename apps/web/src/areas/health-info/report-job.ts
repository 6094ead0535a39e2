import type { HealthReportTask, Job, Transfer } from '../../transfers/list/types.ts'
import { useTransferSession } from '../../transfers/transfer-session.ts'
import { transferOwner } from '../../transfers/transfers.ts'
import { useTransfers } from '../../transfers/tray/use-transfers.ts'

type ReportJob = Job & { task: HealthReportTask }

const isReport = (transfer: Transfer): transfer is ReportJob =>
  transfer.kind === 'job' && transfer.task.type === 'healthReport'

/** Returns the latest diagnostic report of this user, which may still be collected. */
export function useReportJob(): ReportJob | undefined {
  const session = useTransferSession()
  const { list } = useTransfers(session && transferOwner(session))
  return list.filter(isReport).at(-1)
}
