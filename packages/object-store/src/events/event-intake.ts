import type { Logger } from 'pino'
import type { Engine } from '../engine/interface/types.ts'
import type { EventQueue, QueuedMessage } from './delivery/event-queue.ts'
import type { TargetDeliveries, TargetDelivery } from './delivery/target-deliveries.ts'

/** Name of the document that holds the number of the last change whose events are in the queues. */
const CURSOR = 'events'
const SAVE_MS = 5000
/** Pause between two attempts to write to a queue, for example on a full disk. */
const AGAIN_MS = 1000
/** Maximum number of changes that are kept in the journal for messages that cannot be written. */
const MAX_HELD = 1_000_000
/** Maximum number of messages per target in memory while its queue cannot be written. Further ones are dropped. */
const MAX_PENDING = 10_000

/**
 * Writes messages to the queues of their targets, and stores a cursor: the number of the last change whose messages are in the
 * queues. Later changes are read from the journal again after a crash.
 */
export class EventIntake {
  #flushing: Promise<void> | undefined
  /** Numbers of the last change processed, the last one whose events are on disk, and the last one saved as cursor. */
  #seen = 0
  #safe = 0
  #saved = 0
  #saveTimer: NodeJS.Timeout | undefined
  #againTimer: NodeJS.Timeout | undefined
  #stopped = false
  /** Queues whose last write failed. */
  readonly #failing = new WeakSet<EventQueue>()

  constructor(
    private readonly options: {
      engine: Engine
      log: Logger
      outlets: TargetDeliveries
      /** ms between two attempts; for tests. */
      againMs?: number | undefined
    },
  ) {}

  /** Returns the number to start after; undefined: start from now, because there were no targets before. */
  startAfter(): number | undefined {
    const { engine } = this.options
    const text = engine.getDocument('cursors', CURSOR)
    const seq = text === undefined ? Number.NaN : Number(text)
    // A time in the future comes from data restored from a backup.
    const after = seq <= engine.lastChange() ? seq : undefined
    this.#safe = after ?? engine.lastChange()
    return after
  }

  /** Begins a change. Its messages must be added before the next change. */
  begin(seq: number): void {
    this.#seen = seq
  }

  /** Ends the current change, which has no messages. */
  skip(): void {
    if (!this.#flushing && !this.#againTimer) this.#safe = this.#seen
    this.#saveLater()
  }

  /** Adds a message to an outlet; `flush` writes it. */
  add(outlet: TargetDelivery, message: QueuedMessage): void {
    if (outlet.pending.length < MAX_PENDING) outlet.pending.push(message)
    else outlet.queue.dropped++
  }

  flush(): void {
    if (this.#againTimer) return
    this.#flushing ??= this.#write().finally(() => {
      this.#flushing = undefined
      if (this.options.outlets.listUnwritten().length > 0 && !this.#stopped) this.flush()
    })
    this.#saveLater()
  }

  /** Keeps the journal from here on if there are targets, so that a crash loses no events. Without targets, releases it. */
  async keepJournal(): Promise<void> {
    const { engine, outlets } = this.options
    const hasTargets = outlets.size > 0
    if (hasTargets === (engine.getDocument('cursors', CURSOR) !== undefined)) return
    const value = hasTargets ? String(engine.lastChange()) : undefined
    await engine.putDocuments([{ collection: 'cursors', name: CURSOR, value }])
  }

  /** Stops writing to queues. Called before the targets are stopped and before the last `save`. */
  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#againTimer)
    clearTimeout(this.#saveTimer)
    await this.#flushing
  }

  /** Saves the cursor. Without targets there must be none, because it would prevent trimming of the journal. */
  async save(): Promise<void> {
    const { engine, log, outlets } = this.options
    const seq = this.#safe
    if (outlets.size === 0 || seq <= this.#saved) return
    this.#saved = seq
    try {
      await engine.putDocuments([{ collection: 'cursors', name: CURSOR, value: String(seq) }])
    } catch (error) {
      log.warn({ err: error }, 'the position of the events could not be saved')
    }
  }

  async #write(): Promise<void> {
    const seen = this.#seen
    let isSafe = true
    const { outlets } = this.options
    for (const outlet of outlets.listUnwritten()) {
      if (!(await this.#writeTo(outlet))) isSafe = false
    }
    outlets.forgetWritten()
    // A folder that is never usable must not hold back the journal for ever.
    if (isSafe || seen - this.#safe > MAX_HELD) this.#safe = seen
    if (!isSafe && !this.#stopped) this.#writeAgainLater()
  }

  /** @returns whether everything is on disk, or dropped because the queue is full */
  async #writeTo({ queue, pending, isChanging }: TargetDelivery): Promise<boolean> {
    const { log } = this.options
    if (isChanging) return false
    const droppedBefore = queue.dropped
    const messages = pending.splice(0)
    try {
      await queue.add(messages)
      this.#failing.delete(queue)
    } catch (error) {
      // Some of them may then be in the queue twice.
      pending.unshift(...messages)
      // Log it once, not for every attempt.
      if (!this.#failing.has(queue)) {
        log.error({ err: error }, 'events could not be written to their queue; this is tried again')
      }
      this.#failing.add(queue)
      return false
    }
    if (queue.dropped > droppedBefore && droppedBefore === 0) {
      log.warn('an event queue is full; events are dropped until its target accepts some')
    }
    return true
  }

  #writeAgainLater(): void {
    this.#againTimer ??= setTimeout(() => {
      this.#againTimer = undefined
      this.flush()
    }, this.options.againMs ?? AGAIN_MS).unref()
  }

  #saveLater(): void {
    if (this.options.outlets.size === 0 || this.#stopped) return
    this.#saveTimer ??= setTimeout(() => {
      this.#saveTimer = undefined
      void this.save()
    }, SAVE_MS).unref()
  }
}
