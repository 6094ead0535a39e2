import { join } from 'node:path'
import type { Credentials } from '@stowage/sigv4'
import { openUpstream, type Upstream } from '../storage/upstream.ts'
import {
  type AllUsage,
  allUsageOf,
  type BucketUsageValues,
  bucketUsageOf,
  readBucketUsage,
  type SizedBucket,
} from './bucket-usage.ts'
import { evaluate, type Range, type Result } from './evaluate.ts'
import { History, type HistoryOptions } from './history.ts'
import { BUCKET_LEVELS, LEVELS } from './levels.ts'
import { samplerClient } from './sampler-client.ts'
import { isReadable, samplesOfInfo, scrape } from './scrape.ts'
import type { Sample } from './text-format.ts'
import { widgetById } from './widgets.ts'

/** The history of the widgets, and that of the usage of buckets. */
export type Kind = 'widgets' | 'buckets'

export interface WorkSettings {
  /** Origin of the storage server. */
  server: string
  /** PEM file with additional certificate authorities. */
  caFile: string | undefined
  /** Folder of the histories of all deployments. */
  folder: string
  /** Seconds between samples. */
  interval: Readonly<Record<Kind, number>>
  /** Of all files of a history. */
  maxBytes: Readonly<Record<Kind, number>>
}

/** The values of a widget in the history, or the reason why it has no values. */
export interface HistoryValues {
  results: Result[][]
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
  readonly #histories = new Map<Kind, History>()
  readonly #savedAt = new Map<Kind, number>()

  constructor(
    private readonly settings: WorkSettings,
    private readonly log: HistoryOptions['log'],
  ) {
    this.#upstream = openUpstream(new URL(settings.server), settings.caFile)
  }

  /** Stores a sample of the storage server. @throws ScrapeRefused; network errors */
  async sample(kind: Kind, credentials: Credentials): Promise<void> {
    const time = Date.now() / 1000
    const samples = await this.#read(kind, credentials)
    const history = await this.#historyOf(kind, credentials)
    history.append(time, samples)
    if (Date.now() - (this.#savedAt.get(kind) ?? 0) < SAVE_MS) return
    this.#savedAt.set(kind, Date.now())
    await history.save()
  }

  /** Returns which of some documents of metrics a key can read. Servers of 2021 do not have all. @throws network errors */
  async readable(names: readonly string[], credentials: Credentials): Promise<string[]> {
    const found = await Promise.all(
      names.map(async (name) => await isReadable(this.#upstream, name, credentials, this.#stop.signal)),
    )
    return names.filter((_, i) => found[i])
  }

  async widget(id: number, range: Range): Promise<HistoryValues> {
    const targets = widgetById.get(id)?.targets ?? []
    const history = this.#histories.get('widgets')
    if (!history) return { results: targets.map(() => []), empty: 'not-in-range', samples: 0 }
    const { samples } = history
    const results = await Promise.all(targets.map((target) => evaluate(target, history, range)))
    if (results.some((each) => each.length > 0)) return { results, empty: undefined, samples }
    const reported = targets.some(({ from }) => history.has(from[0].metric))
    return { results, empty: reported ? 'not-in-range' : 'not-reported', samples }
  }

  async bucketUsage(bucket: SizedBucket, days: number): Promise<BucketUsageValues> {
    return await bucketUsageOf(this.#histories.get('buckets'), bucket, days)
  }

  /** @param free bytes that are free; undefined if the server does not tell */
  async allUsage(buckets: readonly SizedBucket[], days: number, free: number | undefined): Promise<AllUsage> {
    return await allUsageOf(this.#histories.get('buckets'), buckets, days, free)
  }

  /** Ends running samples and writes what was sampled. */
  async close(): Promise<void> {
    this.#stop.abort()
    await Promise.all([...this.#histories.values()].map((history) => history.save()))
    await this.#upstream.close()
  }

  async #read(kind: Kind, credentials: Credentials): Promise<Sample[]> {
    const { signal } = this.#stop
    if (kind === 'buckets') return await readBucketUsage(this.#upstream, credentials, signal)
    const samples = await scrape(this.#upstream, credentials, signal)
    if (samples.length > 0) return samples
    const client = samplerClient(this.#upstream, credentials)
    const [info, storage] = await Promise.all([client.serverInfo({ signal }), client.storageInfo({ signal })])
    return samplesOfInfo(info, storage)
  }

  async #historyOf(kind: Kind, credentials: Credentials): Promise<History> {
    const known = this.#histories.get(kind)
    if (known) return known
    const { folder, interval, maxBytes } = this.settings
    const own = join(folder, await this.#deployment(credentials))
    const history = new History({
      folder: kind === 'buckets' ? join(own, 'buckets') : own,
      levels: kind === 'buckets' ? BUCKET_LEVELS : LEVELS,
      maxBytes: maxBytes[kind],
      gap: interval[kind] * GAP,
      log: this.log,
    })
    await history.open()
    this.#histories.set(kind, history)
    return history
  }

  async #deployment(credentials: Credentials): Promise<string> {
    const { deploymentID } = await samplerClient(this.#upstream, credentials).serverInfo({ signal: this.#stop.signal })
    // A server may tell anything, and this becomes a name in the file system.
    return /^[\w-]{1,64}$/.test(deploymentID) ? deploymentID : 'server'
  }
}
