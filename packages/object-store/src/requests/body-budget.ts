import { S3Error } from '../lib/errors.ts'
import { clientNetwork } from './request-origin.ts'

/** Limits of the total size of bodies of unknown senders. */
export interface BodyLimits {
  /** Maximum number of bytes for requests from one address (IPv6: one /64 network). */
  perClient: number
  /** Maximum number of bytes in total. */
  total: number
  /** Time for each body in ms. Longer ones get more time, see `BYTES_PER_SECOND`. */
  graceMs: number
}

export const BODY_LIMITS: BodyLimits = { perClient: 8 * 2 ** 20, total: 64 * 2 ** 20, graceMs: 10_000 }

/** Minimum rate of a body after the grace time. */
const BYTES_PER_SECOND = 32 * 1024
/** Fixed cost of an open request. It limits their number: 4,096 in total, 512 per client. */
const REQUEST_BYTES = 16 * 1024
/** Minimum time between two log lines about aborted requests, so that unknown callers cannot fill the log. */
const WARN_MS = 60_000

interface OpenBody {
  bytes: number
  client: BudgetClient
  controller: AbortController
}

interface BudgetClient {
  network: string
  bytes: number
  /** Oldest first. */
  bodies: Set<OpenBody>
}

/**
 * Limits the memory that unknown callers can occupy: bodies that are read into memory before their senders are known, or for
 * anonymous callers. If the budget is used up, the oldest body of the client with the most bytes is aborted, so clients that
 * keep bodies open only block themselves.
 */
export class BodyBudget {
  readonly #limits: BodyLimits
  readonly #warn: (details: { client: string; cut: number }) => void
  /** Contains only clients with open bodies, so it is as limited as the bodies are. */
  readonly #clients = new Map<string, BudgetClient>()
  #bytes = 0
  #cut = 0
  #warnedAt = Number.NEGATIVE_INFINITY

  /** @param warn called at most once per `WARN_MS` with the number of bodies aborted since then */
  constructor(limits: BodyLimits, warn: (details: { client: string; cut: number }) => void) {
    this.#limits = limits
    this.#warn = warn
  }

  /** Bodies being read. */
  get open(): number {
    let open = 0
    for (const { bodies } of this.#clients.values()) open += bodies.size
    return open
  }

  /**
   * Reads a body within the budget.
   * @param bytes maximum number of bytes held in memory
   * @param read reads the body; must fail with the reason of the signal when it aborts: S3Error RequestTimeout, SlowDown
   */
  async read<T>(address: string, bytes: number, read: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const body = this.#begin(clientNetwork(address), bytes)
    const ms = this.#limits.graceMs + (bytes / BYTES_PER_SECOND) * 1000
    const timer = setTimeout(() => {
      this.#stop(body, new S3Error('RequestTimeout', 'The body did not arrive within the time that it may take.'))
    }, ms)
    try {
      return await read(body.controller.signal)
    } finally {
      clearTimeout(timer)
      this.#end(body)
    }
  }

  #begin(network: string, wanted: number): OpenBody {
    const { perClient, total } = this.#limits
    const bytes = Math.min(perClient, REQUEST_BYTES + wanted)
    let client = this.#clients.get(network)
    while (client && client.bytes + bytes > perClient) this.#cutOldest(client)
    while (this.#bytes + bytes > total) this.#cutOldest(this.#greediest())
    // Aborting a body may have removed the client.
    client = this.#clients.get(network) ?? { network, bytes: 0, bodies: new Set() }
    this.#clients.set(network, client)
    const body: OpenBody = { bytes, client, controller: new AbortController() }
    client.bodies.add(body)
    client.bytes += bytes
    this.#bytes += bytes
    return body
  }

  #end(body: OpenBody): void {
    const { client, bytes } = body
    if (!client.bodies.delete(body)) return
    client.bytes -= bytes
    this.#bytes -= bytes
    if (client.bodies.size === 0) this.#clients.delete(client.network)
  }

  #stop(body: OpenBody, reason: S3Error): void {
    this.#end(body)
    body.controller.abort(reason)
  }

  #cutOldest(client: BudgetClient | undefined): void {
    const [oldest] = client?.bodies ?? []
    if (!client || !oldest) throw new TypeError('the budget for bodies is smaller than one body')
    this.#stop(oldest, new S3Error('SlowDown', 'Too many unfinished requests. Please reduce your request rate.'))
    this.#cut++
    const now = performance.now()
    if (now - this.#warnedAt < WARN_MS) return
    this.#warn({ client: client.network, cut: this.#cut })
    this.#warnedAt = now
    this.#cut = 0
  }

  #greediest(): BudgetClient | undefined {
    let greediest: BudgetClient | undefined
    for (const client of this.#clients.values()) if (client.bytes > (greediest?.bytes ?? 0)) greediest = client
    return greediest
  }
}
