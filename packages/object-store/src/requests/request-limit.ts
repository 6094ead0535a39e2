import type { ServerResponse } from 'node:http'
import { S3Error } from '../lib/errors.ts'

/** Limits the number of S3 requests served at the same time. Admin calls are not limited, because they can raise the limit. */
export class RequestLimit {
  #running = 0

  /** @param max called for each request; 0: no limit */
  constructor(private readonly max: () => number) {}

  /** Counts a request until its answer has ended. @throws S3Error SlowDown if too many are running */
  enter(response: ServerResponse): void {
    const max = this.max()
    if (max > 0 && this.#running >= max) {
      throw new S3Error('SlowDown', 'The server is at its limit of concurrent requests. Please try again later.')
    }
    this.#running++
    response.once('close', () => this.#running--)
  }
}
