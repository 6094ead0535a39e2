import type { Logger } from 'pino'
import { EventQueue, type QueuedMessage } from './queue.ts'
import { type EventTarget, Sender, type Wait } from './sender.ts'

/** The queue of a target, and the sender that empties it. If the settings of the target change, both are replaced. */
export interface Outlet {
  /** Settings of its target, as text. */
  settings: string
  folder: string
  queue: EventQueue
  sender: Sender
  /** Messages that are not in the queue yet. */
  readonly pending: QueuedMessage[]
  /** Queue and sender are being replaced; messages remain in `pending` until then. */
  isChanging: boolean
}

export interface WantedOutlet {
  readonly settings: string
  /** Folder of its queue. */
  readonly folder: string
  /** Maximum number of messages in its queue. */
  readonly limit: number
  open(): EventTarget
}

/** The outlets of all configured targets, by name. */
export class Deliveries {
  readonly #outlets = new Map<string, Outlet>()

  constructor(private readonly options: { wait: Wait; now: () => number; log: Logger }) {}

  get size(): number {
    return this.#outlets.size
  }

  get(name: string): Outlet | undefined {
    return this.#outlets.get(name)
  }

  all(): [name: string, outlet: Outlet][] {
    return [...this.#outlets]
  }

  /**
   * Ends outlets that were removed, changes those with other settings, and creates missing ones. No message is lost: those that
   * arrive meanwhile wait, and those in the queue of a removed target are sent when it is added again. A target that fails is
   * logged, and does not hold up the others.
   * @returns whether all targets have started with these settings
   */
  async apply(wanted: ReadonlyMap<string, WantedOutlet>): Promise<boolean> {
    for (const [name, outlet] of [...this.#outlets]) {
      if (!wanted.has(name)) await this.#attempt(name, this.#remove(name, outlet))
    }
    for (const [name, settings] of wanted) {
      const outlet = this.#outlets.get(name)
      if (!outlet) await this.#attempt(name, this.#add(name, settings))
      else if (outlet.settings !== settings.settings) await this.#attempt(name, this.#change(name, outlet, settings))
    }
    return [...wanted].every(([name, { settings }]) => this.#outlets.get(name)?.settings === settings)
  }

  async #attempt(name: string, work: Promise<void>): Promise<void> {
    await work.catch((error) => this.options.log.error({ err: error, name }, 'a target could not be started or ended'))
  }

  async #remove(name: string, outlet: Outlet): Promise<void> {
    this.#outlets.delete(name)
    await this.#keepPending(outlet)
    await outlet.sender.stop()
  }

  async #add(name: string, wanted: WantedOutlet): Promise<void> {
    this.#outlets.set(name, await this.#create(wanted))
  }

  async #create({ settings, folder, limit, open }: WantedOutlet): Promise<Outlet> {
    const queue = await EventQueue.open(folder, limit)
    const sender = new Sender(queue, open(), this.options)
    return { settings, folder, queue, sender, pending: [], isChanging: false }
  }

  async #change(name: string, outlet: Outlet, wanted: WantedOutlet): Promise<void> {
    outlet.isChanging = true
    const { queue: old } = outlet
    let next: Outlet | undefined
    try {
      await outlet.sender.stop()
      next = await this.#create(wanted)
      const { settings, folder, queue, sender } = next
      if (folder !== outlet.folder) await old.moveTo(queue)
      Object.assign(outlet, { settings, folder, queue, sender, isChanging: false })
    } catch (error) {
      // A queue has one sender only, and there may be another one for this queue soon.
      await next?.sender.stop().catch(() => undefined)
      // Its messages wait, and are sent, where they were. The next change is tried from there.
      const { folder } = outlet
      const kept = await this.#create({ ...wanted, folder }).catch(() => undefined)
      if (kept) Object.assign(outlet, { queue: kept.queue, sender: kept.sender, isChanging: false })
      else {
        // The target has no queue any more. Its messages must not wait in memory for ever.
        this.#outlets.delete(name)
        await this.#keepPending(outlet)
      }
      throw error
    }
  }

  /** Writes messages that are not in the queue yet, so that they are sent when the target is added again. */
  async #keepPending({ queue, pending }: Outlet): Promise<void> {
    await queue.add(pending.splice(0)).catch((error) => {
      this.options.log.error({ err: error }, 'events of a removed target could not be written to their queue')
    })
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#outlets.values()].map(({ sender }) => sender.stop()))
  }
}

/** Creates a target that is opened, and whose code is loaded, with its first message. If it cannot be opened, sending fails. */
export function lazyTarget(arn: string, open: () => Promise<EventTarget>): EventTarget {
  let opened: Promise<EventTarget> | undefined
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
