import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Engine, ObjectInfo } from '../engine/interface/types.ts'
import { type AbortableWait, abortableWait } from '../lib/abortable-wait.ts'
import { S3Error } from '../lib/errors.ts'

const COLLECTION = 'restores'
/** Pause between attempts while the tier is unreachable; doubles up to an hour. */
const RETRY_MS = 60_000
const MAX_RETRY_MS = 60 * 60_000

interface TierRestore {
  bucket: string
  key: string
  versionId: string
  /** When the copy expires, ms since 1970. */
  until: number
}

interface TierRestoresOptions {
  engine: Pick<Engine, 'clock' | 'listDocuments' | 'putDocuments' | 'restoreVersion'>
  log: Pick<Logger, 'warn'>
  wait?: AbortableWait
}

/** Restores copies of versions from tiers. Each restore is recorded before it is answered, and continues after a restart. */
export class TierRestores {
  readonly #running = new Map<string, Promise<void>>()
  readonly #stopping = new AbortController()

  constructor(private readonly options: TierRestoresOptions) {}

  /** Continues restores that a restart has interrupted. */
  start(): void {
    for (const { name, value } of this.options.engine.listDocuments(COLLECTION)) {
      this.#run(name, JSON.parse(value) as TierRestore)
    }
  }

  has(info: Pick<ObjectInfo, 'bucket' | 'key' | 'versionId'>): boolean {
    return this.#running.has(restoreKey(info))
  }

  /** Resolves when the restore is recorded; it then runs in the background. */
  async begin(restore: TierRestore): Promise<void> {
    const name = randomUUID()
    // Further requests meanwhile are answered that it is running.
    const noted = this.options.engine.putDocuments([{ collection: COLLECTION, name, value: JSON.stringify(restore) }])
    this.#run(name, restore, noted)
    await noted
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await Promise.all(this.#running.values())
  }

  #run(name: string, restore: TierRestore, noted?: Promise<void>): void {
    const running = this.#restore(name, restore, noted)
      .catch((error: unknown) => this.options.log.warn({ err: error, ...restore }, 'an object could not be restored'))
      .finally(() => this.#running.delete(restoreKey(restore)))
    this.#running.set(restoreKey(restore), running)
  }

  async #restore(name: string, { until, ...object }: TierRestore, noted?: Promise<void>): Promise<void> {
    const { engine, log, wait = abortableWait } = this.options
    const { signal } = this.#stopping
    await noted
    for (
      let waitMs = RETRY_MS;
      !signal.aborted && engine.clock.now() < until;
      waitMs = Math.min(2 * waitMs, MAX_RETRY_MS)
    ) {
      try {
        await engine.restoreVersion(object, until)
        break
      } catch (error) {
        // The version was deleted, or is already stored here: there is nothing to restore.
        if (error instanceof S3Error && error.status < 500 && error.status !== 429) break
        log.warn({ err: error, ...object }, 'an object could not be restored; it will be tried again')
        await wait(waitMs, signal).catch(() => undefined)
      }
    }
    if (signal.aborted) return
    await engine.putDocuments([{ collection: COLLECTION, name, value: undefined }])
  }
}

function restoreKey({ bucket, key, versionId }: Pick<ObjectInfo, 'bucket' | 'key' | 'versionId'>): string {
  return `${bucket}\0${key}\0${versionId}`
}
