import { isDiskFull } from '../drives/durable-files.ts'
import { DamagedEntry } from './entry-checksum.ts'
import { DamagedIndexFile } from './lmdb-page.ts'
import type { IndexBatch, IndexEntry, OrderedIndex } from './ordered-index.ts'

/** Reads an index: implemented by the index itself, a transaction over it, and a mirror of it. */
export interface IndexReader {
  /** @throws DamagedEntry */
  get(key: Uint8Array): Buffer | undefined
  range(start: Uint8Array, end: Uint8Array, options?: { reverse?: boolean }): Iterable<IndexEntry>
}

/** A copy of the index, and the slot of its drive. */
export interface IndexCopy {
  slot: number
  index: OrderedIndex
}

/** lmdb's codes for pages that are not what they must be: not found, corrupted, panic, another version, no lmdb file. */
const DAMAGE_CODES = new Set([-30797, -30796, -30795, -30794, -30793])

/** Whether an error shows that a copy is damaged or its disk fails: a checksum, a broken page, an error of the system. */
function provesDamage(error: unknown): boolean {
  if (error instanceof DamagedEntry || error instanceof DamagedIndexFile) return true
  if (!(error instanceof Error && 'code' in error)) return false
  const { code } = error
  return typeof code === 'number' ? code > 0 || DAMAGE_CODES.has(code) : /^E[A-Z]+$/.test(String(code))
}

/** Copies of one index on different drives: changes are applied to all, reads use the first copy with a valid answer. */
export class IndexMirror implements IndexReader {
  #copies: readonly IndexCopy[]

  constructor(
    copies: IndexCopy[],
    /** Called when a copy turns out damaged or cannot be written; it is left out from then on if another is there. */
    private readonly onLost: (copy: IndexCopy, error: unknown) => void,
  ) {
    this.#copies = copies
  }

  get copies(): readonly IndexCopy[] {
    return this.#copies
  }

  get(key: Uint8Array): Buffer | undefined {
    return this.#read((index) => index.get(key))
  }

  *range(start: Uint8Array, end: Uint8Array, options: { reverse?: boolean } = {}): Generator<IndexEntry> {
    let [from, to] = [start, end]
    for (;;) {
      const copy = this.#first()
      try {
        for (const entry of copy.index.range(from, to, options)) {
          yield entry
          if (options.reverse) to = entry.key
          else from = Buffer.concat([entry.key, Buffer.from([0])])
        }
        return
      } catch (error) {
        // The next copy continues after the last entry returned.
        this.#lose(copy, error)
      }
    }
  }

  /**
   * Reads an entry that somebody asked for by name: that it is absent is believed only when the other copies lack it too.
   * @throws DamagedEntry
   */
  getFromAllCopies(key: Uint8Array): Buffer | undefined {
    const value = this.get(key)
    if (value !== undefined) return value
    const [first, ...others] = this.#copies
    for (const other of others) {
      const found = this.#tryGet(other, key)
      // While a batch is being applied, one copy may show more than the other.
      if (!first || found === undefined || other.index.visibleFrame() !== first.index.visibleFrame()) continue
      this.#lose(first, new DamagedEntry(key))
      return found
    }
    return undefined
  }

  /**
   * Reads an entry that must be there: where the first copy lacks it, the others are asked.
   * @throws DamagedEntry when no copy of the index has it
   */
  require(key: Uint8Array): Buffer {
    return this.#read((index) => {
      const value = index.get(key)
      if (value === undefined) throw new DamagedEntry(key)
      return value
    })
  }

  /**
   * Resolves when every copy that is left shows the batch. A copy without room for it is not lost: the same batch may be
   * tried again, and goes to the copies that lack it.
   * @throws when no copy took it, or one has no room
   */
  async apply(batch: IndexBatch): Promise<void> {
    const behind = this.#copies.filter(({ index }) => index.position().frame !== batch.position.frame)
    const results = await Promise.allSettled(behind.map(({ index }) => index.apply(batch)))
    const failures = behind.flatMap((copy, i) => {
      const result = results[i]
      return result?.status === 'rejected' ? [{ copy, error: result.reason as unknown }] : []
    })
    // A copy that failed where another one succeeded is behind, whatever the reason.
    const othersShowIt = failures.length < this.#copies.length
    for (const { copy, error } of failures) {
      if (isDiskFull(error)) continue
      if (othersShowIt) this.#giveUp(copy, error)
      else this.#lose(copy, error)
    }
    const full = failures.find(({ error }) => isDiskFull(error))
    if (full) throw full.error
  }

  async flushed(): Promise<void> {
    await Promise.all(this.#copies.map(({ index }) => index.flushed()))
  }

  /** Takes a copy that has applied everything that the others have. */
  add(copy: IndexCopy): void {
    this.#copies = [...this.#copies, copy]
  }

  /** Leaves a copy out; the caller closes it. */
  remove(slot: number): IndexCopy | undefined {
    const copy = this.#copies.find((candidate) => candidate.slot === slot)
    this.#copies = this.#copies.filter((candidate) => candidate.slot !== slot)
    return copy
  }

  /** Puts another index in the place of a copy; it shows the same. */
  replace(slot: number, index: OrderedIndex): void {
    this.#copies = this.#copies.map((copy) => (copy.slot === slot ? { slot, index } : copy))
  }

  #tryGet(copy: IndexCopy, key: Uint8Array): Buffer | undefined {
    try {
      return copy.index.get(key)
    } catch (error) {
      this.#lose(copy, error)
      return undefined
    }
  }

  #read<T>(read: (index: OrderedIndex) => T): T {
    for (;;) {
      const copy = this.#first()
      try {
        return read(copy.index)
      } catch (error) {
        this.#lose(copy, error)
      }
    }
  }

  #first(): IndexCopy {
    const [first] = this.#copies
    if (!first) throw new Error('no copy of the index is left')
    return first
  }

  /**
   * Leaves a copy out that failed, if the error proves that the copy is at fault.
   * @throws any other error: the next copy would answer the same, and a request could make the store give up all of them
   */
  #lose(copy: IndexCopy, error: unknown): void {
    if (!this.#copies.includes(copy)) return
    if (!provesDamage(error)) throw error
    this.#giveUp(copy, error)
  }

  /** The last copy stays, damaged or not: most of it can still be read. */
  #giveUp(copy: IndexCopy, error: unknown): void {
    if (this.#copies.length === 1) throw error
    this.remove(copy.slot)
    this.onLost(copy, error)
  }
}
