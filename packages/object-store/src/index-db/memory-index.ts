import { stripChecksum } from './entry-checksum.ts'
import {
  type IndexBatch,
  type IndexEntry,
  type IndexPosition,
  type OrderedIndex,
  START_POSITION,
} from './ordered-index.ts'

/** An in-memory index with the same results as `LmdbIndex`, for tests of code that uses one. */
export class MemoryIndex implements OrderedIndex {
  readonly #entries = new Map<string, { key: Buffer; sealed: Buffer }>()
  /** Keys as latin1 text: its order is the order of the bytes. */
  #sorted: string[] | undefined = []
  #position = START_POSITION

  get(key: Uint8Array): Buffer | undefined {
    const entry = this.#entries.get(Buffer.from(key).toString('latin1'))
    return entry && Buffer.from(stripChecksum(key, entry.sealed))
  }

  *range(start: Uint8Array, end: Uint8Array, options: { reverse?: boolean } = {}): Generator<IndexEntry> {
    this.#sorted ??= [...this.#entries.keys()].sort((a, b) => (a < b ? -1 : 1))
    const from = Buffer.from(start).toString('latin1')
    const to = Buffer.from(end).toString('latin1')
    const within = this.#sorted.filter((name) => name >= from && name < to)
    for (const name of options.reverse ? within.reverse() : within) {
      const entry = this.#entries.get(name)
      if (entry) yield { key: entry.key, value: stripChecksum(entry.key, entry.sealed) }
    }
  }

  apply(batch: IndexBatch): Promise<void> {
    for (const { key, value } of batch.ops) {
      const name = key.toString('latin1')
      if (value) this.#entries.set(name, { key: Buffer.from(key), sealed: Buffer.from(value) })
      else this.#entries.delete(name)
    }
    this.#sorted = undefined
    this.#position = batch.position
    return Promise.resolve()
  }

  position(): IndexPosition {
    return this.#position
  }

  visibleFrame(): number {
    return this.#position.frame
  }

  flushed(): Promise<void> {
    return Promise.resolve()
  }

  close(): Promise<void> {
    return Promise.resolve()
  }
}
