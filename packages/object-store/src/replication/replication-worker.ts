import { setMaxListeners } from 'node:events'
import type { Logger } from 'pino'
import type { Engine, ReplicationTask } from '../engine/interface/types.ts'
import type { AbortableWait } from '../lib/abortable-wait.ts'
import { BandwidthLimit } from './bandwidth-limit.ts'
import { RemoteBucket, type RemoteEgress, RemoteError } from './remote-bucket.ts'
import type { StoredRemoteTarget } from './remote-target-store.ts'
import { sendChange, UnsendableVersion } from './send-version.ts'

export interface ReplicationWorkerOptions {
  engine: Engine
  egress: () => Promise<RemoteEgress>
  log: Logger
  wait: AbortableWait
  now: () => number
  onSettled: (change: ReplicationTask) => void
}

export interface RemoteTargetState {
  online: boolean
  /** Why it is offline; empty while it is online. */
  reason: string
  /** ms since 1970; 0: never. */
  lastOnline: number
  /** Total offline time in ms. */
  downtime: number
  offlineCount: number
  /** Duration of health checks, in ms. */
  latency: { current: number; average: number; longest: number }
  bytesPerSecond: number
}

/** Number of changes sent at the same time; those of one key are sent in sequence. */
const CONCURRENCY = 8
const PAGE = 100
const FIRST_WAIT_MS = 1000
const MAX_WAIT_MS = 60_000
/** Number of failed attempts after which a change counts as refused if the target accepts others. */
const MAX_ATTEMPTS = 3
/** Refused changes are tried again after this time. */
const RETRY_MS = 30 * 60_000
const CHECK_TIMEOUT_MS = 10_000
const SEND_TIMEOUT_MS = 60 * 60_000

/** Answers with which a target refuses one version permanently. */
const isVersionRefused = ({ status }: RemoteError) =>
  status !== undefined && status >= 400 && status < 500 && status !== 429
/** Answers about the target itself, although their status is a client error. */
const TARGET_ERROR_CODES = new Set([
  'NoSuchBucket',
  'InvalidAccessKeyId',
  'SignatureDoesNotMatch',
  'RequestTimeTooSkewed',
  'ExpiredToken',
  'InvalidToken',
  'SlowDown',
  'XMinioServerNotInitialized',
])

/** Sends the queued changes of one target until the target is removed. */
export class ReplicationWorker {
  readonly #stopping = new AbortController()
  readonly #running: Promise<void>
  readonly #remote: RemoteBucket
  readonly #pace: BandwidthLimit
  /** Changes being sent, by key. */
  readonly #lanes = new Map<string, Promise<void>>()
  readonly #attempts = new Map<number, number>()
  #wake: (() => void) | undefined
  #hasNews = true
  #offlineSince: number | undefined
  #checks = 0
  readonly #state: RemoteTargetState
  readonly #startedAt: number

