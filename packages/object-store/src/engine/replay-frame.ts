import { isIndexKey } from '../index-db/bounds.ts'
import { sealOf, sumOf } from '../index-db/seal.ts'
import { addToSum, type Op, type OrderedIndex, type Position } from '../index-db/types.ts'
import type { Frame } from '../journal/frame.ts'
import type { Log } from './core.ts'

/** Bytes of a key that the log shows. */
const SHOWN_BYTES = 100

/**
 * A frame without the operations that no index can take. Early versions journalled such keys, failed to enter them in the
 * index and could not start again; such a change was never acknowledged.
 */
export function withoutUnusableOps(frame: Frame, log: Log): Frame {
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
 * Applies a frame of the journal. Entries are counted again: if operations were left out, the counters in this frame and later
 * ones differ from those of the index.
 */
export async function replayFrame(index: OrderedIndex, { position, ops }: Frame): Promise<void> {
  await index.apply({ ops, position: { ...position, ...countedWith(index, ops) } })
}

function countedWith(index: OrderedIndex, ops: readonly Op[]): Pick<Position, 'count' | 'sum'> {
  let { count, sum } = index.position()
  for (const { key, value } of ops) {
    const old = index.get(key)
    if (old) {
      count--
      sum = addToSum(sum, sumOf(key, old), -1)
    }
    if (value) {
      count++
      sum = addToSum(sum, sealOf(value), 1)
    }
  }
  return { count, sum }
}
