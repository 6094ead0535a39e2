import { join } from 'node:path'
import type { StoreConfig } from '../config/config.ts'
import { parseSwitch } from '../config/value-types.ts'
import type { Engine } from '../engine/interface/types.ts'
import type { DeliveryOptions } from '../events/configured-targets.ts'
import type { EventQueue } from '../events/delivery/event-queue.ts'
import { type DeliveryTarget, type DeliveryWait, sleepUntilAborted } from '../events/delivery/queue-sender.ts'
import { openLazily, TargetDeliveries, type TargetDeliverySettings } from '../events/delivery/target-deliveries.ts'
import type { EventsOptions } from '../events/events.ts'
import { openCertificateFiles } from '../events/targets/certificates.ts'
import { openWebhook } from '../events/targets/webhook.ts'
import type { RequestRecorder } from '../requests/request-recorder.ts'
import { auditRecord, lifecycleRecord } from './audit-record.ts'
import { GapMarker, gapRecord } from './gap-marker.ts'

export interface AuditOptions extends Pick<EventsOptions, 'delivery' | 'log' | 'now'> {
  config: StoreConfig
  recorder: RequestRecorder
  engine: Pick<Engine, 'deploymentId' | 'subscribe'>
  /** The console that started this store. It gets a record of each request, independent of the configuration. */
  console?: DeliveryTarget | undefined
  /** For tests. */
  wait?: DeliveryWait
}

const SUBSYSTEM = 'audit_webhook'
/** Records are collected for this time (ms), then written to disk and sent together. */
const BATCH_MS = 50
/**
 * The console writes a batch to its own files, usually at once. Batches that it has not written after this time (ms) are written
 * to its queue. A crash loses at most the records of both times.
 */
const CONSOLE_MS = 50
/** After a batch that it has not written in time, batches are written to its queue for this time (ms). */
const CONSOLE_PAUSE_MS = 5000
/** Maximum number of records in a batch. */
const MAX_BATCH = 1000
const MAX_BATCH_LENGTH = 1 << 20
/** Maximum number of records that are not on disk yet, and their maximum total length in characters. Further ones are dropped. */
const MAX_UNWRITTEN = 50_000
const MAX_UNWRITTEN_LENGTH = 64 << 20
/** Name of the console among the targets; target names in the configuration contain no space. */
const CONSOLE_NAME = 'the console'
/** Maximum number of batches waiting for the console. */
const CONSOLE_LIMIT = 5000
/** Checks that run every few seconds are not actions of a user. MinIO and its forks do not record them either. */
const UNRECORDED_OPERATIONS = /^(?:health|metrics):/

/**
 * Sends a record of each request, and of each removal and move by a lifecycle rule, to the audit webhooks of the configuration.
 * Requests do not wait for it.
 */
export class Audit {
  readonly #options: AuditOptions
  /** By target name. */
  readonly #deliveries: TargetDeliveries
  #pending: string[] = []
  /** Number of records that are not on disk yet, with those that are being written, and their total length. */
  #unwritten = 0
  #unwrittenLength = 0
  #dropped = 0
  /** Number of records that the full queue of a target did not take, by name. A record tells of them as soon as it has room. */
  readonly #missed = new Map<string, number>()
  /** Until this time of `performance.now()`, batches for the console are written to its queue. */
  #pauseUntil = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | undefined
  #unsubscribe: (() => void) | undefined
  #applying: Promise<void> = Promise.resolve()
  #flushing: Promise<void> = Promise.resolve()
  #adding: Promise<void> = Promise.resolve()
  #stopped = false
  #marker: GapMarker | undefined

