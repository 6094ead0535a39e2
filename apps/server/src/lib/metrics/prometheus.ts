import { reason } from '@stowage/contract'
import { Agent, errors } from 'undici'
import { HttpError } from '../errors/http-errors.ts'
import type { SeriesRange, SeriesResult } from './evaluate-series.ts'
import { RATE_WINDOW } from './evaluate-series.ts'
import { buildPromql } from './promql.ts'
import type { WidgetTarget } from './series/widget-definitions.ts'

export interface PrometheusOptions {
  url: URL
  job: string
  /** `Authorization` header: Bearer or Basic. */
  authorization: string | undefined
  /** Additional labels that every series must have. */
  extraLabels: Readonly<Record<string, string>>
  /** For tests: how long a query may take (ms). */
  queryMs?: number
  /** For tests: how long connecting may take (ms). */
  connectMs?: number
}

const CONNECT_MS = 2_000
const QUERY_MS = 10_000
/** Maximum number of parallel queries. */
const CONCURRENCY = 4
/** Maximum size of an answer in bytes. */
const MAX_BYTES = 16 << 20

/** A Prometheus that scrapes the storage server. */
export class Prometheus {
  readonly #agent: Agent

  constructor(private readonly options: PrometheusOptions) {
    const { queryMs = QUERY_MS, connectMs = CONNECT_MS } = options
    this.#agent = new Agent({
      connections: CONCURRENCY,
      connect: { timeout: connectMs },
      headersTimeout: queryMs,
      bodyTimeout: queryMs,
      maxResponseSize: MAX_BYTES,
    })
  }

  /** @throws HttpError 500 with the cause */
  async evaluate(target: WidgetTarget, range: SeriesRange, signal: AbortSignal): Promise<SeriesResult[]> {
    const query = buildPromql(target, this.options, Math.max(RATE_WINDOW, range.step))
    const data = await this.#ask('query_range', { query, ...rangeParameters(range) }, signal)
    const { result } = (data ?? {}) as { result?: unknown }
    if (!Array.isArray(result)) throw prometheusError('prometheus-other')
    return result.map(readResult)
  }

  /** Explains missing values. @throws HttpError if Prometheus has no such job */
  async checkJob(signal: AbortSignal): Promise<void> {
    const jobs = await this.#ask('label/job/values', {}, signal)
    const { job } = this.options
    if (!Array.isArray(jobs) || jobs.includes(job)) return
    throw new HttpError(500, reason('unexpected'), {
      detail: reason('prometheus-job', { job, jobs: jobs.slice(0, 20).join(', ') || '–' }),
    })
  }

  async close(): Promise<void> {
    await this.#agent.destroy()
  }

  async #ask(path: string, query: Record<string, string>, signal: AbortSignal): Promise<unknown> {
    const { url, authorization } = this.options
    const address = new URL(`${url.pathname.replace(/\/$/, '')}/api/v1/${path}`, url)
    address.search = new URLSearchParams(query).toString()
    const { statusCode, body } = await this.#agent
      .request({
        origin: address.origin,
        path: address.pathname + address.search,
        method: 'GET',
        headers: { accept: 'application/json', ...(authorization ? { authorization } : {}) },
        signal,
      })
      .catch((error: unknown) => {
        throw connectionFailure(error)
      })
    const text = await body.text().catch((error: unknown) => {
      throw connectionFailure(error)
    })
    const answer = parseAnswer(text)
    if (statusCode === 401 || statusCode === 403) throw prometheusError('prometheus-refused')
    if (answer?.status === 'success') return answer.data
    if (answer?.error) throw new HttpError(500, reason('unexpected'), { detail: String(answer.error) })
    throw prometheusError('prometheus-other')
  }
}

function prometheusError(
  id: 'prometheus-unreachable' | 'prometheus-slow' | 'prometheus-refused' | 'prometheus-other',
  cause?: unknown,
) {
  return new HttpError(500, reason('unexpected'), { detail: reason(id), cause })
}

function connectionFailure(error: unknown): unknown {
  if (error instanceof DOMException) return error
  const slow = error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError
  return prometheusError(slow ? 'prometheus-slow' : 'prometheus-unreachable', error)
}

function parseAnswer(text: string): { status?: unknown; data?: unknown; error?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    // The caller reports that this is not an answer of Prometheus.
    return undefined
  }
}

const rangeParameters = ({ start, end, step }: SeriesRange) => ({
  start: String(start),
  end: String(end),
  step: String(step),
})

function readResult(value: unknown): SeriesResult {
  const { metric, values } = value as { metric?: Record<string, string>; values?: [number, string][] }
  return {
    metric: metric ?? {},
    // Charts cannot show NaN and Inf.
    values: (values ?? []).filter(([, written]) => Number.isFinite(Number(written))),
  }
}
