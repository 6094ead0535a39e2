import type { Worker, WorkerOptions } from 'node:worker_threads'
import { startProgram, WorkerCalls } from '../../lib/worker-program.ts'
import { MessageRefusedError } from '../delivery/queue-sender.ts'
import type { ThreadCommand, ThreadData, ThreadReply, ThreadTargetSettings } from './thread-messages.ts'

export interface RunningThreadOptions extends ThreadData {
  /** Returns the ports on which the store listens now. */
  ownPorts: () => readonly number[]
  /** Default: the program that serves all kinds of targets. */
  program?: URL
  /** A thread that does not answer for this time is terminated. Default: 15 s. */
  stuckMs?: number
}

export interface ThreadTarget {
  readonly id: number
  readonly arn: string
  readonly settings: ThreadTargetSettings
  /** How often its code ended the thread. */
  deaths: number
  /** How often it was alone in a thread that ended for an unknown reason, since its last success. */
  suspicions: number
  /** It runs in a thread of its own, because it was active when a shared thread ended for an unknown reason. */
  isAlone: boolean
  /** Why it is not started any more; undefined while it is. */
  parked: string | undefined
}

/** An end of the thread that the store did not ask for. */
export interface ThreadEnd {
  reason: string
  /** The target whose code threw the error, or the only one of the thread; otherwise all active targets. */
  targets: readonly ThreadTarget[]
  /** `code`: the code that threw the error is known. `alone`: the thread had no other target. `unknown`: neither. */
  evidence: 'code' | 'alone' | 'unknown'
}

const STUCK_MS = 15_000
/** How long a thread without targets is kept: a changed target is closed, then opened again. */
const IDLE_MS = 30_000
const CLOSE_MS = 5000
/** Maximum heap of the thread. A memory leak in a library then ends the thread, not the store. */
const MAX_HEAP_MIB = 256
/** Variables that the thread may see. Client libraries read many others, such as PGHOST. */
const VARIABLES = ['TMPDIR', 'TZ']

/** One worker, from its start to its end. */
export class RunningThread {
  readonly #worker: Worker
  readonly #options: RunningThreadOptions
  readonly #opened = new Set<ThreadTarget>()
  readonly #requests = new WorkerCalls<ThreadTarget>(() => this.#stopWatching())
  readonly #ended: Promise<void>
  #fault: { message: string; target?: number | undefined } | undefined
  #watch: NodeJS.Timeout | undefined
  /** Whether its program is loaded, which can take a long time. */
  #isReady = false
  /** Whether it has sent anything since the last ping. */
  #heard = true
  #idle: NodeJS.Timeout | undefined

  /** @param onEnd called when the thread has ended; undefined if the store ended it */
  constructor(options: RunningThreadOptions, onEnd: (end: ThreadEnd | undefined) => void) {
    this.#options = options
    this.#worker = startWorker(options)
    this.#worker.unref()
    this.#worker.on('message', (message: ThreadReply) => this.#onMessage(message))
    this.#worker.on('error', (error) => {
      this.#fault ??= { message: error.message }
    })
    this.#ended = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        clearInterval(this.#watch)
        clearTimeout(this.#idle)
        const end = this.#end()
        onEnd(end)
        const error = new Error(`the thread of the targets ended: ${end?.reason ?? 'it was not needed any more'}`)
        this.#requests.rejectAll(error)
        resolve()
      })
    })
  }

  async send(target: ThreadTarget, message: string, signal: AbortSignal): Promise<void> {
    clearTimeout(this.#idle)
    const { id, settings } = target
    if (!this.#opened.has(target)) {
      this.#opened.add(target)
      this.#post({ type: 'open', target: id, settings })
    }
    const ownPorts = this.#options.ownPorts()
    await this.#ask(target, signal, (request) => ({ type: 'send', target: id, request, message, ownPorts }))
  }

  async close(target: ThreadTarget): Promise<void> {
    if (!this.#opened.delete(target)) return
    const signal = AbortSignal.timeout(CLOSE_MS)
    // A target that cannot be closed ends with the thread.
    await this.#ask(target, signal, (request) => ({ type: 'close', target: target.id, request })).catch(() => undefined)
    if (this.#opened.size > 0) return
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => void this.end(), IDLE_MS)
    this.#idle.unref()
  }

  async end(): Promise<void> {
    this.#opened.clear()
    await this.#worker.terminate()
    await this.#ended
  }

  #end(): ThreadEnd | undefined {
    if (this.#opened.size === 0 && !this.#fault) return undefined
    const { message: reason, target: id } = this.#fault ?? { message: 'it ended itself' }
    const known = [...this.#opened].filter((target) => target.id === id)
    if (known.length > 0) return { reason, targets: known, evidence: 'code' }
    if (this.#opened.size === 1) return { reason, targets: [...this.#opened], evidence: 'alone' }
    return { reason, targets: [...new Set(this.#requests.pendingSubjects)], evidence: 'unknown' }
  }

  #post(message: ThreadCommand): void {
    this.#worker.postMessage(message)
  }

  #ask(target: ThreadTarget, signal: AbortSignal, message: (request: number) => ThreadCommand): Promise<void> {
    return this.#requests.add(target, (request) => {
      const onAbort = () => {
        this.#post({ type: 'cancel', request })
        this.#requests.reject(request, signal.reason)
      }
      signal.addEventListener('abort', onAbort, { once: true })
      this.#startWatching()
      this.#post(message(request))
      return () => signal.removeEventListener('abort', onAbort)
    })
  }

  #onMessage(message: ThreadReply): void {
    this.#heard = true
    if (message.type === 'ready') this.#isReady = true
    if (message.type === 'fault') this.#fault = message
    if (message.type !== 'answer') return
    const { request, failure } = message
    if (failure === undefined) this.#requests.resolve(request)
    else
      this.#requests.reject(
        request,
        failure.refused ? new MessageRefusedError(failure.message) : new Error(failure.message),
      )
  }

  /** Monitors the thread while it has work: it keeps the process alive, and must answer pings. */
  #startWatching(): void {
    if (this.#watch) return
    const { stuckMs = STUCK_MS } = this.#options
    this.#worker.ref()
    this.#heard = true
    this.#watch = setInterval(() => {
      if (this.#isReady && !this.#heard) {
        this.#fault ??= { message: `a client library kept the thread busy for ${stuckMs / 1000} s` }
        void this.#worker.terminate()
      }
      this.#heard = false
      this.#post({ type: 'ping' })
    }, stuckMs)
    this.#watch.unref()
  }

  #stopWatching(): void {
    clearInterval(this.#watch)
    this.#watch = undefined
    this.#worker.unref()
  }
}

function startWorker({ program = PROGRAM, egress }: RunningThreadOptions): Worker {
  const data: ThreadData = { egress }
  const options: WorkerOptions = {
    workerData: data,
    env: Object.fromEntries(VARIABLES.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))),
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB },
  }
  return startProgram(program, options)
}

/** The program of the thread. Its file differs between source and build. */
const PROGRAM = import.meta.url.endsWith('.ts')
  ? new URL('../../target-worker.ts', import.meta.url)
  : new URL('./target-worker.js', import.meta.url)