  constructor(
    readonly target: StoredRemoteTarget,
    private readonly options: ReplicationWorkerOptions,
  ) {
    this.#remote = new RemoteBucket(target, options.egress)
    this.#pace = new BandwidthLimit(target.bandwidth, options.wait)
    this.#startedAt = options.now()
    // One listener per request in progress.
    setMaxListeners(0, this.#stopping.signal)
    this.#state = {
      online: true,
      reason: '',
      lastOnline: 0,
      downtime: 0,
      offlineCount: 0,
      latency: { current: 0, average: 0, longest: 0 },
      bytesPerSecond: 0,
    }
    this.#running = this.#run().catch((error) => {
      if (!this.#stopping.signal.aborted) options.log.error({ err: error, arn: target.arn }, 'replication failed')
    })
  }

  get state(): RemoteTargetState {
    const since = this.#offlineSince
    const downtime = this.#state.downtime + (since === undefined ? 0 : this.options.now() - since)
    return { ...this.#state, downtime, bytesPerSecond: this.#pace.bytesPerSecond }
  }

  /** Call it when a change was queued, or the target may be online again. */
  wake(): void {
    this.#hasNews = true
    this.#wake?.()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#wake?.()
    await this.#running
    await Promise.all(this.#lanes.values())
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      this.#hasNews = false
      const isEmpty = await this.#drain()
      await Promise.all(this.#lanes.values())
      if (signal.aborted) return
      if (!this.#state.online) await this.#untilOnline()
      else if (isEmpty && !this.#hasNews) await this.#idle()
    }
  }

  /** Sends all waiting changes. @returns whether there were none */
  async #drain(): Promise<boolean> {
    const { engine } = this.options
    const { sourceBucket: bucket, id: target } = this.target
    for (let after: number | undefined, found = 0; ; ) {
      const page = engine.listReplicationBacklog({
        bucket,
        target,
        state: 'PENDING',
        limit: PAGE,
        ...(after !== undefined && { after }),
      })
      if (page.length === 0) return found === 0
      for (const change of page) {
        while (this.#lanes.size >= CONCURRENCY) await Promise.race(this.#lanes.values())
        await this.#lanes.get(change.key)
        if (this.#stopping.signal.aborted || !this.#state.online) return false
        this.#lanes.set(
          change.key,
          this.#process(change).finally(() => this.#lanes.delete(change.key)),
        )
        found++
        after = change.entry
      }
    }
  }

  async #process(change: ReplicationTask): Promise<void> {
    const { engine, log, onSettled } = this.options
    const { sourceBucket: bucket, id, arn } = this.target
    const outcome = await this.#attempt(change)
    if (!outcome) return
    this.#attempts.delete(change.entry)
    try {
      await engine.settleReplicationTasks(bucket, id, [{ entry: change.entry, ...outcome }])
      onSettled(change)
    } catch (error) {
      // The change stays queued and is sent again, which changes nothing on the target.
      if (!this.#stopping.signal.aborted)
        log.warn(
          { err: error, arn },
          'the status of a replicated version could not be saved; the version will be sent again',
        )
    }
  }

  /** Returns undefined if the change stays queued. */
  async #attempt(
    change: ReplicationTask,
  ): Promise<{ status: 'COMPLETED' } | { status: 'FAILED'; reason: string } | undefined> {
    const { engine, now } = this.options
    const before = this.#attempts.get(change.entry) ?? 0
    const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(SEND_TIMEOUT_MS)])
    try {
      // For a version that was just written, skip the check whether the target already has it.
      const mayBeThere = before > 0 || change.attempts > 0 || change.since < this.#startedAt || this.#isChanged(change)
      await sendChange(change, {
        engine,
        remote: this.#remote,
        target: this.target,
        bandwidthLimit: this.#pace,
        signal,
        mayExist: mayBeThere,
      })
      this.#state.lastOnline = now()
      return { status: 'COMPLETED' }
    } catch (error) {
      if (this.#stopping.signal.aborted) return undefined
      // The target has the version, or a newer null version.
      if (error instanceof RemoteError && error.code === 'PreconditionFailed') return { status: 'COMPLETED' }
      const reason = error instanceof Error ? error.message : String(error)
      if (error instanceof UnsendableVersion) return { status: 'FAILED', reason }
      if (
        error instanceof RemoteError &&
        isVersionRefused(error) &&
        !TARGET_ERROR_CODES.has(error.code) &&
        (await this.#check())
      ) {
        return { status: 'FAILED', reason: `${error.code}: ${reason}` }
      }
      this.#attempts.set(change.entry, before + 1)
      if (await this.#check()) {
        if (before + 1 >= MAX_ATTEMPTS) return { status: 'FAILED', reason }
        await this.options.wait(FIRST_WAIT_MS * 2 ** before, this.#stopping.signal).catch(() => undefined)
      }
      return undefined
    }
  }

  #isChanged({ key, versionId, kind }: ReplicationTask): boolean {
    if (kind !== 'version') return true
    try {
      const { info } = this.options.engine.getObject(this.target.sourceBucket, key, versionId)
      return Object.keys(info.replication?.times ?? {}).length > 0
    } catch {
      return true
    }
  }

  /** Whether the target answers for its bucket. */
  async #check(): Promise<boolean> {
    const { now } = this.options
    const startedAt = performance.now()
    const timeout = AbortSignal.timeout(CHECK_TIMEOUT_MS)
    try {
      const signal = AbortSignal.any([this.#stopping.signal, timeout])
      await this.#remote.send({ method: 'HEAD', signal })
      this.#measured(performance.now() - startedAt)
      this.#setOnline()
      return true
    } catch (error) {
      if (this.#stopping.signal.aborted) return false
      const message = error instanceof Error ? error.message : String(error)
      this.#setOffline(timeout.aborted ? `${this.target.endpoint} did not answer in time.` : message, now())
      return false
    }
  }

  #measured(ms: number): void {
    const { latency } = this.#state
    this.#checks++
    latency.current = ms
    latency.average += (ms - latency.average) / this.#checks
    latency.longest = Math.max(latency.longest, ms)
    this.#state.lastOnline = this.options.now()
  }

  #setOnline(): void {
    if (this.#offlineSince !== undefined) {
      this.#state.downtime += this.options.now() - this.#offlineSince
      this.options.log.info({ arn: this.target.arn }, 'the replication target accepts requests again')
    }
    this.#offlineSince = undefined
    this.#state.online = true
    this.#state.reason = ''
  }

  #setOffline(reason: string, at: number): void {
    this.#state.reason = reason
    if (!this.#state.online) return
    this.#state.online = false
    this.#state.offlineCount++
    this.#offlineSince = at
    this.options.log.warn({ arn: this.target.arn, reason }, 'the replication target does not accept requests')
  }

  /** Waits with growing pauses, up to the interval of the health check. */
  async #untilOnline(): Promise<void> {
    const { signal } = this.#stopping
    const longest = Math.min(Math.max(this.target.healthCheckSeconds * 1000, FIRST_WAIT_MS), MAX_WAIT_MS)
    for (let waitMs = FIRST_WAIT_MS; !signal.aborted; waitMs = Math.min(2 * waitMs, longest)) {
      await this.options.wait(waitMs, signal).catch(() => undefined)
      if (signal.aborted || (await this.#check())) return
    }
  }

  /** Resolves when a change is queued; meanwhile it checks the target at intervals, and retries refused changes. */
  async #idle(): Promise<void> {
    const { engine, wait } = this.options
    const { sourceBucket: bucket, id, healthCheckSeconds } = this.target
    const ending = new AbortController()
    const woken = new Promise<'woken'>((resolve) => {
      this.#wake = () => resolve('woken')
    })
    const signal = AbortSignal.any([this.#stopping.signal, ending.signal])
    const period = Math.max(healthCheckSeconds * 1000, FIRST_WAIT_MS)
    for (let waited = 0; !this.#stopping.signal.aborted && !this.#hasNews; waited += period) {
      const ended = await Promise.race([woken, wait(period, signal).catch(() => undefined)])
      if (ended === 'woken' || this.#stopping.signal.aborted) break
      if (!(await this.#check())) break
      if (waited >= RETRY_MS && (await engine.retryFailedReplication(bucket, id, PAGE)) > 0) break
    }
    this.#wake = undefined
    ending.abort()
  }
}
