import type { Logger } from 'pino'
import type { NotificationRule } from '../bucket-settings/notification.ts'
import type { Config } from '../config/config.ts'
import type { Change, Engine } from '../engine/types.ts'
import {
  arnOf,
  type ConfiguredTarget,
  configuredTargets,
  type Delivery,
  openTarget,
  queueFolder,
  targetGuard,
} from './configured-targets.ts'
import { Deliveries, type Outlet, type WantedOutlet } from './deliveries.ts'
import { messageOf, recordOf, type Source, type StoreEvent, testEvent } from './event.ts'
import { eventOf } from './event-of-change.ts'
import { Intake } from './intake.ts'
import { matchesEvent } from './names.ts'
import type { RefusedEvent } from './refused.ts'
import { type TargetStatus, type Wait, waitFor } from './sender.ts'
import { TARGET_KINDS } from './targets/kinds.ts'
import { readMessage } from './targets/target.ts'

export interface EventsOptions {
  engine: Engine
  config: Config
  log: Logger
  source: Source
  /** How events go out, and the folders of their queues. Without it there are no targets. */
  delivery?: Delivery | undefined
  /** For tests. */
  wait?: Wait
  now?: () => number
  againMs?: number
}

export type { Delivery } from './configured-targets.ts'

/** Who listens to events as they happen. */
export interface EventFilter {
  /** Undefined: of all buckets. */
  bucket?: string | undefined
  events: readonly string[]
  prefix: string
  suffix: string
}

const TEST_MS = 15_000

/** Delivers the store's events to listeners and to the targets of bucket notification rules. */
export class Events {
  readonly #options: EventsOptions
  readonly #listeners = new Set<(event: StoreEvent) => void>()
  /** By ARN. */
  readonly #outlets: Deliveries
  readonly #intake: Intake
  #unsubscribe: (() => void) | undefined
  #applying: Promise<void> = Promise.resolve()
  #stopped = false

  constructor(options: EventsOptions) {
    this.#options = options
    const { engine, log, wait = waitFor, now = Date.now, againMs } = options
    this.#outlets = new Deliveries({ log, wait, now })
    this.#intake = new Intake({ engine, log, outlets: this.#outlets, againMs })
    this.#apply()
    // Behind the targets: what is read from the journal finds its queues.
    this.#applying = this.#applying.then(() => {
      if (this.#stopped) return
      const after = options.delivery && this.#intake.startAfter()
      this.#unsubscribe = engine.subscribe((change) => this.#onChange(change), after)
    })
    for (const kind of TARGET_KINDS) {
      options.config.onChange(kind.subsystem, () => this.#apply())
      if (options.delivery) options.config.guard(kind.subsystem, targetGuard(kind, options.delivery))
    }
  }

  /** Resolves when the targets of the configuration are at work. */
  get ready(): Promise<void> {
    return this.#applying
  }

  /** The ARNs of the targets that rules may name. */
  arns(): string[] {
    return this.#targets().map(({ arn }) => arn)
  }

  /** Of the targets that are switched on. */
  status(): TargetStatus[] {
    return this.#outlets.all().map(([, { sender }]) => sender.status)
  }

  /** Calls back with each event that fits the filter. Returns the function that ends it. */
  listen(filter: EventFilter, listener: (event: StoreEvent) => void): () => void {
    const filtered = (event: StoreEvent) => {
      if (filter.bucket !== undefined && filter.bucket !== event.bucket) return
      if (fits(filter, event)) listener(event)
    }
    this.#listeners.add(filtered)
    return () => this.#listeners.delete(filtered)
  }

