import type { Worker, WorkerOptions } from 'node:worker_threads'
import type { Logger } from 'pino'
import { startProgram, WorkerCalls } from '../store-package/worker-program.ts'
import type { MetricsWork, MetricsWorkSettings } from './metrics-work.ts'
import { ScrapeRefused } from './sampling/scrape.ts'

type MetricsWorkCalls = Pick<
  MetricsWork,
  'readableDocuments' | 'sample' | 'widget' | 'bucketUsage' | 'allUsage' | 'close'
>

/** A call of `MetricsWork` in the worker. */
export interface MetricsWorkerCall {
  id: number
  method: keyof MetricsWorkCalls
  args: readonly unknown[]
}

export type MetricsWorkerMessage =
  | { type: 'result'; id: number; result: unknown }
  | { type: 'failure'; id: number; message: string; refused: boolean }
  | { type: 'warning'; message: string; fields: object }

export interface MetricsThreadOptions {
  settings: MetricsWorkSettings
  log: Logger
  /** Default: the program beside this one. */
  program?: URL
  /** A worker without calls is ended after this time. Default: 10 minutes, and at least three samples. */
  idleMs?: number
  /** First pause before a worker that failed is started again; it doubles with each failure. Default: 1 s. */
  pauseMs?: number
}

const IDLE_MS = 10 * 60_000
const IDLE_SAMPLES = 3
const PAUSE_MS = 1000
const MAX_PAUSE_MS = 60_000
/** A worker that has not answered after this time is ended. */
const STUCK_MS = 120_000
const CLOSE_MS = 10_000
/** Maximum heap of the worker: a storage server that sends too much ends the worker, not the console. */
const MAX_HEAP_MIB = 512
const MAX_YOUNG_MIB = 8

/**
 * Runs `MetricsWork` in a worker thread, so that neither the size of the history nor the work on it slows down the console. The
 * first call starts the worker, and a later one starts it again after a failure.
 */
export class MetricsThread {
  readonly #options: MetricsThreadOptions
  #running: RunningWorker | undefined
  #stopped = false
  #failures = 0
  /** A worker that failed is not started again before this time, ms of `performance`. */
  #startAt = 0

  constructor(options: MetricsThreadOptions) {
    this.#options = options
  }

  /** Whether there is a worker now. */
  get isRunning(): boolean {
    return this.#running !== undefined
  }

  /** @throws ScrapeRefused; Error if the work failed or the worker ended */
  async ask<M extends keyof MetricsWorkCalls>(
    method: M,
    ...args: Parameters<MetricsWorkCalls[M]>
  ): Promise<Awaited<ReturnType<MetricsWorkCalls[M]>>> {
    // An idle worker that is being ended writes its files first.
    if (this.#running?.isClosing) await this.#running.close()
    const result = await this.#start().ask<Awaited<ReturnType<MetricsWorkCalls[M]>>>(method, args)
    this.#failures = 0
    return result
  }

  /** Writes what was sampled and ends the worker. */
  async stop(): Promise<void> {
    this.#stopped = true
    await this.#running?.close()
  }

  #start(): RunningWorker {
    if (this.#running) return this.#running
    if (this.#stopped) throw new Error('the console is stopping')
    const wait = this.#startAt - performance.now()
    if (wait > 0) throw new Error(`the thread of the metrics failed and starts again in ${Math.ceil(wait / 1000)} s`)
    const running = new RunningWorker(this.#options, (failure) => {
      this.#running = undefined
      if (failure === undefined || this.#stopped) return
      const pause = Math.min(MAX_PAUSE_MS, (this.#options.pauseMs ?? PAUSE_MS) * 2 ** this.#failures++)
      this.#startAt = performance.now() + pause
      this.#options.log.error({ reason: failure }, 'the thread of the metrics ended unexpectedly')
    })
    this.#running = running
    return running
  }
}

/** One worker, from its start to its end. */
class RunningWorker {
  readonly #worker: Worker
  readonly #calls = new WorkerCalls(() => this.#onIdle())
  readonly #ended: Promise<void>
  readonly #idleMs: number
  #failure: string | undefined
  #closed: Promise<void> | undefined
  #idle: NodeJS.Timeout | undefined

  /** @param onEnd called when the worker has ended, with the reason if it was not asked to */
  constructor(options: MetricsThreadOptions, onEnd: (failure: string | undefined) => void) {
    const { interval } = options.settings
    this.#idleMs =
      options.idleMs ?? Math.max(IDLE_MS, IDLE_SAMPLES * 1000 * Math.max(interval.widgets, interval.buckets))
    this.#worker = startWorker(options)
    this.#worker.on('message', (message: MetricsWorkerMessage) => {
      if (message.type === 'warning') options.log.warn(message.fields, message.message)
      else this.#onAnswer(message)
    })
    this.#worker.on('error', (error) => {
      this.#failure ??= error.message
    })
    this.#ended = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        onEnd(this.isClosing ? undefined : (this.#failure ?? 'it ended itself'))
        const error = new Error(`the thread of the metrics ended: ${this.#failure ?? 'it was stopped'}`)
        this.#calls.rejectAll(error)
        clearTimeout(this.#idle)
        resolve()
      })
    })
    this.#onIdle()
  }

  ask<T>(method: keyof MetricsWorkCalls, args: readonly unknown[]): Promise<T> {
    clearTimeout(this.#idle)
    return this.#calls.add(undefined, (id) => {
      const stuck = setTimeout(() => {
        this.#failure = `it did not answer for ${STUCK_MS / 1000} s`
        void this.#worker.terminate()
      }, STUCK_MS)
      stuck.unref()
      this.#worker.ref()
      this.#worker.postMessage({ id, method, args } satisfies MetricsWorkerCall)
      return () => clearTimeout(stuck)
    })
  }

  get isClosing(): boolean {
    return this.#closed !== undefined
  }

  close(): Promise<void> {
    this.#closed ??= this.#close()
    return this.#closed
  }

  async #close(): Promise<void> {
    clearTimeout(this.#idle)
    const late = setTimeout(() => void this.#worker.terminate(), CLOSE_MS)
    // What could not be written was logged in the worker.
    await this.ask('close', []).catch(() => undefined)
    clearTimeout(late)
    await this.#worker.terminate()
    await this.#ended
  }

  #onAnswer(answer: Exclude<MetricsWorkerMessage, { type: 'warning' }>): void {
    const { id } = answer
    if (answer.type === 'result') this.#calls.resolve(id, answer.result)
    else this.#calls.reject(id, answer.refused ? new ScrapeRefused(answer.message) : new Error(answer.message))
  }

  /** A worker without calls does not keep the process alive, and is ended after a while. */
  #onIdle(): void {
    this.#worker.unref()
    clearTimeout(this.#idle)
    if (!this.isClosing) this.#idle = setTimeout(() => void this.close(), this.#idleMs).unref()
  }
}

function startWorker({ program = PROGRAM, settings }: MetricsThreadOptions): Worker {
  const options: WorkerOptions = {
    workerData: settings,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB, maxYoungGenerationSizeMb: MAX_YOUNG_MIB },
  }
  return startProgram(program, options)
}

/** The program of the worker. Its file differs between source and build. */
const PROGRAM = import.meta.url.endsWith('.ts')
  ? new URL('../../metrics-worker.ts', import.meta.url)
  : new URL('./metrics-worker.js', import.meta.url)
