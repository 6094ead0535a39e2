import { successor } from '../index-db/key-bounds.ts'
import { BackgroundTask } from './core/background-task.ts'
import type { EngineCore } from './core/engine-core.ts'
import { removeSegmentReferences } from './records/blob-references.ts'
import { indexKeys } from './records/index-keys.ts'
import { decodeBlob, decodePart, decodeVersion, encodeBlob } from './records/index-records.ts'
import { removeVersionBytes } from './versions/version-chain.ts'

/** Maximum number of entries per commit, so that the removal of a large bucket does not block other commits. */
const BATCH = 500

/** Time for a reader that has looked up an object to open its blobs before their files are deleted. */
const READER_GRACE_MS = 2000

/** Deletes what is no longer visible: files of blobs without references, contents of dropped buckets. */
export class GarbageCollector {
  readonly #task = new BackgroundTask({
    run: () => this.#run(),
    onError: (err) => this.core.log.error({ err }, 'removing what was deleted failed; it will be tried again'),
  })
  /** When blobs became garbage. Garbage found at the start is not in it: it has no readers. */
  readonly #since = new Map<string, number>()
  #first = true

  constructor(private readonly core: EngineCore) {}

  /** Starts a run; if one is in progress, another one follows it. */
  start(): void {
    this.#task.start()
  }

  stop(): Promise<void> {
    return this.#task.stop()
  }

  async #run(): Promise<void> {
    for (const bucket of this.#droppedBuckets()) await this.#empty(bucket)
    await this.#removeFiles()
  }

  #droppedBuckets(): number[] {
    const all = indexKeys.table('x')
    return Array.from(this.core.index.range(all, successor(all)), ({ key }) => key.readUIntBE(1, key.length - 1))
  }

  async #empty(bucket: number): Promise<void> {
    while (!this.#task.stopped) {
      const left = await this.core.committer.commit((tx) => {
        let done = 0
        for (const table of ['o', 'k', 'v', 'w', 'm', 'p', 'q', 'f', 'c'] as const) {
          const all = indexKeys.bucketTable(table, bucket)
          for (const { key, value } of tx.range(all, successor(all))) {
            if (done++ >= BATCH) return true
            tx.remove(key)
            if (table === 'p') removeSegmentReferences(tx, decodePart(value).segments)
            else if (table === 'o' || table === 'v') removeVersionBytes(tx, bucket, decodeVersion(value))
          }
        }
        tx.remove(indexKeys.deletedBucket(bucket))
        return false
      })
      if (!left) return
    }
  }

  /** Keeps the files of a blob that is being read for a later run, and the entries of an offline drive until it is back. */
  async #removeFiles(): Promise<void> {
    const removed = await this.#removeSome()
    this.#first = false
    if (removed.size === 0) return
    await this.core.committer.commit((tx) => {
      for (const [blob, done] of removed) {
        const key = indexKeys.garbageBlob(blob)
        const value = tx.get(key)
        if (!value) continue
        const record = decodeBlob(value)
        const left = record.slots.filter((slot) => !done.includes(slot))
        if (left.length === 0) tx.remove(key)
        else tx.put(key, encodeBlob({ ...record, slots: left }))
      }
    })
  }

  /** @returns the drives that each blob was removed from */
  async #removeSome(): Promise<Map<string, number[]>> {
    const { index, blobs } = this.core
    const all = indexKeys.table('G')
    const removed = new Map<string, number[]>()
    const due: { blob: string; slots: number[] }[] = []
    for (const { key, value } of index.range(all, successor(all))) {
      const blob = key.toString('latin1', 1)
      if (!this.#isDue(blob) || blobs.inUse(blob)) this.#task.startIn(READER_GRACE_MS / 2)
      else due.push({ blob, slots: decodeBlob(value).slots })
      if (due.length >= BATCH) {
        this.#task.start()
        break
      }
    }
    for (const { blob, slots } of due) {
      if (this.#task.stopped) break
      const done = await blobs.discard(blob, slots)
      if (done.length > 0) removed.set(blob, done)
      if (done.length === slots.length) this.#since.delete(blob)
    }
    return removed
  }

  #isDue(blob: string): boolean {
    if (this.#first) return true
    const now = performance.now()
    const since = this.#since.get(blob) ?? now
    this.#since.set(blob, since)
    return now - since >= READER_GRACE_MS
  }
}
