import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import type { Upstream } from '../storage/upstream.ts'
import { evaluate, type Range, type Result } from './evaluate.ts'
import { fixedIdentity, type Identity, KeptIdentity } from './identity.ts'
import { Prometheus } from './prometheus.ts'
import { Sampler } from './sampler.ts'
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
  empty: 'not-reported' | 'not-in-range' | undefined
}

/** The source of the widgets' values: Prometheus if configured, otherwise our own history. */
export class Metrics {
  readonly #prometheus: Prometheus | undefined
  readonly #kept: KeptIdentity | undefined
  readonly #sampler: Sampler | undefined
  readonly #identity: Identity

  constructor({ metrics, data }: Pick<Config, 'metrics' | 'data'>, { upstream, embedded, sealing, log }: MetricsParts) {
    const folder = join(data, 'metrics')
    const given = embedded ?? (metrics.service && fixedIdentity(metrics.service))
    this.#kept = given ? undefined : new KeptIdentity(folder, upstream.origin, sealing)
    this.#identity = given ?? (this.#kept as KeptIdentity)
    this.#prometheus = metrics.prometheus && new Prometheus(metrics.prometheus)
    if (this.#prometheus) return
    const { interval, maxBytes } = metrics
    this.#sampler = new Sampler({ upstream, identity: this.#identity, folder, interval, maxBytes, log })
  }

  start(): void {
    this.#sampler?.start()
  }

  async stop(): Promise<void> {
    await Promise.all([this.#sampler?.stop(), this.#prometheus?.close()])
  }

  /** Returns the source; `kept`: the history, with a service account stored by `keep`. */
  async source(): Promise<'prometheus' | 'history' | 'kept' | 'none'> {
    if (this.#prometheus) return 'prometheus'
    if (!this.#kept) return 'history'
    return (await this.#kept.current()) ? 'kept' : 'none'
  }

  /** Returns a widget's values; undefined without a source. @throws HttpError if Prometheus fails */
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
    const reported = targets.some(({ from }) => history?.has(from[0].metric))
    return { results, empty: results.every(isEmpty) ? (reported ? 'not-in-range' : 'not-reported') : undefined }
  }

  /** Starts sampling with this key. */
  async keep(key: { accessKey: string; secretKey: string }): Promise<void> {
    await this.#kept?.keep(key)
    await this.#sampler?.sampleNow()
  }

  /** Ends the sampling started by `keep`. @returns the access key that is no longer needed */
  async end(): Promise<string | undefined> {
    const key = await this.#kept?.current()
    await this.#kept?.forget()
    return key?.accessKey
  }
}

const isEmpty = (results: readonly Result[]) => results.length === 0
