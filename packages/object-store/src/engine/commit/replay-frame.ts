import { entryChecksum, storedChecksum } from '../../index-db/entry-checksum.ts'
import { isIndexKey } from '../../index-db/key-bounds.ts'
import { addToSum, type IndexOp, type IndexPosition, type OrderedIndex } from '../../index-db/ordered-index.ts'
import type { JournalFrame } from '../../journal/journal-frame.ts'

import type { EngineLog } from '../interface/types.ts'

/** Number of bytes of a key that are logged. */
const SHOWN_BYTES = 100

/**
 * Removes the operations with keys that the index cannot store. Early versions wrote such keys to the journal, failed to apply
 * them and could not start again. Such changes were never acknowledged.
 */
export function withoutUnusableOps(frame: JournalFrame, log: EngineLog): JournalFrame {
  const ops = frame.ops.filter(({ key }) => isIndexKey(key))
  if (ops.length === frame.ops.length) return frame
  for (const { key } of frame.ops) {
    if (isIndexKey(key)) continue
    log.error(
      { frame: frame.position.frame, keyBytes: key.length, key: key.toString('utf8', 0, SHOWN_BYTES) },
      'a record of the journal has a key that is too long for the index; it is skipped',
    )
  }
  return { ...frame, ops }
}

/**
 * Applies a frame of the journal. Recomputes the entry counters: if operations were left out, those in this and later frames
 * are wrong.
 */
export async function replayFrame(index: OrderedIndex, { position, ops }: JournalFrame): Promise<void> {
  await index.apply({ ops, position: { ...position, ...countersAfter(index, ops) } })
}

function countersAfter(index: OrderedIndex, ops: readonly IndexOp[]): Pick<IndexPosition, 'count' | 'sum'> {
  let { count, sum } = index.position()
  for (const { key, value } of ops) {
    const old = index.get(key)
    if (old) {
      count--
      sum = addToSum(sum, entryChecksum(key, old), -1)
    }
    if (value) {
      count++
      sum = addToSum(sum, storedChecksum(value), 1)
    }
  }
  return { count, sum }
}
