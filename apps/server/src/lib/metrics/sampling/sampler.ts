import type { SigningCredentials } from '@stowage/sigv4'
import type { Logger } from 'pino'
import type { SamplerIdentity } from './sampler-identity.ts'
import { ScrapeRefused } from './scrape.ts'

interface SamplerOptions {
  identity: SamplerIdentity
  /** Reads the storage server and stores the sample. */
  sample: (credentials: SigningCredentials) => Promise<void>
  /** Seconds between samples. */
  interval: number
  log: Logger
}

/** Has the storage server sampled at an interval, after it is started. */
export class Sampler {
  #stopped = false
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()
  /** When the next sample is due, ms of `performance`. */
  #dueAt = 0
  #failed = false

  constructor(private readonly options: SamplerOptions) {}

  /** Seconds until the next sample. */
  get nextIn(): number {
    return Math.max(0, this.#dueAt - performance.now()) / 1000
  }

  start(): void {
    this.#running = this.#sample().finally(() => {
      if (this.#stopped) return
      const ms = this.options.interval * 1000
      this.#dueAt = performance.now() + ms
      this.#timer = setTimeout(() => this.start(), ms).unref()
    })
  }

  /** Takes a sample now, and then one per interval. */
  async sampleNow(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#running
    clearTimeout(this.#timer)
    this.start()
    await this.#running
  }

  /** Takes no more samples. A running one ends by itself. */
  stop(): void {
    this.#stopped = true
    clearTimeout(this.#timer)
  }

  async #sample(): Promise<void> {
    const { identity, log, sample } = this.options
    try {
      const credentials = await identity.current()
      if (!credentials || this.#stopped) return
      await sample(credentials)
      this.#failed = false
    } catch (error) {
      if (this.#stopped) return
      if (error instanceof ScrapeRefused) identity.refused()
      // Log it once, because sampling is retried again and again.
      if (!this.#failed) log.warn({ err: error }, 'the metrics of the storage server cannot be sampled')
      this.#failed = true
    }
  }
}
