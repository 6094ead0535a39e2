import { lastSegment } from '../../lib/text/key.ts'
import type { Transfer } from '../engine/types.ts'

/** IDs of the transfers that another one has the name of: they are told apart by bucket and folder. */
export function namesakesIn(list: readonly Transfer[]): ReadonlySet<string> {
  const first = new Map<string, string>()
  const namesakes = new Set<string>()
  for (const transfer of list) {
    const { id, kind } = transfer
    const name = `${kind} ${kind === 'upload' ? lastSegment(transfer.key) : transfer.paths[0]}`
    const other = first.get(name)
    if (other === undefined) first.set(name, id)
    else namesakes.add(other).add(id)
  }
  return namesakes
}
