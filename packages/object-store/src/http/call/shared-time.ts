import { setImmediate } from 'node:timers/promises'
import { S3Error } from '../../lib/errors.ts'
import type { StoreCall } from './call.ts'

/** A request may keep the thread this long before others get their turn (ms). */
const SLICE_MS = 5

/**
 * Divides long work of one request, such as the evaluation of policies for a thousand keys, so that other requests and signals are
 * served meanwhile.
 */
export class SharedTime {
  readonly #call: StoreCall
  #since = performance.now()

  constructor(call: StoreCall) {
    this.#call = call
  }

  /**
   * Call it between two steps. Gives others their turn after some milliseconds.
   * @throws S3Error RequestTimeout if the client has disconnected, ServiceUnavailable if the store is stopping
   */
  async next(): Promise<void> {
    if (performance.now() - this.#since < SLICE_MS) return
    await setImmediate()
    const { request, store } = this.#call
    if (request.socket.destroyed) throw new S3Error('RequestTimeout', 'The client has disconnected.')
    if (store.closing.aborted) throw new S3Error('ServiceUnavailable', 'The server is stopping. Please try again.')
    this.#since = performance.now()
  }
}
