import { lastSegment } from '../../lib/text/last-segment.ts'
import type { Job, Transfer } from '../list/types.ts'

/** Returns the IDs of transfers that have the same name as another one; these are shown with bucket and folder. */
export function idsWithSameName(list: readonly Transfer[]): ReadonlySet<string> {
  const first = new Map<string, string>()
  const namesakes = new Set<string>()
  for (const transfer of list) {
    const { id, kind } = transfer
    const name = `${kind} ${kind === 'upload' ? lastSegment(transfer.key) : jobName(transfer)}`
    const other = first.get(name)
    if (other === undefined) first.set(name, id)
    else namesakes.add(other).add(id)
  }
  return namesakes
}

function jobName({ task, bucket }: Job): string {
  switch (task.type) {
    case 'delete':
      return `${task.type} ${task.paths[0] ?? bucket}`
    case 'copyObjects':
      return `${task.type} ${task.body.entries[0]?.from}`
    case 'changeObjects':
      return `${task.type} ${task.body.paths[0]}`
    case 'restoreFolder':
      return `${task.type} ${task.body.prefix}`
    case 'undeleteObjects':
    case 'exportLogs':
    case 'healthReport':
      return `${task.type} ${bucket}`
  }
}
