import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { EventQueue, QueuedMessage } from './queue.ts'

/** Where events go. Another kind of target is another implementation of this. */
export interface EventTarget {
  readonly arn: string
  /** Resolves when the target has taken the message. */
  send(message: string, signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

/** A target has refused a message for good: it is too large, or no row of the table. */
export class EventRefused extends Error {
  override readonly name = 'EventRefused'
}

export interface TargetStatus {
  arn: string
  /** Messages that the target has taken since it is in use. */
  sent: number
  /** Messages in the queue. */
  waiting: number
  /** Messages dropped because the queue was full. */
  dropped: number
  /** Messages that the target has refused for good. They are kept beside the queue. */
  refused: number
  /** Since when the target takes nothing (ms since 1970), and why. */
  failing: { since: number; reason: string } | undefined
}

/** Messages sent to a target at the same time; those of one key are sent one after the other. */
const WINDOW = 16
const FIRST_WAIT_MS = 1000
const MAX_WAIT_MS = 60_000

export type Wait = (ms: number, signal: AbortSignal) => Promise<void>

export const waitFor: Wait = (ms, signal) => sleep(ms, undefined, { signal, ref: false })

/** Delivers the messages of a queue to its target. Each is sent until it arrives, with growing waits. */
export class Sender {
  readonly #stopping = new AbortController()
  readonly #running: Promise<void>
  /** Since when the target fails (ms since 1970), and how. */
  #failing: { since: number; reason: string } | undefined
  #sent = 0

  constructor(
    private readonly queue: EventQueue,
    private readonly target: EventTarget,
    private readonly options: { wait: Wait; now: () => number; log: Logger },
  ) {
    this.#running = this.#run().catch((error) =>
      options.log.error({ err: error, arn: target.arn }, 'an event queue failed'),
    )
  }

  get status(): TargetStatus {
    const { length: waiting, dropped, refused } = this.queue
    return { arn: this.target.arn, sent: this.#sent, waiting, dropped, refused, failing: this.#failing }
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    this.queue.end()
    await this.#running
    await this.target.close()
    await this.queue.close()
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping
    let waitMs = FIRST_WAIT_MS
    while (!signal.aborted) {
      try {
        const messages = await this.queue.next(WINDOW)
        const lanes = groupByLane(messages)
        const outcomes = await Promise.all([...lanes.values()].map((lane) => this.#deliver(lane)))
        if (!outcomes.every((delivered) => delivered)) return
        if (messages.length > 0) await this.queue.acknowledge(messages.length)
        waitMs = FIRST_WAIT_MS
      } catch (error) {
        // Such as a full disk. What was not acknowledged is sent once more.
        this.#failed(error)
        await this.options.wait(waitMs, signal).catch(() => undefined)
        waitMs = Math.min(2 * waitMs, MAX_WAIT_MS)
      }
    }
  }

  /** @returns false when the store stops before everything arrived */
  async #deliver(messages: readonly QueuedMessage[]): Promise<boolean> {
    const { signal } = this.#stopping
    for (const { body } of messages) {
      for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, MAX_WAIT_MS)) {
        if (signal.aborted) return false
        try {
          await this.target.send(body, signal)
          this.#succeeded()
          break
        } catch (error) {
          if (signal.aborted) return false
          if (error instanceof EventRefused) {
            await this.queue.setAside(body, error.message)
            this.options.log.warn({ arn: this.target.arn, reason: error.message }, 'the event target refuses an event')
            break
          }
          this.#failed(error)
          await this.options.wait(waitMs, signal).catch(() => undefined)
        }
      }
    }
    return true
  }

  #succeeded(): void {
    this.#sent++
    if (!this.#failing) return
    this.options.log.info({ arn: this.target.arn }, 'the event target takes events again')
    this.#failing = undefined
  }

  #failed(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error)
    // Once, and not at every attempt of an hour.
    if (!this.#failing) this.options.log.warn({ arn: this.target.arn, reason }, 'the event target takes no events')
    this.#failing = { since: this.#failing?.since ?? this.options.now(), reason }
  }
}

function groupByLane(messages: readonly QueuedMessage[]): Map<string, QueuedMessage[]> {
  const lanes = new Map<string, QueuedMessage[]>()
  for (const message of messages) lanes.set(message.lane, [...(lanes.get(message.lane) ?? []), message])
  return lanes
}
