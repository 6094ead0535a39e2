import type { ServerResponse } from 'node:http'
import { S3Error } from '../errors.ts'

/** Bounds the S3 requests that are served at the same time. Admin calls do not count: they can raise the bound. */
export class RequestLimit {
  #running = 0

  /** @param max called for each request; 0: no limit */
  constructor(private readonly max: () => number) {}

  /** Counts a request as running until its answer has ended. @throws S3Error SlowDown when too many are running */
  enter(response: ServerResponse): void {
    const max = this.max()
    if (max > 0 && this.#running >= max) {
      throw new S3Error('SlowDown', 'The server is at its limit of concurrent requests. Please try again later.')
    }
    this.#running++
    response.once('close', () => this.#running--)
  }
}
