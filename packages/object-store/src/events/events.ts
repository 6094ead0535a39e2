import type { Logger } from 'pino'
import { matchesEvent } from '../bucket-settings/event-names.ts'
import type { NotificationRule } from '../bucket-settings/notification-codec.ts'
import type { StoreConfig } from '../config/config.ts'
import { DEFAULT_QUEUE_LIMIT } from '../config/notification-registry.ts'
import type { Engine, StoreChange } from '../engine/interface/types.ts'
import { changeEvent } from './change-event.ts'
import {
  type ConfiguredNotificationTarget,
  type DeliveryOptions,
  listConfiguredTargets,
  notificationArn,
  notificationTargetGuard,
  targetQueueFolder,
} from './configured-targets.ts'
import {
  type DeliveryStatus,
  type DeliveryTarget,
  type DeliveryWait,
  sleepUntilAborted,
} from './delivery/queue-sender.ts'
import type { RefusedMessage } from './delivery/refused-messages.ts'
import { TargetDeliveries, type TargetDelivery, type TargetDeliverySettings } from './delivery/target-deliveries.ts'
import { EventIntake } from './event-intake.ts'
import { type EventSourceInfo, eventMessage, eventRecord, type StoreEvent, testEvent } from './store-event.ts'
import { parseEventMessage } from './targets/open-target.ts'
import { NOTIFICATION_TARGET_KINDS } from './targets/target-kinds.ts'
import { TargetThread } from './thread/target-thread.ts'

export interface EventsOptions {
  engine: Engine
  config: StoreConfig
  log: Logger
  source: EventSourceInfo
  /** How events are delivered, and the folders of the queues. Without it there are no targets. */
  delivery?: DeliveryOptions | undefined
  /** For tests. */
  wait?: DeliveryWait
  now?: () => number
  againMs?: number
}

export type { DeliveryOptions } from './configured-targets.ts'

/** Selects events for a listener. */
export interface EventFilter {
  /** Undefined: all buckets. */
  bucket?: string | undefined
  events: readonly string[]
  prefix: string
  suffix: string
}

const TEST_MS = 15_000

/** Delivers the store's events to listeners and to the targets of bucket notification rules. */
export class StoreEvents {
  readonly #options: EventsOptions
  readonly #listeners = new Set<(event: StoreEvent) => void>()
  /** By ARN. */
  readonly #outlets: TargetDeliveries
  readonly #intake: EventIntake
  readonly #thread: TargetThread | undefined
  #unsubscribe: (() => void) | undefined
  #applying: Promise<void> = Promise.resolve()
  #stopped = false

  constructor(options: EventsOptions) {
    this.#options = options
    const { engine, log, wait = sleepUntilAborted, now = Date.now, againMs } = options
    this.#outlets = new TargetDeliveries({ log, wait, now })
    this.#thread = options.delivery && new TargetThread({ log, ...options.delivery })
    this.#intake = new EventIntake({ engine, log, outlets: this.#outlets, againMs })
    this.#apply()
    // After the targets, so that changes from the journal find their queues.
    this.#applying = this.#applying.then(() => {
      if (this.#stopped) return
      const after = options.delivery && this.#intake.startAfter()
      this.#unsubscribe = engine.subscribe((change) => this.#onChange(change), after)
    })
    for (const kind of NOTIFICATION_TARGET_KINDS) {
      options.config.onChange(kind.subsystem, () => this.#apply())
      if (options.delivery) options.config.guard(kind.subsystem, notificationTargetGuard(kind, options.delivery))
    }
  }

  /** Resolves when the targets of the configuration have started. */
  get ready(): Promise<void> {
    return this.#applying
  }

  /** Returns the ARNs of the targets that rules may use. */
  arns(): string[] {
    return this.#targets().map(({ arn }) => arn)
  }

  /** Returns the status of the enabled targets. */
  status(): DeliveryStatus[] {
    return this.#outlets.all().map(([, { sender }]) => sender.status)
  }

  /** Calls the listener with each matching event. Returns a function that stops it. */
  listen(filter: EventFilter, listener: (event: StoreEvent) => void): () => void {
    const filtered = (event: StoreEvent) => {
      if (filter.bucket !== undefined && filter.bucket !== event.bucket) return
      if (matchesFilter(filter, event)) listener(event)
    }
    this.#listeners.add(filtered)
    return () => this.#listeners.delete(filtered)
  }

