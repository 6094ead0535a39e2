import { storageFull } from '../../drives/drive-pool.ts'
import { isDiskFull } from '../../drives/durable-files.ts'
import { entryChecksum, storedChecksum } from '../../index-db/entry-checksum.ts'
import type { IndexMirror } from '../../index-db/index-mirror.ts'
import { addToSum, type IndexOp, type IndexPosition } from '../../index-db/ordered-index.ts'
import type { StoreJournal } from '../../journal/journal.ts'
import { encodeFrame } from '../../journal/journal-frame.ts'
import { S3Error } from '../../lib/errors.ts'
import { driveProbe } from '../../lib/probe.ts'
import type { Requester, StoreChange } from '../interface/types.ts'
import { Overlay } from './overlay.ts'
import { type ChangeNote, Transaction } from './transaction.ts'

export interface CommitterOptions {
  index: IndexMirror
  journal: StoreJournal
  now: () => number
  /** The journal failed on these drives. They must be removed from the layout, durably, before the next acknowledgement. */
  onJournalFailed: (folders: string[], error: unknown) => Promise<void>
  /** Whether the drives that keep the index have free space again. */
  hasRoom: () => boolean
  /** Bytes written to every drive that keeps the journal. */
  onWritten: (bytes: number) => void
  /** Called with changes that became durable and visible, in order. */
  onChanges: (changes: StoreChange[]) => void
  /** Called when there is work for the collector. */
  onGarbage: () => void
  /** Called after a segment of the journal has been ended. */
  onRotated: () => void
}

/** Time between two attempts to write the index when its drives are full. */
const RETRY_MS = 500

/** A batch of commits that will be one frame of the journal. */
interface CommitGroup {
  overlay: Overlay
  changes: StoreChange[]
  position: IndexPosition
  garbage: boolean
  waiters: { resolve: () => void; reject: (error: unknown) => void }[]
  /** IDs of the requests that wait for it; empty while the probe is off. */
  requests: string[]
}

/**
 * Applies all changes of state. Each commit is decided when it is called, on top of all earlier ones; commits that arrive
 * while the disk is busy share the next frame. A commit resolves when its frame is synced on the drives of the journal and
 * applied to the index.
 */
export class Committer {
  readonly #options: CommitterOptions
  #gathering: CommitGroup | undefined
  /** Oldest first. */
  #inFlight: CommitGroup[] = []
  #head: IndexPosition
  #applying: Promise<void> = Promise.resolve()
  #flushing: Promise<void> | undefined
  #exclusive: (() => Promise<void>)[] = []
  /** The error that refuses all commits until the store is restarted. */
  #broken: S3Error | undefined
  /** The error that refuses commits for now: the index has no space to apply the groups that are already in the journal. */
  #stalled: S3Error | undefined
  #retry: NodeJS.Timeout | undefined
  #closed = false

  constructor(options: CommitterOptions) {
    this.#options = options
    this.#head = this.applied
  }

