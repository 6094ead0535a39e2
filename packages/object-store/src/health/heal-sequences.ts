import { randomUUID } from 'node:crypto'
import { setTimeout as wait, setImmediate as yieldToOthers } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Engine, HealResult } from '../engine/interface/types.ts'
import { S3Error } from '../lib/errors.ts'
import { wireHealItem } from './heal-item.ts'

/** Maximum number of unread items of a heal. It pauses until they are read. */
const MAX_UNREAD = 1000
/** How long the state of a finished heal is kept, and how long a heal waits for its reader (ms). */
const KEEP_MS = 10 * 60_000
const ABANDONED_MS = 24 * 3_600_000
/** Maximum number of running and finished heals. */
const MAX_HEALS = 100
/** Pause after an item while other requests are served: this multiple of the item's time, limited by the next number (ms). */
const PAUSE_FACTOR = 4
const MAX_PAUSE_MS = 250

export interface HealSettings {
  recursive: boolean
  dryRun: boolean
  /** 2: read all bytes. */
  scanMode: number
}

export interface HealSequencePath {
  /** Empty: all buckets. */
  bucket: string
  prefix: string
}

interface HealSequence {
  path: string
  token: string
  /** Address of the client that started it. */
  address: string
  startedAt: number
  endedAt?: number
  settings: HealSettings
  summary: 'running' | 'stopped' | 'finished'
  /** Why it was stopped. */
  detail?: string
  unread: object[]
  items: number
  readAt: number
  stop: AbortController
  /** Wakes a heal that waits for its reader. */
  onRead: () => void
  ended: Promise<void>
}

interface HealSequencesOptions {
  engine: Engine
  /** Whether requests are being served. */
  isBusy(): boolean
  log: Logger
  closing: AbortSignal
}

/** Heals by path. Their items are kept until a client has read them. */
export class HealSequences {
  readonly #heals = new Map<string, HealSequence>()
  readonly #options: HealSequencesOptions
  /** Counts since the start of the store. */
  readonly counts = {
    bucket: { scanned: 0, healed: 0, failed: 0 },
    object: { scanned: 0, healed: 0, failed: 0 },
  }

  constructor(around: HealSequencesOptions) {
    this.#options = around
  }

  /**
   * @throws S3Error XMinioHealAlreadyRunning, XMinioHealOverlappingPaths, SlowDown
   */
  async start(
    at: HealSequencePath,
    settings: HealSettings,
    options: { address: string; force: boolean },
  ): Promise<object> {
    const path = healPathText(at)
    this.#forget()
    const running = this.#heals.get(path)
    if (options.force) await this.#end(running)
    else if (running?.summary === 'running') {
      // A client that has lost the token can continue with the unread items.
      if (running.unread.length > 0) return healStartAnswer(running)
      throw new S3Error(
        'XMinioHealAlreadyRunning',
        `Heal is already running on the given path (use force-start option to stop and start afresh). The heal was started by IP ${running.address} at ${new Date(running.startedAt).toISOString()}, token is ${running.token}`,
      )
    }
    for (const [other, heal] of this.#heals) {
      if (heal.summary === 'running' && (other.startsWith(path) || path.startsWith(other)))
        throw new S3Error(
          'XMinioHealOverlappingPaths',
          `The provided heal sequence path overlaps with an existing heal path: ${other}`,
        )
    }
    this.#makeRoom()
    const heal: HealSequence = {
      path,
      token: randomUUID(),
      address: options.address,
      startedAt: Date.now(),
      settings,
      summary: 'running',
      unread: [],
      items: 0,
      readAt: Date.now(),
      stop: new AbortController(),
      onRead: () => undefined,
      ended: Promise.resolve(),
    }
    this.#heals.set(path, heal)
    heal.ended = this.#run(heal, at)
    return healStartAnswer(heal)
  }

  /** Returns the state of a heal and its items since the last call. @throws S3Error XMinioHealInvalidClientToken */
  read(at: HealSequencePath, token: string): object {
    this.#forget()
    const heal = this.#heals.get(healPathText(at))
    if (!heal) return { Summary: 'finished', StartTime: NO_TIME, Settings: NO_SETTINGS, Items: null }
    if (token !== heal.token) throw new S3Error('XMinioHealInvalidClientToken', 'Client token mismatch')
    const items = heal.unread
    heal.unread = []
    heal.readAt = Date.now()
    heal.onRead()
    return {
      Summary: heal.summary,
      ...(heal.detail !== undefined && { Detail: heal.detail }),
      StartTime: new Date(heal.startedAt).toISOString(),
      // Not sent by MinIO.
      ...(heal.endedAt !== undefined && { EndTime: new Date(heal.endedAt).toISOString() }),
      Settings: { ...NO_SETTINGS, ...heal.settings },
      Items: items.length > 0 ? items : null,
    }
  }

