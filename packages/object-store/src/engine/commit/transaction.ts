import { appendChecksum, stripChecksum } from '../../index-db/entry-checksum.ts'
import type { IndexReader } from '../../index-db/index-mirror.ts'
import { isIndexKey, MAX_KEY_BYTES } from '../../index-db/key-bounds.ts'
import type { IndexEntry, IndexOp } from '../../index-db/ordered-index.ts'
import { S3Error } from '../../lib/errors.ts'
import type { StoreChange } from '../interface/types.ts'
import { Overlay } from './overlay.ts'

/** A change, without the number and time that the commit assigns. */
export type ChangeNote = Omit<StoreChange, 'seq' | 'time'>

/**
 * A change of state. Reads see all earlier commits, acknowledged or not, and its own writes. It runs synchronously, so
 * transactions need no locks. If it throws, its writes are discarded.
 */
export class Transaction implements IndexReader {
  readonly overlay = new Overlay()
  readonly changes: ChangeNote[] = []
  /** Whether there is new work for the collector. */
  garbage = false

  constructor(
    private readonly index: IndexReader,
    /** Earlier commits that are not applied to the index yet, newest first. */
    private readonly pending: readonly Overlay[],
    private readonly nextId: () => number,
  ) {}

  get(key: Buffer): Buffer | undefined {
    const op = this.#pendingOp(key.toString('latin1'))
    if (op) return op.value && stripChecksum(key, op.value)
    return this.index.get(key)
  }

  /** Yields the merged entries of the overlays and the index. */
  *range(start: Buffer, end: Buffer, options: { reverse?: boolean } = {}): Generator<IndexEntry> {
    const from = start.toString('latin1')
    const to = end.toString('latin1')
    const names = new Set<string>()
    for (const overlay of [this.overlay, ...this.pending]) for (const name of overlay.names(from, to)) names.add(name)
    if (names.size === 0) return yield* this.index.range(start, end, options)
    const sign = options.reverse ? -1 : 1
    const sorted = [...names].sort((a, b) => (a < b ? -sign : sign))
    let i = 0
    for (const entry of this.index.range(start, end, options)) {
      const name = entry.key.toString('latin1')
      for (; i < sorted.length && sign * compare(sorted[i] ?? '', name) < 0; i++) yield* this.#changed(sorted[i] ?? '')
      if (!names.has(name)) yield entry
    }
    for (; i < sorted.length; i++) yield* this.#changed(sorted[i] ?? '')
  }

  /** @throws S3Error InvalidArgument for a key that the index cannot store; it must not reach the journal */
  put(key: Buffer, value: Uint8Array): void {
    checkIndexKey(key)
    this.overlay.set(key.toString('latin1'), { key, value: appendChecksum(key, value) })
  }

  /** @throws S3Error InvalidArgument as `put` */
  remove(key: Buffer): void {
    checkIndexKey(key)
    this.overlay.set(key.toString('latin1'), { key, value: undefined })
  }

  /** Adds a change to the feed. */
  note(change: ChangeNote): void {
    this.changes.push(change)
  }

  /** Returns a number that was never used before. It orders versions, and makes keys unique. */
  id(): number {
    return this.nextId()
  }

  #pendingOp(name: string): IndexOp | undefined {
    const own = this.overlay.get(name)
    if (own) return own
    for (const overlay of this.pending) {
      const op = overlay.get(name)
      if (op) return op
    }
    return undefined
  }

  *#changed(name: string): Generator<IndexEntry> {
    const op = this.#pendingOp(name)
    if (op?.value) yield { key: op.key, value: stripChecksum(op.key, op.value) }
  }
}

function checkIndexKey(key: Buffer): void {
  if (isIndexKey(key)) return
  throw new S3Error(
    'InvalidArgument',
    `A name is too long: with its bucket or collection it may have at most ${MAX_KEY_BYTES} bytes.`,
  )
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
