import type { Logger } from 'pino'
import type { Engine, UploadInfo } from '../engine/interface/types.ts'

type UploadEngine = Pick<Engine, 'listBuckets' | 'listUploads' | 'abortUpload'>

/** Maximum delay of a Node timer. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** Aborts multipart uploads that were not completed. */
export class StaleUploads {
  readonly #engine: UploadEngine
  readonly #log: Logger
  readonly #now: () => number
  #expiryMs = 0
  #intervalMs = 0
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #stopped = false

  constructor(engine: UploadEngine, log: Logger, now: () => number = Date.now) {
    this.#engine = engine
    this.#log = log
    this.#now = now
  }

  /** @param options.expiryMs age at which an upload is aborted; 0: never */
  configure({ expiryMs, intervalMs }: { expiryMs: number; intervalMs: number }): void {
    this.#expiryMs = expiryMs
    this.#intervalMs = intervalMs
    clearTimeout(this.#timer)
    this.#plan()
  }

  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#timer)
    await this.#running
  }

  /** Checks all uploads once. @returns the number of aborted ones */
  async sweep(): Promise<number> {
    let removed = 0
    for (const { name } of this.#engine.listBuckets()) {
      for (const { key, uploadId } of this.#staleIn(name)) {
        if (this.#stopped) return removed
        // The upload may have been completed meanwhile, or the bucket deleted.
        await this.#engine.abortUpload({ bucket: name, key, uploadId }).then(
          () => removed++,
          (error: unknown) => this.#log.debug({ err: error, bucket: name }, 'an unfinished upload was not removed'),
        )
      }
    }
    if (removed > 0) this.#log.info({ removed }, 'unfinished uploads were removed')
    return removed
  }

  #staleIn(bucket: string): UploadInfo[] {
    if (this.#expiryMs === 0) return []
    const before = this.#now() - this.#expiryMs
    const stale: UploadInfo[] = []
    let next: { key: string; uploadId?: string } | undefined = { key: '' }
    while (next) {
      const { key, uploadId }: { key: string; uploadId?: string } = next
      const page = this.#engine.listUploads(bucket, {
        prefix: '',
        delimiter: '',
        after: key,
        limit: 1000,
        ...(uploadId === undefined ? {} : { uploadMarker: uploadId }),
      })
      for (const entry of page.entries) {
        if ('upload' in entry && entry.upload.startedAt <= before) stale.push(entry.upload)
      }
      next = page.next
    }
    return stale
  }

  #plan(): void {
    if (this.#stopped || this.#expiryMs === 0 || this.#intervalMs === 0) return
    this.#timer = setTimeout(
      () => {
        this.#running = this.sweep()
          .catch((error: unknown) => this.#log.error({ err: error }, 'looking for unfinished uploads failed'))
          .then(() => this.#plan())
      },
      Math.min(this.#intervalMs, MAX_TIMER_MS),
    ).unref()
  }
}