  /** Stops the heal of a path and forgets it. */
  async stop(at: HealSequencePath): Promise<object> {
    const heal = this.#heals.get(healPathText(at))
    if (!heal) return { clientToken: 'unknown', clientAddress: '', startTime: new Date().toISOString() }
    await this.#end(heal)
    return healStartAnswer(heal)
  }

  /** Resolves when all heals have ended, after the store has started to close. */
  async ended(): Promise<void> {
    await Promise.all([...this.#heals.values()].map((heal) => heal.ended))
  }

  async #end(heal: HealSequence | undefined): Promise<void> {
    if (!heal) return
    heal.stop.abort()
    heal.onRead()
    await heal.ended
    if (this.#heals.get(heal.path) === heal) this.#heals.delete(heal.path)
  }

  async #run(heal: HealSequence, { bucket, prefix }: HealSequencePath): Promise<void> {
    const { engine, closing, log } = this.#options
    const signal = AbortSignal.any([closing, heal.stop.signal])
    const { recursive, dryRun, scanMode } = heal.settings
    try {
      const query = { bucket, prefix, recursive, dryRun, deep: scanMode === 2, signal, pause: this.#pause }
      for await (const item of engine.heal(query)) {
        this.#count(item)
        heal.unread.push(wireHealItem(item, ++heal.items))
        if (heal.unread.length >= MAX_UNREAD) await this.#untilRead(heal, signal)
      }
      heal.summary = 'finished'
    } catch (error) {
      // A requested stop is a normal end.
      heal.summary = heal.stop.signal.aborted ? 'finished' : 'stopped'
      if (!signal.aborted) {
        heal.detail = error instanceof Error ? error.message : String(error)
        if (!(error instanceof S3Error)) log.error({ err: error, path: heal.path }, 'a heal failed')
      }
    }
    heal.endedAt = Date.now()
    heal.readAt = heal.endedAt
  }

  async #untilRead(heal: HealSequence, signal: AbortSignal): Promise<void> {
    const abandoned = setTimeout(() => heal.stop.abort(), ABANDONED_MS).unref()
    await new Promise<void>((resolve) => {
      heal.onRead = resolve
      signal.addEventListener('abort', heal.onRead, { once: true })
    })
    signal.removeEventListener('abort', heal.onRead)
    clearTimeout(abandoned)
  }

  /** Pauses while there are requests, which take precedence. */
  readonly #pause = async (spentMs: number): Promise<void> => {
    if (this.#options.isBusy()) await wait(Math.min(MAX_PAUSE_MS, spentMs * PAUSE_FACTOR), undefined, { ref: false })
    else await yieldToOthers()
  }

  #count({ type, before, after, error }: HealResult): void {
    const counts = this.counts[type]
    const whole = (copies: HealResult['before']) => copies.filter(({ state }) => state === 'ok').length
    counts.scanned++
    if (whole(after) > whole(before)) counts.healed++
    if (error !== undefined) counts.failed++
  }

  /** Forgets the heal that ended first. @throws S3Error SlowDown if all heals are still running */
  #makeRoom(): void {
    if (this.#heals.size < MAX_HEALS) return
    const [oldest] = [...this.#heals.values()].filter(({ summary }) => summary !== 'running')
    if (!oldest) throw new S3Error('SlowDown', 'Too many heals are running.')
    this.#heals.delete(oldest.path)
  }

  #forget(): void {
    for (const [path, heal] of this.#heals)
      if (heal.summary !== 'running' && Date.now() - heal.readAt > KEEP_MS) this.#heals.delete(path)
  }
}

/** Returns the path with a slash after the bucket, so that `b` and `b2` do not overlap. */
const healPathText = ({ bucket, prefix }: HealSequencePath) => (bucket === '' ? '' : `${bucket}/${prefix}`)

const healStartAnswer = ({ token, address, startedAt }: HealSequence) => ({
  clientToken: token,
  clientAddress: address,
  startTime: new Date(startedAt).toISOString(),
})

const NO_TIME = '0001-01-01T00:00:00Z'
const NO_SETTINGS = { recursive: false, dryRun: false, remove: false, recreate: false, scanMode: 0 }
