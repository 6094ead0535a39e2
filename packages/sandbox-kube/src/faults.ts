import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from './errors.ts'
import type { RequestInfo } from './http/request-info.ts'

/** What goes wrong with some requests. */
export interface Fault {
  /** Which requests; absent members are any. */
  readonly on: {
    readonly verb?: string
    readonly resource?: string
    readonly namespace?: string
    readonly name?: string
  }
  /** Only so many times; absent: always. */
  readonly times?: number
  /** Number of requests that pass before the fault. */
  readonly after?: number
  /** How long the answer waits. */
  readonly delayMs?: number
  /** Answers so, without doing anything. */
  readonly status?: number
  readonly reason?: string
  readonly message?: string
  /** Breaks the connection: at once, or of a watch after so long. */
  readonly cutAfterMs?: number
}

/** Applies faults to requests in the order that they are listed; the first that fits counts. */
export class Faults {
  #faults: { fault: Fault; seen: number }[] = []

  set(faults: readonly Fault[]): void {
    this.#faults = faults.map((fault) => ({ fault, seen: 0 }))
  }

  /** @throws ApiError as a fault says it */
  async apply(info: RequestInfo, response: ServerResponse): Promise<void> {
    const entry = this.#faults.find(
      ({ fault, seen }) => fits(fault, info) && seen < (fault.times ?? Number.POSITIVE_INFINITY) + (fault.after ?? 0),
    )
    if (!entry) return
    entry.seen++
    const { after = 0, delayMs, status, reason, message = 'a fault of the scenario', cutAfterMs } = entry.fault
    if (entry.seen <= after) return
    if (delayMs !== undefined) await sleep(delayMs)
    if (status !== undefined) throw new ApiError(status, reason, message)
    if (cutAfterMs !== undefined) setTimeout(() => response.destroy(), cutAfterMs).unref()
  }
}

function fits({ on }: Fault, info: RequestInfo): boolean {
  if (info.is !== 'resource') return false
  return (
    (on.verb === undefined || on.verb === info.verb) &&
    (on.resource === undefined || on.resource === info.resource) &&
    (on.namespace === undefined || on.namespace === info.namespace) &&
    (on.name === undefined || on.name === info.name)
  )
}
