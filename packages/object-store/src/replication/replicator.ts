import type { Logger } from 'pino'
import type { Engine, ObjectInfo, ReplicationTask } from '../engine/interface/types.ts'
import { type AbortableWait, abortableWait } from '../lib/abortable-wait.ts'
import type { RemoteEgress } from './remote-bucket.ts'
import { RemoteTargetStore, type StoredRemoteTarget } from './remote-target-store.ts'
import { type RemoteTargetState, ReplicationWorker } from './replication-worker.ts'

export interface ReplicatorOptions {
  engine: Engine
  log: Logger
  /** Connects to the targets. Without it nothing is sent. */
  egress?: (() => Promise<RemoteEgress>) | undefined
  /** For tests. */
  wait?: AbortableWait
  now?: () => number
}

/** A write to a synchronous target is answered after this time at the latest. */
const SYNC_TIMEOUT_MS = 10_000

/** Sends the versions of buckets to their remote targets, with one worker per target. */
export class Replicator {
  readonly targets: RemoteTargetStore
  readonly #workers = new Map<string, ReplicationWorker>()
  readonly #settings = new Map<string, string>()
  readonly #waiters = new Set<(change: ReplicationTask) => void>()
  readonly #unsubscribe: () => void
  #applying: Promise<void> = Promise.resolve()
  #stopped = false

  constructor(private readonly options: ReplicatorOptions) {
    this.targets = new RemoteTargetStore(options.engine)
    this.#unsubscribe = options.engine.subscribe((change) => {
      // After the commit whose listeners are being called.
      if (change.type === 'bucket-delete') void this.applyTargets()
      if (change.bucket === undefined) return
      for (const worker of this.#workers.values()) if (worker.target.sourceBucket === change.bucket) worker.wake()
    })
    void this.applyTargets()
  }

  get egress(): () => Promise<RemoteEgress> {
    return this.options.egress ?? (() => Promise.reject(new TypeError('this store sends nothing')))
  }

  /** Creates workers of new and changed targets, ends those of removed ones, and removes the targets of deleted buckets. */
  applyTargets(): Promise<void> {
    this.#applying = this.#applying.then(() => this.#sweep()).then(() => this.#apply())
    return this.#applying
  }

  targetState({ id }: StoredRemoteTarget): RemoteTargetState | undefined {
    return this.#workers.get(id)?.state
  }

  /** Makes the targets of a bucket check for waiting changes. */
  wake(bucket: string): void {
    for (const worker of this.#workers.values()) if (worker.target.sourceBucket === bucket) worker.wake()
  }

  /** Resolves when the synchronous targets of a version have it, or after a timeout. */
  async waitForSyncTargets(bucket: string, { key, versionId, replication }: ObjectInfo): Promise<void> {
    if (!replication) return
    const open = new Set(
      this.targets
        .list(bucket)
        .filter(({ id, sync }) => sync && replication.targets[id] === 'PENDING')
        .map(({ id }) => id),
    )
    if (open.size === 0 || [...open].every((id) => this.#workers.get(id)?.state.online === false)) return
    await new Promise<void>((resolve) => {
      const isOpen = () => {
        try {
          const { info } = this.options.engine.getObject(bucket, key, versionId)
          return [...open].some((id) => info.replication?.targets[id] === 'PENDING')
        } catch {
          // The version was deleted meanwhile.
          return false
        }
      }
      const done = () => {
        clearTimeout(timer)
        this.#waiters.delete(look)
        resolve()
      }
      const look = (change: ReplicationTask) => {
        if (change.key === key && change.versionId === versionId && !isOpen()) done()
      }
      const timer = setTimeout(done, SYNC_TIMEOUT_MS)
      this.#waiters.add(look)
      // It may have been sent before this listener was added.
      if (!isOpen()) done()
    })
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#unsubscribe()
    await this.#applying
    await Promise.all([...this.#workers.values()].map((worker) => worker.stop()))
  }

  async #sweep(): Promise<void> {
    if (this.#stopped) return
    try {
      await this.targets.removeOrphans()
    } catch (error) {
      this.options.log.warn(
        { err: error },
        'the targets of a deleted bucket could not be removed; it will be tried again',
      )
    }
  }

  async #apply(): Promise<void> {
    const { engine, egress, log, wait = abortableWait, now = Date.now } = this.options
    if (!egress || this.#stopped) return
    const wanted = new Map(this.targets.list().map((target) => [target.id, target]))
    for (const [id, worker] of this.#workers) {
      const target = wanted.get(id)
      if (target && this.#settings.get(id) === JSON.stringify(target)) continue
      this.#workers.delete(id)
      await worker.stop()
    }
    const onSettled = (change: ReplicationTask) => {
      for (const look of this.#waiters) look(change)
    }
    for (const [id, target] of wanted) {
      if (this.#workers.has(id)) continue
      this.#settings.set(id, JSON.stringify(target))
      this.#workers.set(id, new ReplicationWorker(target, { engine, egress, log, wait, now, onSettled }))
    }
  }
}
