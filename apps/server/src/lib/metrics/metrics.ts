import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import type { Upstream } from '../storage/upstream.ts'
import { readBucketUsage } from './bucket-usage.ts'
import { evaluate, type Range, type Result } from './evaluate.ts'
import type { History } from './history.ts'
import { fixedIdentity, type Identity, KeptIdentity } from './identity.ts'
import { BUCKET_LEVELS, LEVELS } from './levels.ts'
import { Prometheus } from './prometheus.ts'
import { Sampler, samplerClient } from './sampler.ts'
import { samplesOfInfo, scrape } from './scrape.ts'
import type { WidgetDefinition } from './widgets.ts'

interface MetricsParts {
  upstream: Upstream
  /** Identity for the embedded store. */
  embedded: Identity | undefined
  sealing: ConstructorParameters<typeof KeptIdentity>[2]
  log: Logger
}

/** A widget's values, or the reason why there are none. */
export interface WidgetValues {
  results: Result[][]
  empty: 'not-reported' | 'not-in-range' | 'too-new' | undefined
  /** With `too-new`: seconds until there are values. */
  wait?: number
}

/** Usage of buckets is sampled every 5 minutes, or so many times less often than the widgets' metrics if that is sooner. */
const BUCKETS_INTERVAL = 300
const BUCKETS_EVERY = 20
/** How much of the space of all histories that of the buckets may take. */
const BUCKETS_SHARE = 0.25

/** Where the widgets have their values from: Prometheus where one is set, else our own history. Buckets have ours always. */
export class Metrics {
  readonly #prometheus: Prometheus | undefined
  readonly #kept: KeptIdentity | undefined
  readonly #sampler: Sampler | undefined
  readonly #buckets: Sampler
  readonly #identity: Identity
  /** Seconds between samples. */
  readonly #interval: number

  constructor({ metrics, data }: Pick<Config, 'metrics' | 'data'>, { upstream, embedded, sealing, log }: MetricsParts) {
    const folder = join(data, 'metrics')
    const given = embedded ?? (metrics.service && fixedIdentity(metrics.service))
    this.#kept = given ? undefined : new KeptIdentity(folder, upstream.origin, sealing)
    this.#identity = given ?? (this.#kept as KeptIdentity)
    this.#prometheus = metrics.prometheus && new Prometheus(metrics.prometheus)
    const { interval, maxBytes } = metrics
    this.#interval = interval
    const parts = { upstream, identity: this.#identity, log }
    this.#buckets = new Sampler({
      ...parts,
      read: (credentials, signal) => readBucketUsage(upstream, credentials, signal),
      folderOf: (deployment) => join(folder, deployment, 'buckets'),
      levels: BUCKET_LEVELS,
      interval: Math.min(BUCKETS_INTERVAL, interval * BUCKETS_EVERY),
      maxBytes: maxBytes * BUCKETS_SHARE,
    })
    if (this.#prometheus) return
    this.#sampler = new Sampler({
      ...parts,
      read: async (credentials, signal) => {
        const samples = await scrape(upstream, credentials, signal)
        if (samples.length > 0) return samples
        return samplesOfInfo(await samplerClient(upstream, credentials).serverInfo({ signal }))
      },
      folderOf: (deployment) => join(folder, deployment),
      levels: LEVELS,
      interval,
      maxBytes: maxBytes * (1 - BUCKETS_SHARE),
    })
  }

  start(): void {
    this.#sampler?.start()
    this.#buckets.start()
  }

  async stop(): Promise<void> {
    await Promise.all([this.#sampler?.stop(), this.#buckets.stop(), this.#prometheus?.close()])
  }

  /** Returns the source; `kept`: the history, with a service account stored by `keep`. */
  async source(): Promise<'prometheus' | 'history' | 'kept' | 'none'> {
    if (this.#prometheus) return 'prometheus'
    if (!this.#kept) return 'history'
    return (await this.#kept.current()) ? 'kept' : 'none'
  }

  /** Whether there are credentials for sampling the usage of buckets. */
  async keepsBuckets(): Promise<boolean> {
    return !this.#kept || (await this.#kept.current()) !== undefined
  }

  /** Of the usage of buckets; undefined until the first sample. */
  get buckets(): History | undefined {
    return this.#buckets.history
  }

  /** Undefined without a source. @throws HttpError when Prometheus fails */
  async widget({ targets }: WidgetDefinition, range: Range, signal: AbortSignal): Promise<WidgetValues | undefined> {
    const prometheus = this.#prometheus
    if (prometheus) {
      const results = await Promise.all(targets.map((target) => prometheus.evaluate(target, range, signal)))
      if (results.every(isEmpty)) await prometheus.checkJob(signal)
      return { results, empty: undefined }
    }
    if ((await this.source()) === 'none') return undefined
    const history = this.#sampler?.history
    const results = history
      ? await Promise.all(targets.map((target) => evaluate(target, history, range)))
      : targets.map(() => [])
    if (!results.every(isEmpty)) return { results, empty: undefined }
    if (history && !targets.some(({ from }) => history.has(from[0].metric))) return { results, empty: 'not-reported' }
    // A rate needs two samples.
    const missing = 2 - (history?.samples ?? 0)
    if (missing <= 0 || range.end < Date.now() / 1000 - this.#interval) return { results, empty: 'not-in-range' }
    const next = this.#sampler?.nextIn ?? 0
    return { results, empty: 'too-new', wait: Math.ceil(next + (missing - 1) * this.#interval) }
  }

  /** Starts sampling with this key. */
  async keep(key: { accessKey: string; secretKey: string }): Promise<void> {
    await this.#kept?.keep(key)
    await Promise.all([this.#sampler?.sampleNow(), this.#buckets.sampleNow()])
  }

  /** Ends the sampling started by `keep`. @returns the access key that is no longer needed */
  async end(): Promise<string | undefined> {
    const key = await this.#kept?.current()
    await this.#kept?.forget()
    return key?.accessKey
  }
}

const isEmpty = (results: readonly Result[]) => results.length === 0
