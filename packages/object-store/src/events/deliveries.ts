import type { Logger } from 'pino'
import { EventQueue, type QueuedMessage } from './queue.ts'
import { type EventTarget, Sender, type Wait } from './sender.ts'

/** The way to one target: its queue, and what empties it. */
export interface Outlet {
  /** What its target was made from. Another outlet is made when this changes. */
  readonly settings: string
  readonly queue: EventQueue
  readonly sender: Sender
  /** Messages that are not in the queue yet. */
  readonly pending: QueuedMessage[]
}

export interface WantedOutlet {
  readonly settings: string
  /** Of its queue. */
  readonly folder: string
  /** Messages that its queue takes. */
  readonly limit: number
  open(): EventTarget
}

/** One outlet for each target that the configuration has, by name. */
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

  /** Ends the outlets that are not wanted any more or have other settings, and makes those that are missing. */
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

/** A target that is opened with its first message, and loads its code then. A failure to open is the target's failure. */
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
