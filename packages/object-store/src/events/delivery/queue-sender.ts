import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { EventQueue, QueuedMessage } from './event-queue.ts'

/** A destination of events. Each kind of target implements it. */
export interface DeliveryTarget {
  readonly arn: string
  /** Maximum number of messages sent to it at the same time. Default: 256. */
  readonly window?: number
  /** Resolves when the target has accepted the message. */
  send(message: string, signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

/** A target has refused a message permanently: it is too large, or violates a constraint of the table. */
export class MessageRefusedError extends Error {
  override readonly name = 'MessageRefusedError'
}

export interface DeliveryStatus {
  arn: string
  /** Number of messages that the target has accepted since it was opened. */
  sent: number
  /** Number of messages in the queue. */
  waiting: number
  /** Number of messages dropped because the queue was full. */
  dropped: number
  /** Number of messages that the target has refused permanently. They are stored next to the queue. */
  refused: number
  /** Since when the target accepts nothing (ms since 1970), and why. */
  failing: { since: number; reason: string } | undefined
}

/**
 * Number of messages sent to a target at the same time, by default; those of one key are sent in sequence. Some brokers hold
 * back answers for 40 ms until we send something (Mosquitto, by Nagle's algorithm), so that each window takes that long.
 */
const WINDOW = 256
const FIRST_WAIT_MS = 1000
const MAX_WAIT_MS = 60_000

export type DeliveryWait = (ms: number, signal: AbortSignal) => Promise<void>

export const sleepUntilAborted: DeliveryWait = (ms, signal) => sleep(ms, undefined, { signal, ref: false })

/** Delivers the messages of a queue to its target. Each is sent again, with growing pauses, until it is accepted. */
export class QueueSender {
  readonly #stopping = new AbortController()
  readonly #running: Promise<void>
  /** Since when the target fails (ms since 1970), and why. */
  #failing: { since: number; reason: string } | undefined
  #sent = 0

  constructor(
    private readonly queue: EventQueue,
    private readonly target: DeliveryTarget,
    private readonly options: { wait: DeliveryWait; now: () => number; log: Logger },
  ) {
    // One listener for each message that is being sent.
    setMaxListeners(0, this.#stopping.signal)
    this.#running = this.#run().catch((error) =>
      options.log.error({ err: error, arn: target.arn }, 'an event queue failed'),
    )
  }

  get status(): DeliveryStatus {
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
        const messages = await this.queue.next(this.target.window ?? WINDOW)
        const lanes = groupByLane(messages)
        const results = await Promise.all([...lanes.values()].map((lane) => this.#deliver(lane)))
        if (!results.every((delivered) => delivered)) return
        // Not awaited: after a crash, messages whose removal was not saved are sent again.
        if (messages.length > 0) this.queue.acknowledge(messages.length).catch((error) => this.#failed(error))
        waitMs = FIRST_WAIT_MS
      } catch (error) {
        // For instance a full disk. Messages that were not acknowledged are sent again.
        this.#failed(error)
        await this.options.wait(waitMs, signal).catch(() => undefined)
        waitMs = Math.min(2 * waitMs, MAX_WAIT_MS)
      }
    }
  }

  /** @returns false if the store stops before all messages were delivered */
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
          if (error instanceof MessageRefusedError) {
            await this.queue.addRefused(body, error.message)
            this.options.log.warn(
              { arn: this.target.arn, reason: error.message },
              'the target refused an event, which is stored separately',
            )
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
    this.options.log.info({ arn: this.target.arn }, 'the target accepts messages again')
    this.#failing = undefined
  }

  #failed(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error)
    // Log it once, not for every attempt.
    if (!this.#failing) this.options.log.warn({ arn: this.target.arn, reason }, 'messages cannot be sent to the target')
    this.#failing = { since: this.#failing?.since ?? this.options.now(), reason }
  }
}

function groupByLane(messages: readonly QueuedMessage[]): Map<string, QueuedMessage[]> {
  const lanes = new Map<string, QueuedMessage[]>()
  for (const message of messages) lanes.set(message.lane, [...(lanes.get(message.lane) ?? []), message])
  return lanes
}
