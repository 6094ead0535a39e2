import { S3Error } from '../errors.ts'
import { isIndexKey, MAX_KEY_BYTES } from '../index-db/bounds.ts'
import type { IndexReader } from '../index-db/mirror.ts'
import { seal, unseal } from '../index-db/seal.ts'
import type { Entry, Op } from '../index-db/types.ts'
import { Overlay } from './overlay.ts'
import type { Change } from './types.ts'

/** A change, without the number and time that the commit assigns. */
export type ChangeNote = Omit<Change, 'seq' | 'time'>

/**
 * A state change being decided: reads see previously committed changes, acknowledged or not, and its own writes. Runs without
 * interruption, so transactions need no locks. If it throws, all its writes are discarded.
 */
export class Transaction implements IndexReader {
  readonly overlay = new Overlay()
  readonly changes: ChangeNote[] = []
  /** Something was left for the collector. */
  garbage = false

  constructor(
    private readonly index: IndexReader,
    /** Commits before this one that the index does not show yet, newest first. */
    private readonly pending: readonly Overlay[],
    private readonly nextId: () => number,
  ) {}

  get(key: Buffer): Buffer | undefined {
    const op = this.#pendingOp(key.toString('latin1'))
    if (op) return op.value && unseal(key, op.value)
    return this.index.get(key)
  }

  /** The overlays' entries and the index's, merged. */
  *range(start: Buffer, end: Buffer, options: { reverse?: boolean } = {}): Generator<Entry> {
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

  /** @throws S3Error InvalidArgument for a key that no index takes: nothing may reach the journal that it could not hold */
  put(key: Buffer, value: Uint8Array): void {
    checkKey(key)
    this.overlay.set(key.toString('latin1'), { key, value: seal(key, value) })
  }

  /** @throws S3Error InvalidArgument as `put` */
  remove(key: Buffer): void {
    checkKey(key)
    this.overlay.set(key.toString('latin1'), { key, value: undefined })
  }

  /** Notes what happened, for the feed. */
  note(change: ChangeNote): void {
    this.changes.push(change)
  }

  /** A number never given before: it orders versions and names what needs a unique key. */
  id(): number {
    return this.nextId()
  }

  #pendingOp(name: string): Op | undefined {
    const own = this.overlay.get(name)
    if (own) return own
    for (const overlay of this.pending) {
      const op = overlay.get(name)
      if (op) return op
    }
    return undefined
  }

  *#changed(name: string): Generator<Entry> {
    const op = this.#pendingOp(name)
    if (op?.value) yield { key: op.key, value: unseal(op.key, op.value) }
  }
}

function checkKey(key: Buffer): void {
  if (isIndexKey(key)) return
  throw new S3Error(
    'InvalidArgument',
    `A name is too long: with its bucket or collection it may have at most ${MAX_KEY_BYTES} bytes.`,
  )
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
