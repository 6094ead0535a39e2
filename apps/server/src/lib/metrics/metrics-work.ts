import { join } from 'node:path'
import type { SigningCredentials } from '@stowage/sigv4'
import { openUpstream, type Upstream } from '../storage/upstream.ts'
import {
  type AllBucketsUsage,
  type BucketUsageValues,
  readAllUsage,
  readBucketUsageValues,
  type SizedBucket,
  sampleBucketUsage,
} from './bucket-usage.ts'
import { evaluateTarget, type SeriesRange, type SeriesResult } from './evaluate-series.ts'
import { type HistoryOptions, MetricsHistory } from './history/history.ts'
import { BUCKET_LEVELS, WIDGET_LEVELS } from './history/levels.ts'
import { createSamplerClient } from './sampling/sampler-client.ts'
import { canReadDocument, infoSamples, scrapeMetrics } from './sampling/scrape.ts'
import type { MetricSample } from './series/text-format.ts'
import { widgetById } from './series/widget-definitions.ts'

/** The history of the widgets, and that of the usage of buckets. */
export type HistoryKind = 'widgets' | 'buckets'

export interface MetricsWorkSettings {
  /** Origin of the storage server. */
  server: string
  /** PEM file with additional certificate authorities. */
  caFile: string | undefined
  /** Folder of the histories of all deployments. */
  folder: string
  /** Seconds between samples. */
  interval: Readonly<Record<HistoryKind, number>>
  /** Of all files of a history. */
  maxBytes: Readonly<Record<HistoryKind, number>>
}

/** The values of a widget in the history, or the reason why it has no values. */
export interface HistoryValues {
  results: SeriesResult[][]
  empty: 'not-reported' | 'not-in-range' | undefined
  /** Number of samples since the worker started. */
  samples: number
}

const SAVE_MS = 60_000
/** A gap is more than this many intervals between two samples. */
const GAP = 2.5

/** Samples the storage server, stores the samples, and reads them: everything that the worker thread does. */
export class MetricsWork {
  readonly #upstream: Upstream
  readonly #stop = new AbortController()
  readonly #histories = new Map<HistoryKind, MetricsHistory>()
  readonly #savedAt = new Map<HistoryKind, number>()

  constructor(
    private readonly settings: MetricsWorkSettings,
    private readonly log: HistoryOptions['log'],
  ) {
    this.#upstream = openUpstream(new URL(settings.server), settings.caFile)
  }

  /** Stores a sample of the storage server. @throws ScrapeRefused; network errors */
  async sample(kind: HistoryKind, credentials: SigningCredentials): Promise<void> {
    const time = Date.now() / 1000
    const samples = await this.#read(kind, credentials)
    const history = await this.#openHistory(kind, credentials)
    history.append(time, samples)
    if (Date.now() - (this.#savedAt.get(kind) ?? 0) < SAVE_MS) return
    this.#savedAt.set(kind, Date.now())
    await history.save()
  }

  /** Returns which of some documents of metrics a key can read. Servers of 2021 do not have all. @throws network errors */
  async readableDocuments(names: readonly string[], credentials: SigningCredentials): Promise<string[]> {
    const found = await Promise.all(
      names.map(async (name) => await canReadDocument(this.#upstream, name, credentials, this.#stop.signal)),
    )
    return names.filter((_, i) => found[i])
  }

  async widget(id: number, range: SeriesRange): Promise<HistoryValues> {
    const targets = widgetById.get(id)?.targets ?? []
    const history = this.#histories.get('widgets')
    if (!history) return { results: targets.map(() => []), empty: 'not-in-range', samples: 0 }
    const { samples } = history
    const results = await Promise.all(targets.map((target) => evaluateTarget(target, history, range)))
    if (results.some((each) => each.length > 0)) return { results, empty: undefined, samples }
    const reported = targets.some(({ from }) => history.has(from[0].metric))
    return { results, empty: reported ? 'not-in-range' : 'not-reported', samples }
  }

  async bucketUsage(bucket: SizedBucket, days: number): Promise<BucketUsageValues> {
    return await readBucketUsageValues(this.#histories.get('buckets'), bucket, days)
  }

  /** @param free bytes that are free; undefined if the server does not tell */
  async allUsage(buckets: readonly SizedBucket[], days: number, free: number | undefined): Promise<AllBucketsUsage> {
    return await readAllUsage(this.#histories.get('buckets'), buckets, days, free)
  }

  /** Ends running samples and writes what was sampled. */
  async close(): Promise<void> {
    this.#stop.abort()
    await Promise.all([...this.#histories.values()].map((history) => history.save()))
    await this.#upstream.close()
  }

  async #read(kind: HistoryKind, credentials: SigningCredentials): Promise<MetricSample[]> {
    const { signal } = this.#stop
    if (kind === 'buckets') return await sampleBucketUsage(this.#upstream, credentials, signal)
    const samples = await scrapeMetrics(this.#upstream, credentials, signal)
    if (samples.length > 0) return samples
    const client = createSamplerClient(this.#upstream, credentials)
    const [info, storage] = await Promise.all([client.serverInfo({ signal }), client.storageInfo({ signal })])
    return infoSamples(info, storage)
  }

  async #openHistory(kind: HistoryKind, credentials: SigningCredentials): Promise<MetricsHistory> {
    const known = this.#histories.get(kind)
    if (known) return known
    const { folder, interval, maxBytes } = this.settings
    const own = join(folder, await this.#deployment(credentials))
    const history = new MetricsHistory({
      folder: kind === 'buckets' ? join(own, 'buckets') : own,
      levels: kind === 'buckets' ? BUCKET_LEVELS : WIDGET_LEVELS,
      maxBytes: maxBytes[kind],
      gap: interval[kind] * GAP,
      log: this.log,
    })
    await history.open()
    this.#histories.set(kind, history)
    return history
  }

  async #deployment(credentials: SigningCredentials): Promise<string> {
    const { deploymentID } = await createSamplerClient(this.#upstream, credentials).serverInfo({
      signal: this.#stop.signal,
    })
    // A server may tell anything, and this becomes a name in the file system.
    return /^[\w-]{1,64}$/.test(deploymentID) ? deploymentID : 'server'
  }
}