  eventRecord(event: StoreEvent, configurationId = ''): object {
    return eventRecord(event, configurationId, this.#options.source)
  }

  /** Whether anyone needs read events of this bucket; call it before creating one. */
  wantsAccess(bucket: string): boolean {
    return this.#listeners.size > 0 || (this.#outlets.size > 0 && this.#rules(bucket).length > 0)
  }

  /** Publishes an event that is not in the journal, such as a read. */
  publish(event: StoreEvent): void {
    this.#publish(event, 0)
  }

  /**
   * Sends a test event directly, without queue and rules, even to a disabled target.
   * @throws the target's error
   */
  async sendTest(subsystem: string, id: string): Promise<void> {
    const { config, source, now = Date.now } = this.#options
    const kind = NOTIFICATION_TARGET_KINDS.find((each) => each.subsystem === subsystem)
    if (!kind) throw new Error('this server sends no events')
    const values = config.values(subsystem, id)
    const target = this.#open({ arn: notificationArn(source.region, id, kind), id, kind, values })
    const event = testEvent(now())
    try {
      await target.send(eventMessage(event, this.eventRecord(event)), AbortSignal.timeout(TEST_MS))
    } finally {
      await target.close()
    }
  }

  /** Returns the events that a target has refused permanently, oldest first. Empty for a disabled target. */
  async listRefused(subsystem: string, id: string): Promise<RefusedMessage[]> {
    return (await this.#outlet(subsystem, id)?.queue.listRefused()) ?? []
  }

  /** Sends refused events again, after those waiting. @returns how many fitted into the queue */
  async resendRefused(subsystem: string, id: string): Promise<number> {
    return (await this.#outlet(subsystem, id)?.queue.resendRefused((body) => parseEventMessage(body).key)) ?? 0
  }

  async dropRefused(subsystem: string, id: string): Promise<void> {
    await this.#outlet(subsystem, id)?.queue.dropRefused()
  }

  #outlet(subsystem: string, id: string): TargetDelivery | undefined {
    const kind = NOTIFICATION_TARGET_KINDS.find((each) => each.subsystem === subsystem)
    return kind && this.#outlets.get(notificationArn(this.#options.source.region, id, kind))
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#unsubscribe?.()
    await this.#applying
    await this.#intake.stop()
    await this.#outlets.stop()
    await this.#thread?.stop()
    await this.#intake.save()
  }

  #onChange(change: StoreChange): void {
    this.#intake.begin(change.seq)
    // For example a change of the cursor, which must not cause another save of the cursor.
    if (change.type === 'other') return
    const isWanted = this.#listeners.size > 0 || this.#outlets.size > 0
    const event = isWanted ? changeEvent(change, this.#options.engine) : undefined
    if (event) this.#publish(event, change.seq)
    else this.#intake.skip()
  }

  #publish(event: StoreEvent, seq: number): void {
    for (const listener of this.#listeners) listener(event)
    if (event.key !== '') {
      const queuedTo = new Set<TargetDelivery>()
      for (const rule of this.#rules(event.bucket)) {
        const outlet = this.#outlets.get(rule.arn) ?? this.#outlets.get(this.#currentArn(rule.arn))
        // Overlapping rules of one target send an event once.
        if (!outlet || queuedTo.has(outlet) || !matchesFilter(rule, event)) continue
        queuedTo.add(outlet)
        // Already queued before a crash, and read from the journal again.
        if (seq !== 0 && seq <= outlet.queue.lastSeq) continue
        const body = eventMessage(event, this.eventRecord(event, rule.id))
        this.#intake.add(outlet, { seq, lane: `${event.bucket}/${event.key}`, body })
      }
    }
    this.#intake.flush()
  }

  #rules(bucket: string): readonly NotificationRule[] {
    try {
      return this.#options.engine.getBucketSetting(bucket, 'notification')?.value ?? []
    } catch {
      // The bucket was deleted with its rules.
      return []
    }
  }

  /** Returns the current ARN of a rule's target, which has the same name and kind: the region may have changed since. */
  #currentArn(arn: string): string {
    const [, , , , id = '', kind = ''] = arn.split(':')
    return `arn:minio:sqs:${this.#options.source.region}:${id}:${kind}`
  }

  /** Opens a target in the worker thread. */
  #open({ arn, kind: { subsystem, window }, values }: ConfiguredNotificationTarget): DeliveryTarget {
    const { delivery } = this.#options
    if (!this.#thread || !delivery) throw new Error('this server sends no events')
    const target = this.#thread.open({ subsystem, arn, values, certificateFolders: delivery.certificateFolders })
    return { ...target, ...(window !== undefined && { window }) }
  }

  #targets(): ConfiguredNotificationTarget[] {
    return listConfiguredTargets(this.#options.config, this.#options.source.region)
  }

  #apply(): void {
    this.#applying = this.#applying
      .then(() => this.#applyTargets())
      .catch((error) => this.#options.log.error({ err: error }, 'the event targets could not be started'))
  }

  async #applyTargets(): Promise<void> {
    const { delivery } = this.#options
    if (!delivery || this.#stopped) return
    const wanted = this.#targets().map((target): [string, TargetDeliverySettings] => [
      target.arn,
      {
        settings: JSON.stringify(target.values),
        folder: targetQueueFolder(target, delivery),
        limit: Number(target.values.queue_limit) || DEFAULT_QUEUE_LIMIT,
        open: () => this.#open(target),
      },
    ])
    await this.#outlets.apply(new Map(wanted))
    // Messages of removed targets, and of those that were changing.
    this.#intake.flush()
    await this.#intake.keepJournal()
  }
}

function matchesFilter(
  { events, prefix, suffix }: Pick<EventFilter, 'events' | 'prefix' | 'suffix'>,
  { name, key }: StoreEvent,
): boolean {
  return matchesEvent(events, name) && key.startsWith(prefix) && key.endsWith(suffix)
}
