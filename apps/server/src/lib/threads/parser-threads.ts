import type { TransferListItem, Worker } from 'node:worker_threads'
import { reason } from '@stowage/contract'
import { HttpError } from '../errors/http-errors.ts'
import { startProgram } from '../store-package/worker-program.ts'
import type { ParserAnswer, ParserCall, ParserTask } from './parser-task.ts'

export interface ParserThreadsOptions {
  /** Default: the program beside this one. */
  program?: URL
  /** Maximum time of a task (ms). */
  taskMs?: number
  /** A thread without work is ended after this time (ms). */
  idleMs?: number
}

/** Threads at once; a caller uses one. */
const MAX_THREADS = 2
/** Tasks of one caller that run or wait. */
const MAX_OWN_TASKS = 8
const MAX_TASKS = 64
const TASK_MS = 20_000
const IDLE_MS = 30_000
/** Maximum heap of a thread: an input that needs more ends the thread, not the console. */
const MAX_HEAP_MIB = 512

interface WaitingTask {
  owner: string
  run: () => Promise<void>
}

/**
 * Runs parsers of what callers send in worker threads, so that no input keeps the console from answering others: at most two
 * at once, one for each caller, each with limited time and memory.
 */
export class ParserThreads {
  readonly #options: ParserThreadsOptions
  readonly #idle: ParserThread[] = []
  readonly #busyOwners = new Set<string>()
  readonly #waiting: WaitingTask[] = []
  #stopped = false

  constructor(options: ParserThreadsOptions = {}) {
    this.#options = options
  }

  /**
   * Runs a task when it is its turn.
   * @param owner the caller; tasks of the same caller run one after the other
   * @param prepare makes the input, such as by reading the bytes; called when it is the task's turn
   * @throws HttpError 413 if the input needs too much time or memory, 503 if too many tasks wait; errors of `prepare`; Error
   *   with the message of an error of the task
   */
  async run<Input, Output>(
    owner: string,
    task: ParserTask<Input, Output>,
    prepare: () => Promise<{ input: Input; transfer?: TransferListItem[] }>,
    signal?: AbortSignal,
  ): Promise<Output> {
    const own = this.#waiting.filter((each) => each.owner === owner).length + (this.#busyOwners.has(owner) ? 1 : 0)
    if (own >= MAX_OWN_TASKS || this.#waiting.length >= MAX_TASKS)
      throw new HttpError(503, reason('too-many-parsers'), { headers: { 'retry-after': '1' } })
    return await new Promise<Output>((resolve, reject) => {
      const run = async () => {
        try {
          signal?.throwIfAborted()
          const { input, transfer = [] } = await prepare()
          signal?.throwIfAborted()
          const thread = this.#idle.pop() ?? new ParserThread(this.#options)
          try {
            resolve((await thread.ask({ name: task.name, input }, transfer, signal)) as Output)
          } finally {
            if (thread.isUsable && !this.#stopped) this.#keep(thread)
            else await thread.end()
          }
        } catch (error) {
          reject(error as Error)
        }
      }
      this.#waiting.push({ owner, run })
      this.#startNext()
    })
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await Promise.all(this.#idle.splice(0).map((thread) => thread.end()))
  }

  #startNext(): void {
    while (this.#busyOwners.size < MAX_THREADS) {
      const index = this.#waiting.findIndex(({ owner }) => !this.#busyOwners.has(owner))
      const [next] = index < 0 ? [] : this.#waiting.splice(index, 1)
      if (!next) return
      this.#busyOwners.add(next.owner)
      void next.run().finally(() => {
        this.#busyOwners.delete(next.owner)
        this.#startNext()
      })
    }
  }

  #keep(thread: ParserThread): void {
    this.#idle.push(thread)
    thread.endAfter(this.#options.idleMs ?? IDLE_MS, () => {
      const index = this.#idle.indexOf(thread)
      if (index >= 0) this.#idle.splice(index, 1)
    })
  }
}

/** One worker thread, which runs one task at a time. */
class ParserThread {
  readonly #worker: Worker
  readonly #taskMs: number
  #idle: NodeJS.Timeout | undefined
  isUsable = true

  constructor({ program = PROGRAM, taskMs = TASK_MS }: ParserThreadsOptions) {
    this.#taskMs = taskMs
    this.#worker = startProgram(program, {
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB },
    })
    // A thread that ends while it has no task is replaced by the next one.
    this.#worker.on('error', () => {
      this.isUsable = false
    })
    this.#worker.on('exit', () => {
      this.isUsable = false
    })
    this.#worker.unref()
  }

  async ask(call: ParserCall, transfer: TransferListItem[], signal: AbortSignal | undefined): Promise<unknown> {
    clearTimeout(this.#idle)
    const worker = this.#worker
    worker.ref()
    const ended = new AbortController()
    try {
      return await new Promise((resolve, reject) => {
        const give = (why: unknown) => {
          this.isUsable = false
          reject(why as Error)
        }
        const late = setTimeout(() => give(tooCostly()), this.#taskMs)
        const onAnswer = (answer: ParserAnswer) => {
          if ('result' in answer) resolve(answer.result)
          else reject(new Error(answer.failure))
        }
        const onError = (error: NodeJS.ErrnoException) =>
          give(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooCostly() : error)
        const onExit = () => give(new Error('the thread of the parsers ended'))
        const onAbort = () => give(signal?.reason)
        worker.on('message', onAnswer).on('error', onError).on('exit', onExit)
        signal?.addEventListener('abort', onAbort)
        ended.signal.addEventListener('abort', () => {
          clearTimeout(late)
          worker.off('message', onAnswer).off('error', onError).off('exit', onExit)
          signal?.removeEventListener('abort', onAbort)
        })
        worker.postMessage(call, transfer)
      })
    } finally {
      ended.abort()
      worker.unref()
    }
  }

  endAfter(ms: number, onEnd: () => void): void {
    this.#idle = setTimeout(() => {
      onEnd()
      void this.end()
    }, ms).unref()
  }

  async end(): Promise<void> {
    clearTimeout(this.#idle)
    this.isUsable = false
    await this.#worker.terminate()
  }
}

const tooCostly = () => new HttpError(413, reason('input-too-costly'))

/** The program of the threads. Its file differs between source and build. */
const PROGRAM = import.meta.url.endsWith('.ts')
  ? new URL('../../parser-worker.ts', import.meta.url)
  : new URL('./parser-worker.js', import.meta.url)