  constructor(options: AuditOptions) {
    this.#options = options
    const { log, wait = sleepUntilAborted, now = Date.now } = options
    this.#deliveries = new TargetDeliveries({ log, wait, now })
    this.#apply()
    options.config.onChange(SUBSYSTEM, () => this.#apply())
  }

  /** Resolves when the targets of the configuration have started. */
  get ready(): Promise<void> {
    return this.#applying
  }

  /** Returns each target, and whether it accepts records. */
  status(): { name: string; isOnline: boolean }[] {
    return this.#deliveries
      .all()
      .filter(([name]) => name !== CONSOLE_NAME)
      .map(([name, { sender }]) => ({ name, isOnline: sender.status.failing === undefined }))
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#unsubscribe?.()
    await this.#applying
    clearTimeout(this.#timer)
    await this.#flush()
    await this.#deliveries.stop()
    // Otherwise the next start reports them.
    if (this.#dropped === 0) await this.#marker?.remove()
  }

  #listen(): void {
    const wanted = this.#deliveries.size > 0
    if (wanted === (this.#unsubscribe !== undefined)) return
    if (!wanted) {
      this.#unsubscribe?.()
      this.#unsubscribe = undefined
      return
    }
    const { recorder, engine } = this.#options
    const endRequests = recorder.subscribe((record, { headers }) => {
      if (UNRECORDED_OPERATIONS.test(record.operation)) return
      this.#add(() => auditRecord(record, headers, engine.deploymentId))
    })
    const endChanges = engine.subscribe((change) => {
      const record = lifecycleRecord(change, engine.deploymentId)
      if (record) this.#add(() => record)
    })
    this.#unsubscribe = () => {
      endRequests()
      endChanges()
    }
  }

  #add(record: () => object): void {
    if (this.#unwritten >= MAX_UNWRITTEN || this.#unwrittenLength >= MAX_UNWRITTEN_LENGTH) this.#dropped++
    else this.#push(record())
    this.#flushSoon()
  }

  #push(record: object): void {
    const text = JSON.stringify(record)
    this.#pending.push(text)
    this.#unwritten++
    this.#unwrittenLength += text.length
  }

  #flushSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      void this.#flush()
    }, BATCH_MS)
  }

  /** Places the gap marker, and reports a gap left by the previous process. */
  async #placeGapMarker(folder: string): Promise<void> {
    if (this.#deliveries.size === 0) {
      await this.#marker?.remove()
      this.#marker = undefined
      return
    }
    if (this.#marker) return
    const { engine, now = Date.now } = this.#options
    const { marker, since } = await GapMarker.create(folder)
    this.#marker = marker
    if (since === undefined) return
    this.#add(() => gapRecord(engine.deploymentId, { now: now(), since }))
  }

  /** Does not wait for earlier records: those after them must be on disk in time too. */
  #flush(): Promise<void> {
    const earlier = this.#flushing
    this.#flushing = this.#write().then(() => earlier)
    return this.#flushing
  }

  async #write(): Promise<void> {
    const { log, engine, now = Date.now } = this.#options
    const dropped = this.#dropped
    if (dropped > 0) {
      log.warn({ count: dropped }, 'audit records were dropped: the disk is full or too slow')
      this.#push(gapRecord(engine.deploymentId, { now: now(), count: dropped }))
    }
    const lines = this.#pending
    this.#pending = []
    this.#dropped = 0
    if (lines.length === 0) return
    const batches = splitIntoBatches(lines)
    const results = await Promise.all(
      this.#deliveries.all().map(([name, { queue }]) => this.#deliver(name, queue, batches)),
    )
    this.#unwritten -= lines.length
    this.#unwrittenLength -= lines.reduce((sum, { length }) => sum + length, 0)
    // The next record that can be written reports them.
    if (results.includes(false)) this.#dropped += lines.length - (dropped > 0 ? 1 : 0) + dropped
    else await this.#marker?.touch()
  }

  /** @returns whether the batches are on disk or, because the queue was full, will be reported as missing */
  async #deliver(name: string, queue: EventQueue, batches: readonly string[][]): Promise<boolean> {
    try {
      if (name !== CONSOLE_NAME || queue.length > 0 || !(await this.#isStoredByConsole(batches)))
        await this.#addInSequence(() => this.#addToQueue(name, queue, batches))
      return true
    } catch (error) {
      this.#options.log.error({ err: error, name }, 'audit records could not be written to their queue')
      return false
    }
  }

  /** Additions to queues run in sequence, because each one may report what earlier ones could not add. */
  #addInSequence(work: () => Promise<void>): Promise<void> {
    const done = this.#adding.then(work)
    this.#adding = done.catch(() => undefined)
    return done
  }

  /** Sends batches to the console without a queue. If it does not answer in time, it may get them again: it stores them once. */
  async #isStoredByConsole(batches: readonly string[][]): Promise<boolean> {
    const { console: target } = this.#options
    if (!target || performance.now() < this.#pauseUntil) return false
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(), CONSOLE_MS)
    try {
      await Promise.all(batches.map((batch) => target.send(joinLines(batch), late.signal)))
      return true
    } catch {
      this.#pauseUntil = performance.now() + CONSOLE_PAUSE_MS
      return false
    } finally {
      clearTimeout(timer)
    }
  }

  /** Adds batches of records to the queue of a target. If earlier ones found it full, a record tells how many it has missed. */
  async #addToQueue(name: string, queue: EventQueue, batches: readonly string[][]): Promise<void> {
    const { log, engine, now = Date.now } = this.#options
    const missed = this.#missed.get(name) ?? 0
    const gap = missed > 0 ? [JSON.stringify(gapRecord(engine.deploymentId, { now: now(), count: missed }))] : []
    const messages = batches.map((batch, i) => [...(i === 0 ? gap : []), ...batch])
    const droppedBefore = queue.dropped
    await queue.add(messages.map((message) => ({ seq: 0, lane: '', body: joinLines(message) })))
    const taken = Math.max(0, messages.length - (queue.dropped - droppedBefore))
    const lost = batches.slice(taken).reduce((sum, batch) => sum + batch.length, 0)
    this.#missed.set(name, lost + (taken > 0 ? 0 : missed))
    if (lost > 0 && missed === 0)
      log.warn({ name }, 'the queue of an audit webhook is full; records are dropped until it takes some')
  }

  #targets(): { name: string; endpoint: string; authToken: string; limit: number }[] {
    const { config } = this.#options
    return config.targets(SUBSYSTEM).flatMap((name) => {
      const values = config.values(SUBSYSTEM, name)
      const { enable = '', endpoint = '', auth_token: authToken = '', queue_size: limit = '' } = values
      if (parseSwitch(enable) !== true || endpoint === '') return []
      return [{ name, endpoint, authToken, limit: Number(limit) }]
    })
  }

  #apply(): void {
    this.#applying = this.#applying
      .then(() => this.#applyTargets())
      .catch((error) => this.#options.log.error({ err: error }, 'the audit webhooks could not be started'))
  }

  async #applyTargets(): Promise<void> {
    const { delivery, console: target } = this.#options
    if (!delivery || this.#stopped) return
    const wanted = this.#targets().map((target): [string, TargetDeliverySettings] => [
      target.name,
      {
        settings: JSON.stringify(target),
        folder: join(delivery.folder, `audit-${encodeURIComponent(target.name)}`),
        limit: target.limit,
        open: () =>
          openAuditWebhook(target.name, { endpoint: target.endpoint, auth_token: target.authToken }, delivery),
      },
    ])
    if (target) {
      const folder = join(delivery.folder, 'console-audit')
      // The console syncs what it accepts, which is within moments. A second sync would take the drive's time from requests.
      wanted.push([CONSOLE_NAME, { settings: '', folder, limit: CONSOLE_LIMIT, isSynced: false, open: () => target }])
    }
    await this.#deliveries.apply(new Map(wanted))
    this.#listen()
    await this.#placeGapMarker(delivery.folder).catch((error) =>
      this.#options.log.warn({ err: error }, 'a kill of the store would not be reported in the audit records'),
    )
  }
}

const joinLines = (batch: readonly string[]) => `${batch.join('\n')}\n`

function openAuditWebhook(name: string, values: Record<string, string>, delivery: DeliveryOptions): DeliveryTarget {
  const arn = `audit_webhook:${name}`
  const certificates = openCertificateFiles(delivery.certificateFolders)
  return openLazily(arn, async () => openWebhook({ arn, values, egress: await delivery.loadEgress(), certificates }))
}

function splitIntoBatches(records: readonly string[]): string[][] {
  const batches: string[][] = []
  let length = Number.POSITIVE_INFINITY
  for (const record of records) {
    const last = batches.at(-1)
    if (last && last.length < MAX_BATCH && length < MAX_BATCH_LENGTH) last.push(record)
    else {
      batches.push([record])
      length = 0
    }
    length += record.length
  }
  return batches
}
