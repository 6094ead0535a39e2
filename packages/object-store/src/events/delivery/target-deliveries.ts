import type { Logger } from 'pino'
import { EventQueue, type QueuedMessage } from './event-queue.ts'
import { type DeliveryTarget, type DeliveryWait, QueueSender } from './queue-sender.ts'

/** The queue of a target, and the sender that empties it. If the settings of the target change, both are replaced. */
export interface TargetDelivery {
  /** Settings of its target, as text. */
  settings: string
  folder: string
  queue: EventQueue
  sender: QueueSender
  /** Messages that are not in the queue yet. A target that is removed and added again keeps this list. */
  readonly pending: QueuedMessage[]
  /** Queue and sender are being replaced; messages remain in `pending` until then. */
  isChanging: boolean
}

export interface TargetDeliverySettings {
  readonly settings: string
  /** Folder of its queue. */
  readonly folder: string
  /** Maximum number of messages in its queue. */
  readonly limit: number
  /** As in `EventQueue.open`; true if absent. */
  readonly isSynced?: boolean
  open(): DeliveryTarget
}

/** The outlets of all configured targets, by name. */
export class TargetDeliveries {
  readonly #outlets = new Map<string, TargetDelivery>()
  /** Outlets of removed targets, until all of their messages are in the queue. */
  readonly #removed = new Map<string, TargetDelivery>()

  constructor(private readonly options: { wait: DeliveryWait; now: () => number; log: Logger }) {}

  get size(): number {
    return this.#outlets.size
  }

  get(name: string): TargetDelivery | undefined {
    return this.#outlets.get(name)
  }

  all(): [name: string, outlet: TargetDelivery][] {
    return [...this.#outlets]
  }

  /** Returns the outlets that may have messages to write to their queues, also those of removed targets. */
  listUnwritten(): TargetDelivery[] {
    return [...this.#outlets.values(), ...this.#removed.values()].filter(({ pending }) => pending.length > 0)
  }

  /** Forgets removed targets whose messages are in their queues. Call it when nothing is being written. */
  forgetWritten(): void {
    for (const [name, { pending }] of this.#removed) if (pending.length === 0) this.#removed.delete(name)
  }

  /**
   * Ends outlets that were removed, changes those with other settings, and creates missing ones. No message is lost: those that
   * arrive meanwhile wait, and those in the queue of a removed target are sent when it is added again. A target whose folder
   * cannot be used is logged, does not hold up the others, and is tried again by its sender.
   */
  async apply(wanted: ReadonlyMap<string, TargetDeliverySettings>): Promise<void> {
    for (const [name, outlet] of [...this.#outlets]) {
      if (!wanted.has(name)) await this.#attempt(name, this.#remove(name, outlet))
    }
    for (const [name, settings] of wanted) {
      const outlet = this.#outlets.get(name)
      if (!outlet) await this.#attempt(name, this.#add(name, settings))
      else if (outlet.settings !== settings.settings) await this.#attempt(name, this.#change(outlet, settings))
    }
  }

  async #attempt(name: string, work: Promise<void>): Promise<void> {
    await work.catch((error) => this.options.log.error({ err: error, name }, 'a target could not be started or ended'))
  }

  async #remove(name: string, outlet: TargetDelivery): Promise<void> {
    this.#outlets.delete(name)
    this.#removed.set(name, outlet)
    await outlet.sender.stop()
  }

  async #add(name: string, wanted: TargetDeliverySettings): Promise<void> {
    const removed = this.#removed.get(name)
    // A folder must not have two queues that write to it.
    await removed?.queue.close()
    this.#removed.delete(name)
    const outlet = this.#create(wanted, removed?.pending)
    this.#outlets.set(name, outlet)
    await outlet.queue.ensureOpen()
  }

  #create(
    { settings, folder, limit, isSynced, open }: TargetDeliverySettings,
    pending: QueuedMessage[] = [],
  ): TargetDelivery {
    const queue = new EventQueue(folder, limit, isSynced)
    return { settings, folder, queue, sender: new QueueSender(queue, open(), this.options), pending, isChanging: false }
  }

  async #change(outlet: TargetDelivery, wanted: TargetDeliverySettings): Promise<void> {
    outlet.isChanging = true
    const { queue: old } = outlet
    let next: TargetDelivery | undefined
    try {
      await outlet.sender.stop()
      next = this.#create(wanted)
      const { settings, folder, queue, sender } = next
      await queue.ensureOpen()
      if (folder !== outlet.folder) await this.#move(old, queue)
      Object.assign(outlet, { settings, folder, queue, sender, isChanging: false })
    } catch (error) {
      // A queue has one sender only, and there may be another one for this queue soon.
      await next?.sender.stop().catch(() => undefined)
      // Its messages wait, and are sent, where they were. The next change is tried from there.
      const { queue, sender } = this.#create({ ...wanted, folder: outlet.folder })
      Object.assign(outlet, { queue, sender, isChanging: false })
      throw error
    }
  }

  /** Moves the messages of a queue. Those in a folder that cannot be read stay there. */
  async #move(from: EventQueue, to: EventQueue): Promise<void> {
    try {
      await from.ensureOpen()
    } catch (error) {
      return this.options.log.warn({ err: error }, 'the former folder of an event queue cannot be read')
    }
    await from.moveTo(to)
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#outlets.values()].map(({ sender }) => sender.stop()))
  }
}

/** Creates a target that is opened, and whose code is loaded, with its first message. If it cannot be opened, sending fails. */
export function openLazily(arn: string, open: () => Promise<DeliveryTarget>): DeliveryTarget {
  let opened: Promise<DeliveryTarget> | undefined
  return {
    arn,
    async send(message, signal) {
      opened ??= open().catch((error) => {
        opened = undefined
        throw error
      })
      await (await opened).send(message, signal)
    },
    async close() {
      const target = await opened?.catch(() => undefined)
      await target?.close()
    },
  }
}