  recordOf(event: StoreEvent, configurationId = ''): object {
    return recordOf(event, configurationId, this.#options.source)
  }

  /** Whether anybody wants to know of reads of this bucket; to be asked before an event of one is made. */
  wantsAccess(bucket: string): boolean {
    return this.#listeners.size > 0 || (this.#outlets.size > 0 && this.#rules(bucket).length > 0)
  }

  /** An event that the journal does not have, such as a read. */
  publish(event: StoreEvent): void {
    this.#publish(event, 0)
  }

  /**
   * Sends one event, marked as a test, past the queue and its rules; also to a target that is switched off.
   * @throws what the target says
   */
  async sendTest(subsystem: string, id: string): Promise<void> {
    const { config, source, delivery, now = Date.now } = this.#options
    const kind = TARGET_KINDS.find((each) => each.subsystem === subsystem)
    if (!kind || !delivery) throw new Error('this server sends no events')
    const values = config.values(subsystem, id)
    const target = openTarget({ arn: arnOf(source.region, id, kind), id, kind, values }, delivery)
    const event = testEvent(now())
    try {
      await target.send(messageOf(event, this.recordOf(event)), AbortSignal.timeout(TEST_MS))
    } finally {
      await target.close()
    }
  }

  /** What a target has refused for good, oldest first. Nothing for one that is switched off. */
  async listRefused(subsystem: string, id: string): Promise<RefusedEvent[]> {
    return (await this.#outlet(subsystem, id)?.queue.listRefused()) ?? []
  }

  /** Sends refused events again, behind those that wait. @returns how many the queue had room for */
  async resendRefused(subsystem: string, id: string): Promise<number> {
    return (await this.#outlet(subsystem, id)?.queue.resendRefused((body) => readMessage(body).key)) ?? 0
  }

  async dropRefused(subsystem: string, id: string): Promise<void> {
    await this.#outlet(subsystem, id)?.queue.dropRefused()
  }

  #outlet(subsystem: string, id: string): Outlet | undefined {
    const kind = TARGET_KINDS.find((each) => each.subsystem === subsystem)
    return kind && this.#outlets.get(arnOf(this.#options.source.region, id, kind))
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#unsubscribe?.()
    await this.#applying
    await this.#intake.stop()
    await this.#outlets.stop()
    await this.#intake.save()
  }

  #onChange(change: Change): void {
    this.#intake.begin(change.seq)
    // Such as that of the cursor itself, which must not be saved for its own sake.
    if (change.type === 'other') return
    const isWanted = this.#listeners.size > 0 || this.#outlets.size > 0
    const event = isWanted ? eventOf(change, this.#options.engine) : undefined
    if (event) this.#publish(event, change.seq)
    else this.#intake.pass()
  }

  #publish(event: StoreEvent, seq: number): void {
    for (const listener of this.#listeners) listener(event)
    if (event.key !== '') {
      const told = new Set<Outlet>()
      for (const rule of this.#rules(event.bucket)) {
        const outlet = this.#outlets.get(rule.arn) ?? this.#outlets.get(this.#arnToday(rule.arn))
        // Overlapping rules of one target send an event once.
        if (!outlet || told.has(outlet) || !fits(rule, event)) continue
        told.add(outlet)
        // Taken over before a crash, and read from the journal once more.
        if (seq !== 0 && seq <= outlet.queue.lastSeq) continue
        const body = messageOf(event, this.recordOf(event, rule.id))
        this.#intake.add(outlet, { seq, lane: `${event.bucket}/${event.key}`, body })
      }
    }
    this.#intake.flush()
  }

  #rules(bucket: string): readonly NotificationRule[] {
    try {
      return this.#options.engine.getBucketSetting(bucket, 'notification')?.value ?? []
    } catch {
      // The bucket has gone, and its rules with it.
      return []
    }
  }

  /** A rule may be older than the region of this server: the name and the kind of its target count. */
  #arnToday(arn: string): string {
    const [, , , , id = '', kind = ''] = arn.split(':')
    return `arn:minio:sqs:${this.#options.source.region}:${id}:${kind}`
  }

  #targets(): ConfiguredTarget[] {
    return configuredTargets(this.#options.config, this.#options.source.region)
  }

  #apply(): void {
    this.#applying = this.#applying
      .then(() => this.#applyTargets())
      .catch((error) => this.#options.log.error({ err: error }, 'the event targets could not be started'))
  }

  async #applyTargets(): Promise<void> {
    const { delivery } = this.#options
    if (!delivery || this.#stopped) return
    const wanted = this.#targets().map((target): [string, WantedOutlet] => [
      target.arn,
      {
        settings: JSON.stringify(target.values),
        folder: queueFolder(target, delivery),
        limit: Number(target.values.queue_limit),
        open: () => openTarget(target, delivery),
      },
    ])
    await this.#outlets.apply(new Map(wanted))
    await this.#intake.keepJournal()
  }
}

function fits(
  { events, prefix, suffix }: Pick<EventFilter, 'events' | 'prefix' | 'suffix'>,
  { name, key }: StoreEvent,
): boolean {
  return matchesEvent(events, name) && key.startsWith(prefix) && key.endsWith(suffix)
}