  /** Runs `decide` and resolves with its result when its changes are durable and visible. If it throws, nothing is changed. */
  commit<T>(decide: (tx: Transaction) => T, requester?: Requester): Promise<T> {
    const refusal = this.#broken ?? this.#stalled
    if (refusal) return Promise.reject(refusal)
    const pending = this.#pending()
    const tx = new Transaction(this.#options.index, pending, () => {
      this.#head = { ...this.#head, id: this.#head.id + 1 }
      return this.#head.id
    })
    let result: T
    try {
      result = decide(tx)
      this.#take(tx, requester)
    } catch (error) {
      return Promise.reject(error)
    }
    // A transaction without changes also waits for the commits that it may have read.
    const group = this.#gathering ?? this.#inFlight.at(-1)
    if (!group) return Promise.resolve(result)
    if (driveProbe.isOn && driveProbe.requestId !== '') group.requests.push(driveProbe.requestId)
    this.#start()
    return new Promise((resolve, reject) => {
      group.waiters.push({ resolve: () => resolve(result), reject })
    })
  }

  /** Runs `work` while no commit is in flight. New commits wait for it. */
  exclusive<T>(work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#exclusive.push(() => work().then(resolve, reject))
      this.#start()
    })
  }

  /** The position of the last decided frame. Stable only inside `exclusive`. */
  get head(): IndexPosition {
    return this.#head
  }

  /** The state that every reader sees. */
  get applied(): IndexPosition {
    const [copy] = this.#options.index.copies
    if (!copy) throw new TypeError('a committer needs an index')
    return copy.index.position()
  }

  /** Resolves when all commits so far are applied, or can only be applied by the next start. */
  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#retry)
    while (this.#flushing) await this.#flushing
    await this.#applying
  }

  #pending(): Overlay[] {
    const groups = this.#gathering ? [...this.#inFlight, this.#gathering] : this.#inFlight
    return groups.map((group) => group.overlay).reverse()
  }

  /** Adds a transaction's writes to the group being collected, and updates the counters. */
  #take(tx: Transaction, requester: Requester | undefined): void {
    const pending = this.#pending()
    let { count, sum, seq } = this.#head
    const taken: [string, IndexOp][] = []
    for (const [name, op] of tx.overlay.entries()) {
      const old = this.#sealBefore(name, op.key, pending)
      if (old === undefined && !op.value) continue
      if (old !== undefined) sum = addToSum(sum, old, -1)
      if (op.value) sum = addToSum(sum, storedChecksum(op.value), 1)
      count += (op.value ? 1 : 0) - (old === undefined ? 0 : 1)
      taken.push([name, op])
    }
    if (taken.length === 0 && tx.changes.length === 0) return
    this.#gathering ??= {
      overlay: new Overlay(),
      changes: [],
      position: this.#head,
      garbage: false,
      waiters: [],
      requests: [],
    }
    for (const [name, op] of taken) this.#gathering.overlay.set(name, op)
    this.#gathering.garbage ||= tx.garbage
    const time = this.#options.now()
    for (const note of tx.changes) this.#gathering.changes.push(numberChange(note, ++seq, time, requester))
    this.#head = { ...this.#head, count, sum, seq }
  }

  #sealBefore(name: string, key: Buffer, pending: readonly Overlay[]): number | undefined {
    for (const overlay of pending) {
      const op = overlay.get(name)
      if (op) return op.value && storedChecksum(op.value)
    }
    const value = this.#options.index.get(key)
    return value && entryChecksum(key, value)
  }

  #start(): void {
    this.#flushing ??= Promise.resolve()
      .then(() => this.#flush())
      .finally(() => {
        this.#flushing = undefined
        if (this.#gathering || this.#exclusive.length > 0) this.#start()
      })
  }

  async #flush(): Promise<void> {
    for (;;) {
      while (this.#exclusive.length > 0) {
        await this.#applying
        await this.#exclusive.shift()?.()
      }
      const group = this.#gathering
      if (!group) return
      const refusal = this.#broken ?? this.#stalled
      if (refusal) return this.#giveUp(refusal)
      this.#gathering = undefined
      this.#head = { ...this.#head, frame: this.#head.frame + 1 }
      group.position = this.#head
      this.#inFlight.push(group)
      try {
        await this.#write(group)
      } catch (error) {
        this.#inFlight.pop()
        rejectWaiters(group, error)
        this.#giveUp(error)
        return
      }
      // One group is applied while the next one is synced; meanwhile waiting ones are collected into larger frames.
      const previous = this.#applying
      this.#applying = previous.then(() => this.#apply(group))
      await previous
    }
  }

  async #write(group: CommitGroup): Promise<void> {
    const { journal, onJournalFailed, onRotated, onWritten } = this.#options
    const report = async (failed: { folder: string; error: unknown }[]) => {
      if (failed.length === 0) return
      const folders = failed.map(({ folder }) => folder)
      try {
        await onJournalFailed(folders, failed[0]?.error)
      } catch (error) {
        // The layout still names those drives, so a later start could use their outdated state.
        this.#broken ??= new S3Error('InternalError', 'the layout cannot be written; restart the store', {
          cause: error,
        })
        throw this.#broken
      }
    }
    const { frame, seq } = group.position
    if (journal.full) {
      await report(await journal.rotate(journal.folders, frame, seq - group.changes.length).catch(throwJournalError))
      onRotated()
    }
    if (journal.folders.length === 0) throw new S3Error('InternalError', 'no drive can write the journal')
    const { overlay, changes, position, requests } = group
    const frameBytes = encodeFrame({ position, ops: overlay.ops, changes })
    onWritten(frameBytes.length)
    await report(await journal.append(frameBytes, requests).catch(throwJournalError))
  }

  async #apply(group: CommitGroup): Promise<void> {
    const refusal = this.#broken ?? this.#stalled ?? (await this.#show(group))
    // The group stays in flight: it is in the journal, so it is applied when there is space, or at the next start.
    if (refusal) rejectWaiters(group, refusal)
  }

  /** Makes a group visible. @returns the error if that failed */
  async #show(group: CommitGroup): Promise<S3Error | undefined> {
    try {
      const apply = () => this.#options.index.apply({ ops: group.overlay.ops, position: group.position })
      if (driveProbe.isOn) await driveProbe.measure('storage', 'storage.ApplyIndex', 'index', apply, group.requests)
      else await apply()
    } catch (error) {
      if (isDiskFull(error)) {
        this.#stalled = storageFull(error)
        this.#catchUpLater()
        return this.#stalled
      }
      // It is in the journal but not in the index. Only a restart can repair that.
      this.#broken ??= new S3Error('InternalError', 'the index cannot be written; restart the store', { cause: error })
      return this.#broken
    }
    this.#inFlight = this.#inFlight.filter((other) => other !== group)
    this.#options.onChanges(group.changes)
    if (group.garbage) this.#options.onGarbage()
    for (const waiter of group.waiters) waiter.resolve()
    return undefined
  }

  /** Retries later to apply the journal to the index. Until then no commit is possible. */
  #catchUpLater(): void {
    if (this.#closed) return
    this.#retry = setTimeout(() => {
      // Each failed attempt makes LMDB print lines to standard error.
      if (!this.#options.hasRoom()) return this.#catchUpLater()
      void this.exclusive(async () => {
        this.#stalled = undefined
        for (const group of [...this.#inFlight]) if (await this.#show(group)) return
      })
    }, RETRY_MS).unref()
  }

  /** Discards the collected group and all later ones, which depend on it. */
  #giveUp(error: unknown): void {
    const gathered = this.#gathering
    this.#gathering = undefined
    // Numbers that were given out are not reused; everything else returns to the state before the group.
    this.#head = { ...(this.#inFlight.at(-1)?.position ?? this.applied), id: this.#head.id }
    if (gathered) rejectWaiters(gathered, error)
  }
}

function rejectWaiters(group: CommitGroup, error: unknown): void {
  for (const waiter of group.waiters.splice(0)) waiter.reject(error)
}

function numberChange(note: ChangeNote, seq: number, time: number, requester: Requester | undefined): StoreChange {
  return { ...note, seq, time, ...(requester && { requester }) }
}

function throwJournalError(error: unknown): never {
  throw isDiskFull(error)
    ? storageFull(error)
    : new S3Error('InternalError', 'no drive could write the journal', { cause: error })
}
