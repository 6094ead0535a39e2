import type { Logger } from 'pino'
import type { EventTarget } from '../sender.ts'
import type { ThreadData, ThreadTargetSettings } from './messages.ts'
import { type RunningOptions, RunningThread, type ThreadTarget } from './running-thread.ts'

export interface TargetThreadOptions extends ThreadData, RunningOptions {
  log: Logger
}

/** A target that has ended the thread this many times is not started again. */
const MAX_DEATHS = 3

/**
 * The worker thread that all notification targets run in: an error that a client library throws in a callback ends the thread,
 * not the store. It is started with the first event, and again after it has ended.
 */
export class TargetThread {
  readonly #options: TargetThreadOptions
  #running: RunningThread | undefined
  #targets = 0
  #stopped = false

  constructor(options: TargetThreadOptions) {
    this.#options = options
  }

  /** Opens a target, which starts the thread with its first event. */
  open(settings: ThreadTargetSettings): EventTarget {
    const { arn } = settings
    const target: ThreadTarget = { id: ++this.#targets, arn, settings, deaths: 0, suspicions: 0, parked: undefined }
    return {
      arn,
      send: async (message, signal) => {
        if (target.parked !== undefined) throw new Error(target.parked)
        signal.throwIfAborted()
        await this.#start().send(target, message, signal)
        target.suspicions = 0
      },
      close: async () => this.#running?.close(target),
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await this.#running?.end()
  }

  #start(): RunningThread {
    if (this.#stopped) throw new Error('the store is stopping')
    this.#running ??= new RunningThread(this.#options, (end) => {
      this.#running = undefined
      if (this.#stopped || !end) return
      const { reason, targets, isCertain } = end
      for (const target of targets) {
        if (isCertain) target.deaths++
        else target.suspicions++
        if (Math.max(target.deaths, target.suspicions) >= MAX_DEATHS) target.parked = parkedText(reason)
      }
      const arns = targets.map(({ arn }) => arn)
      this.#options.log.error({ reason, targets: arns }, 'the thread of the event targets ended unexpectedly')
    })
    return this.#running
  }
}

const parkedText = (reason: string) =>
  `The target ended its thread ${MAX_DEATHS} times, and is not started again until it is changed: ${reason}`
