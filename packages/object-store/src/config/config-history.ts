import { randomUUID } from 'node:crypto'
import type { Engine } from '../engine/interface/types.ts'
import { S3Error } from '../lib/errors.ts'

/** The state of targets after a change, as text without secrets. */
export interface ConfigChangeEntry {
  readonly id: string
  /** ms since 1970. */
  readonly at: number
  readonly data: string
  /** The user of the access key that made the change. */
  readonly user: string
}

const COLLECTION = 'config-history'
/** Maximum number of entries; a new one replaces the oldest. */
const MAX_ENTRIES = 1000

/** The changes of the configuration, oldest first. */
export class ConfigHistory {
  readonly #documents: Pick<Engine, 'listDocuments' | 'putDocuments'>
  readonly #now: () => number
  #entries: ConfigChangeEntry[] = []

  constructor(documents: Pick<Engine, 'listDocuments' | 'putDocuments'>, now: () => number) {
    this.#documents = documents
    this.#now = now
    this.reload()
  }

  reload(): void {
    this.#entries = this.#documents
      .listDocuments(COLLECTION)
      // Only `entryDocuments` below writes it.
      .map(({ name, value }) => ({ id: name, ...(JSON.parse(value) as Omit<ConfigChangeEntry, 'id'>) }))
      .sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))
  }

  list(): ConfigChangeEntry[] {
    return this.#entries
  }

  /** @throws S3Error XMinioConfigNotFoundError */
  require(id: string): ConfigChangeEntry {
    const found = this.#entries.find((entry) => entry.id === id)
    if (!found) throw new S3Error('XMinioConfigNotFoundError', `There is no entry ${id.slice(0, 64)} in the history.`)
    return found
  }

  /** Returns the document changes for a new entry. */
  entryDocuments(data: string, user: string): { collection: string; name: string; value: string | undefined }[] {
    // Entries of the same millisecond keep their order.
    const at = Math.max(this.#now(), (this.#entries.at(-1)?.at ?? 0) + 1)
    const removed = this.#entries.slice(0, Math.max(0, this.#entries.length - MAX_ENTRIES + 1))
    return [
      ...removed.map(({ id }) => ({ collection: COLLECTION, name: id, value: undefined })),
      { collection: COLLECTION, name: randomUUID(), value: JSON.stringify({ at, data, user }) },
    ]
  }

  /** Deletes one entry, or all with `all`. @throws S3Error XMinioConfigNotFoundError */
  async clear(id: string): Promise<void> {
    const removed = id === 'all' ? this.#entries : [this.require(id)]
    if (removed.length === 0) return
    await this.#documents.putDocuments(
      removed.map((entry) => ({ collection: COLLECTION, name: entry.id, value: undefined })),
    )
    this.reload()
  }
}
