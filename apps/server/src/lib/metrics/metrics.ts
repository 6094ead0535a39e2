import { join } from 'node:path'
import type { SigningCredentials } from '@stowage/sigv4'
import type { Logger } from 'pino'
import type { ConsoleConfig } from '../config/config.ts'
import {
  type AllBucketsUsage,
  type BucketUsageValues,
  readAllUsage,
  readBucketUsageValues,
  type SizedBucket,
} from './bucket-usage.ts'
import type { SeriesRange, SeriesResult } from './evaluate-series.ts'
import { MetricsThread } from './metrics-thread.ts'
import { Prometheus } from './prometheus.ts'
import { Sampler } from './sampling/sampler.ts'
import { createFixedIdentity, type SamplerIdentity, StoredIdentity } from './sampling/sampler-identity.ts'
import type { MetricsWidget } from './series/widget-definitions.ts'

interface MetricsParts {
  /** Origin of the storage server. */
  server: string
  /** Identity for the embedded store. */
  embedded: SamplerIdentity | undefined
  sealing: ConstructorParameters<typeof StoredIdentity>[2]
  log: Logger
}

/** A widget's values, or the reason why there are none. */
export interface WidgetValues {
  results: SeriesResult[][]
  empty: 'not-reported' | 'not-in-range' | 'too-new' | undefined
  /** With `too-new`: seconds until there are values. */
  wait?: number
}

/** The usage of buckets over time. `kept`: whether there are credentials for sampling it. */
export interface BucketMetrics {
  bucketUsage(bucket: SizedBucket, days: number): Promise<BucketUsageValues & { kept: boolean }>
  /** @param free bytes that are free; undefined if the server does not tell */
  allUsage(
    buckets: readonly SizedBucket[],
    days: number,
    free: number | undefined,
  ): Promise<AllBucketsUsage & { kept: boolean }>
}

/** Usage of buckets is sampled every 5 minutes, or so many times less often than the widgets' metrics if that is sooner. */
const BUCKETS_INTERVAL = 300
const BUCKETS_EVERY = 20
/** How much of the space of all histories that of the buckets may take. */
const BUCKETS_SHARE = 0.25

/** Where the widgets have their values from: Prometheus where one is set, else our own history. Buckets have ours always. */
export class Metrics implements BucketMetrics {
  readonly #prometheus: Prometheus | undefined
  readonly #kept: StoredIdentity | undefined
  readonly #thread: MetricsThread
  readonly #widgets: Sampler | undefined
  readonly #buckets: Sampler
  /** Seconds between samples. */
  readonly #interval: number

  constructor(
    { metrics, data, caFile }: Pick<ConsoleConfig, 'metrics' | 'data' | 'caFile'>,
    { server, embedded, sealing, log }: MetricsParts,
  ) {
    const folder = join(data, 'metrics')
    const given = embedded ?? (metrics.service && createFixedIdentity(metrics.service))
    this.#kept = given ? undefined : new StoredIdentity(folder, server, sealing)
    const identity = given ?? (this.#kept as StoredIdentity)
    this.#prometheus = metrics.prometheus && new Prometheus(metrics.prometheus)
    this.#interval = metrics.interval
    const interval = {
      widgets: metrics.interval,
      buckets: Math.min(BUCKETS_INTERVAL, metrics.interval * BUCKETS_EVERY),
    }
    const maxBytes = {
      widgets: metrics.maxBytes * (1 - BUCKETS_SHARE),
      buckets: metrics.maxBytes * BUCKETS_SHARE,
    }
    const thread = new MetricsThread({ settings: { server, caFile, folder, interval, maxBytes }, log })
    this.#thread = thread
    const createSampler = (kind: 'widgets' | 'buckets') =>
      new Sampler({
        identity,
        sample: (credentials) => thread.ask('sample', kind, credentials),
        interval: interval[kind],
        log,
      })
    this.#buckets = createSampler('buckets')
    this.#widgets = this.#prometheus ? undefined : createSampler('widgets')
  }

  start(): void {
    this.#widgets?.start()
    this.#buckets.start()
  }

  async stop(): Promise<void> {
    this.#widgets?.stop()
    this.#buckets.stop()
    await Promise.all([this.#thread.stop(), this.#prometheus?.close()])
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

  async bucketUsage(bucket: SizedBucket, days: number): ReturnType<BucketMetrics['bucketUsage']> {
    if (!(await this.keepsBuckets())) return await emptyBucketMetrics.bucketUsage(bucket, days)
    return { kept: true, ...(await this.#thread.ask('bucketUsage', bucket, days)) }
  }

  async allUsage(
    buckets: readonly SizedBucket[],
    days: number,
    free: number | undefined,
  ): ReturnType<BucketMetrics['allUsage']> {
    if (!(await this.keepsBuckets())) return await emptyBucketMetrics.allUsage(buckets, days, free)
    return { kept: true, ...(await this.#thread.ask('allUsage', buckets, days, free)) }
  }

  /** Undefined without a source. @throws HttpError when Prometheus fails */
  async widget(
    { id, targets }: MetricsWidget,
    range: SeriesRange,
    signal: AbortSignal,
  ): Promise<WidgetValues | undefined> {
    const prometheus = this.#prometheus
    if (prometheus) {
      const results = await Promise.all(targets.map((target) => prometheus.evaluate(target, range, signal)))
      if (results.every(({ length }) => length === 0)) await prometheus.checkJob(signal)
      return { results, empty: undefined }
    }
    if ((await this.source()) === 'none') return undefined
    const { results, empty, samples } = await this.#thread.ask('widget', id, range)
    // A rate needs two samples.
    const missing = 2 - samples
    if (empty !== 'not-in-range' || missing <= 0 || range.end < Date.now() / 1000 - this.#interval)
      return { results, empty }
    const next = this.#widgets?.nextIn ?? 0
    return { results, empty: 'too-new', wait: Math.ceil(next + (missing - 1) * this.#interval) }
  }

  /** Returns which of some documents of metrics a key can read. @throws network errors */
  async readableDocuments(names: readonly string[], key: SigningCredentials): Promise<string[]> {
    return await this.#thread.ask('readableDocuments', names, key)
  }

  /** Starts sampling with this key. */
  async keep(key: { accessKey: string; secretKey: string }): Promise<void> {
    await this.#kept?.keep(key)
    await Promise.all([this.#widgets?.sampleNow(), this.#buckets.sampleNow()])
  }

  /** Ends the sampling started by `keep`. @returns the access key that is no longer needed */
  async end(): Promise<string | undefined> {
    const key = await this.#kept?.current()
    await this.#kept?.forget()
    return key?.accessKey
  }
}

/** The usage of buckets where no history is kept. */
export const emptyBucketMetrics: BucketMetrics = {
  bucketUsage: async (bucket, days) => ({ kept: false, ...(await readBucketUsageValues(undefined, bucket, days)) }),
  allUsage: async (buckets, days, free) => ({ kept: false, ...(await readAllUsage(undefined, buckets, days, free)) }),
}
