import type { Logger } from 'pino'
import type { DeliveryTarget } from '../delivery/queue-sender.ts'
import { RunningThread, type RunningThreadOptions, type ThreadEnd, type ThreadTarget } from './running-thread.ts'
import type { ThreadData, ThreadTargetSettings } from './thread-messages.ts'

export interface TargetThreadOptions extends ThreadData, RunningThreadOptions {
  log: Logger
}

/** A target that has ended the thread this many times is not started again. */
const MAX_DEATHS = 3

/**
 * The worker thread that all notification targets run in: an error that a client library throws in a callback ends the thread,
 * not the store. It is started with the first event, and again after it has ended. If it is not known whose code ended it, each
 * target that was active then gets a thread of its own, so that the next end has one cause.
 */
export class TargetThread {
  readonly #options: TargetThreadOptions
  #shared: RunningThread | undefined
  readonly #own = new Map<ThreadTarget, RunningThread>()
  #targets = 0
  #stopped = false

  constructor(options: TargetThreadOptions) {
    this.#options = options
  }

  /** Opens a target, which starts the thread with its first event. */
  open(settings: ThreadTargetSettings): DeliveryTarget {
    const { arn } = settings
    const id = ++this.#targets
    const target: ThreadTarget = { id, arn, settings, deaths: 0, suspicions: 0, isAlone: false, parked: undefined }
    return {
      arn,
      send: async (message, signal) => {
        if (target.parked !== undefined) throw new Error(target.parked)
        signal.throwIfAborted()
        await this.#start(target).send(target, message, signal)
        target.suspicions = 0
      },
      close: async () => {
        await this.#shared?.close(target)
        await this.#own.get(target)?.close(target)
      },
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true
    for (const thread of [this.#shared, ...this.#own.values()]) await thread?.end()
  }

  #start(target: ThreadTarget): RunningThread {
    if (this.#stopped) throw new Error('the store is stopping')
    if (!target.isAlone) {
      this.#shared ??= new RunningThread(this.#options, (end) => {
        this.#shared = undefined
        this.#ended(end)
      })
      return this.#shared
    }
    const running = this.#own.get(target)
    if (running) return running
    const started = new RunningThread(this.#options, (end) => {
      this.#own.delete(target)
      this.#ended(end)
    })
    this.#own.set(target, started)
    return started
  }

  #ended(end: ThreadEnd | undefined): void {
    if (this.#stopped || !end) return
    const { reason, targets, evidence } = end
    for (const target of targets) {
      if (evidence === 'code') target.deaths++
      else if (evidence === 'alone') target.suspicions++
      else target.isAlone = true
      if (Math.max(target.deaths, target.suspicions) >= MAX_DEATHS) target.parked = parkedText(reason)
    }
    const arns = targets.map(({ arn }) => arn)
    this.#options.log.error({ reason, targets: arns }, 'the thread of the event targets ended unexpectedly')
  }
}

const parkedText = (reason: string) =>
  `The target ended its thread ${MAX_DEATHS} times, and is not started again until it is changed: ${reason}`
