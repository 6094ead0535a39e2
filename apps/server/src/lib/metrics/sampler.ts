import { createMadmin } from '@stowage/madmin'
import type { Credentials } from '@stowage/sigv4'
import type { Logger } from 'pino'
import { TOOL_AGENT } from '../audit/audit-record.ts'
import type { Upstream } from '../storage/upstream.ts'
import { History, type HistoryOptions } from './history.ts'
import type { Identity } from './identity.ts'
import { ScrapeRefused } from './scrape.ts'
import type { Sample } from './text-format.ts'

export interface SamplerOptions {
  upstream: Upstream
  identity: Identity
  /** Reads what is to be kept. */
  read: (credentials: Credentials, signal: AbortSignal) => Promise<Sample[]>
  /** Of a deployment; what the server tells of itself may be its name. */
  folderOf: (deployment: string) => string
  levels: HistoryOptions['levels']
  /** Seconds between samples. */
  interval: number
  maxBytes: number
  log: Logger
}

const SAVE_MS = 60_000
/** A gap is more than this many intervals between two samples. */
const GAP = 2.5

/** Samples the storage server after it is started, and stores the samples. */
export class Sampler {
  readonly #stop = new AbortController()
  #history: History | undefined
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()
  #savedAt = 0
  /** When the next sample is due, ms of `performance`. */
  #dueAt = 0
  #failed = false

  constructor(private readonly options: SamplerOptions) {}

  /** Undefined until the first sample. */
  get history(): History | undefined {
    return this.#history
  }

  /** Seconds until the next sample. */
  get nextIn(): number {
    return Math.max(0, this.#dueAt - performance.now()) / 1000
  }

  start(): void {
    this.#running = this.#sample().finally(() => {
      if (this.#stop.signal.aborted) return
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

  async stop(): Promise<void> {
    this.#stop.abort()
    clearTimeout(this.#timer)
    await this.#running
    await this.#history?.save()
  }

  async #sample(): Promise<void> {
    const { identity, log } = this.options
    try {
      const credentials = await identity.current()
      if (!credentials) return
      const time = Date.now() / 1000
      const { signal } = this.#stop
      const samples = await this.options.read(credentials, signal)
      this.#history ??= await this.#open(await this.#deployment(credentials))
      this.#history.append(time, samples)
      this.#failed = false
      await this.#save()
    } catch (error) {
      if (this.#stop.signal.aborted) return
      if (error instanceof ScrapeRefused) identity.refused()
      // Log it once, because sampling is retried again and again.
      if (!this.#failed) log.warn({ err: error }, 'the metrics of the storage server cannot be sampled')
      this.#failed = true
    }
  }

  async #save(): Promise<void> {
    if (Date.now() - this.#savedAt < SAVE_MS) return
    this.#savedAt = Date.now()
    await this.#history?.save()
  }

  async #deployment(credentials: Credentials): Promise<string> {
    const { deploymentID } = await samplerClient(this.options.upstream, credentials).serverInfo({
      signal: this.#stop.signal,
    })
    // A server may tell anything, and this becomes a name in the file system.
    return /^[\w-]{1,64}$/.test(deploymentID) ? deploymentID : 'server'
  }

  async #open(deployment: string): Promise<History> {
    const { folderOf, levels, interval, maxBytes, log } = this.options
    const history = new History({ folder: folderOf(deployment), levels, maxBytes, gap: interval * GAP, log })
    await history.open()
    return history
  }
}

/** The admin calls of what samples; the audit search hides them by their agent. */
export function samplerClient(upstream: Upstream, credentials: Credentials) {
  return createMadmin({
    endpoint: upstream.origin,
    credentials,
    dispatcher: upstream.dispatcher,
    headers: { 'user-agent': TOOL_AGENT },
  })
}
