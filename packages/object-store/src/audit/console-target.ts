import type { DeliveryTarget } from '../events/delivery/queue-sender.ts'
import type { StoreCommand, StoreMessage } from '../process/process-messages.ts'

interface ConsoleChannel {
  send(message: StoreMessage): boolean
  onCommand(listener: (command: StoreCommand) => void): void
}

/**
 * Sends audit records to the console that started this store, over the channel between the two processes. The records
 * cross no network, so the rules for outgoing connections do not apply.
 */
export class ConsoleAuditTarget implements DeliveryTarget {
  readonly arn = 'console'
  readonly #waiting = new Map<number, (error: string | undefined) => void>()
  #count = 0

  constructor(private readonly channel: ConsoleChannel) {
    channel.onCommand((command) => {
      if (command.type !== 'audited') return
      this.#waiting.get(command.id)?.(command.error)
      this.#waiting.delete(command.id)
    })
  }

  send(lines: string, signal: AbortSignal): Promise<void> {
    const id = ++this.#count
    return new Promise((resolve, reject) => {
      const end = (error: string | undefined) => {
        signal.removeEventListener('abort', abort)
        if (error === undefined) resolve()
        else reject(new Error(error))
      }
      const abort = () => {
        this.#waiting.delete(id)
        reject(signal.reason as Error)
      }
      signal.addEventListener('abort', abort, { once: true })
      this.#waiting.set(id, end)
      if (this.channel.send({ type: 'audit', id, lines })) return
      this.#waiting.delete(id)
      end('The console has ended.')
    })
  }

  async close(): Promise<void> {}
}
