import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { KubeApiError } from '../object/kube-api-error.ts'
import type { RequestInfo } from './request-info.ts'

/** A fault of some requests. */
export interface SandboxFault {
  /** Selects requests; an absent member matches any. */
  readonly on: {
    readonly verb?: string
    readonly resource?: string
    readonly namespace?: string
    readonly name?: string
  }
  /** Number of requests with the fault; absent: all. */
  readonly times?: number
  /** Number of requests before the fault. */
  readonly after?: number
  /** Delay of the answer. */
  readonly delayMs?: number
  /** The request is processed only after this; for tests, which have no scenario file. */
  readonly until?: () => Promise<unknown>
  /** Processes the request, and then closes the connection instead of sending the answer. */
  readonly loseAnswer?: boolean
  /** Answers with this status, without doing anything. */
  readonly status?: number
  readonly reason?: string
  readonly message?: string
  /** Closes the connection: immediately, or for a watch after this time. */
  readonly cutAfterMs?: number
}

const DEFAULT_MESSAGE = 'a fault of the scenario'

/** Applies faults to requests in the order of the list; the first matching fault counts. */
export class SandboxFaults {
  #faults: { fault: SandboxFault; seen: number }[] = []

  set(faults: readonly SandboxFault[]): void {
    this.#faults = faults.map((fault) => ({ fault, seen: 0 }))
  }

  /** @throws ApiError of the fault */
  async apply(info: RequestInfo, response: ServerResponse): Promise<void> {
    const entry = this.#faults.find(
      ({ fault, seen }) =>
        faultMatches(fault, info) && seen < (fault.times ?? Number.POSITIVE_INFINITY) + (fault.after ?? 0),
    )
    if (!entry) return
    entry.seen++
    const { fault } = entry
    const { after = 0, delayMs, until, loseAnswer, status, reason, message = DEFAULT_MESSAGE, cutAfterMs } = fault
    if (entry.seen <= after) return
    if (delayMs !== undefined) await sleep(delayMs)
    await until?.()
    if (status !== undefined) throw new KubeApiError(status, reason, message)
    if (loseAnswer) response.writeHead = () => response.destroy()
    if (cutAfterMs === 0) response.destroy()
    else if (cutAfterMs !== undefined) setTimeout(() => response.destroy(), cutAfterMs).unref()
  }
}

function faultMatches({ on }: SandboxFault, info: RequestInfo): boolean {
  if (info.is !== 'resource') return false
  return (
    (on.verb === undefined || on.verb === info.verb) &&
    (on.resource === undefined || on.resource === info.resource) &&
    (on.namespace === undefined || on.namespace === info.namespace) &&
    (on.name === undefined || on.name === info.name)
  )
}
