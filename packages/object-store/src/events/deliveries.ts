import type { Logger } from 'pino'
import { EventQueue, type QueuedMessage } from './queue.ts'
import { type EventTarget, Sender, type Wait } from './sender.ts'

/** The queue of a target, and the sender that empties it. */
export interface Outlet {
  /** Settings of its target, as text. If they change, a new outlet is created. */
  readonly settings: string
  readonly queue: EventQueue
  readonly sender: Sender
  /** Messages that are not in the queue yet. */
  readonly pending: QueuedMessage[]
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

  /** Ends outlets that were removed or have other settings, and creates missing ones. */
  async apply(wanted: ReadonlyMap<string, WantedOutlet>): Promise<void> {
    for (const [name, { settings, sender }] of this.#outlets) {
      if (wanted.get(name)?.settings === settings) continue
      this.#outlets.delete(name)
      await sender.stop()
    }
    for (const [name, { settings, folder, limit, open }] of wanted) {
      if (this.#outlets.has(name)) continue
      const queue = await EventQueue.open(folder, limit)
      this.#outlets.set(name, { settings, queue, sender: new Sender(queue, open(), this.options), pending: [] })
    }
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
