import type { Input, SearchLine } from '@stowage/contract'
import { type ApiFailure, asFailure } from '../../../lib/api/api-failure.ts'
import { createStore } from '../../../lib/store.ts'
import type { FolderEntry } from '../entries/folder-entries.ts'

export type SearchQuery = Omit<NonNullable<Input<'searchObjects'>['query']>, 'limit' | 'continuation' | 'encoding'>

export interface SearchState {
  state: 'idle' | 'running' | 'stopped' | 'done' | 'failed'
  rows: readonly FolderEntry[]
  /** The number of objects examined so far. */
  scanned: number
  /** The number of objects whose tags could not be read. */
  unreadable: number
  /** Where to continue, if the search paused because of the number of results, or failed. */
  next: string | undefined
  error: ApiFailure | undefined
}

type SendSearch = (query: SearchQuery & { continuation?: string }, signal: AbortSignal) => AsyncIterable<SearchLine>

const NOTHING: SearchState = {
  state: 'idle',
  rows: [],
  scanned: 0,
  unreadable: 0,
  next: undefined,
  error: undefined,
}
/** The minimum interval between updates of the results (ms). */
const SHOW_EVERY = 200

/** Runs one search at a time. Results are added as they arrive; `stop` also ends the search on the server. */
export class SearchRun {
  readonly state = createStore(NOTHING)
  #control: AbortController | undefined
  #query: SearchQuery = {}

  constructor(
    private readonly send: SendSearch,
    private readonly now: () => number = Date.now,
  ) {}

  /** Starts a new search and stops the previous one. */
  start(query: SearchQuery): Promise<void> {
    this.#query = query
    return this.#run(undefined, NOTHING)
  }

  /** Continues the search after the current results. */
  more(): Promise<void> {
    const before = this.state.get()
    return before.next === undefined ? Promise.resolve() : this.#run(before.next, before)
  }

  stop(): void {
    this.#control?.abort()
    this.state.set((now) => (now.state === 'running' ? { ...now, state: 'stopped' } : now))
  }

  /** Removes objects that are deleted, or will be soon. */
  remove(keys: readonly string[]): void {
    const gone = new Set(keys)
    this.state.set((now) => ({ ...now, rows: now.rows.filter(({ key }) => !gone.has(key)) }))
  }

  async #run(continuation: string | undefined, before: SearchState): Promise<void> {
    this.#control?.abort()
    const control = new AbortController()
    this.#control = control
    const show = (fields: Partial<SearchState>) => {
      if (this.#control === control && !control.signal.aborted) this.state.set((now) => ({ ...now, ...fields }))
    }
    this.state.set({ ...before, state: 'running', next: undefined, error: undefined })
    let scanned = before.scanned
    let next = continuation
    const rows: FolderEntry[] = [...before.rows]
    let shownAt = this.now()
    try {
      const query = { ...this.#query, ...(continuation === undefined ? {} : { continuation }) }
      let ended = false
      for await (const line of this.send(query, control.signal)) {
        scanned = before.scanned + line.scanned
        if ('done' in line) {
          ended = true
          show({ state: 'done', next: line.next, unreadable: before.unreadable + line.unreadable })
          continue
        }
        next = line.next
        for (const item of line.items)
          rows.push({
            key: item.name,
            name: item.name,
            folder: false,
            size: item.size,
            modified: item.last_modified,
            etag: item.etag ?? '',
            order: rows.length,
          })
        if (this.now() - shownAt < SHOW_EVERY) continue
        shownAt = this.now()
        show({ rows: [...rows], scanned })
      }
      // A response without the final report was interrupted, whatever its status.
      if (!ended) throw new Error('The connection ended before the whole bucket was searched')
      show({ rows, scanned })
    } catch (error) {
      // Continues after the last page that arrived.
      show({ state: 'failed', rows, scanned, next, error: asFailure(error) })
    }
  }
}
