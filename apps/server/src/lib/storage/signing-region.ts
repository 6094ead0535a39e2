import { UpstreamError } from '../errors/storage-errors.ts'

/**
 * The region that the storage server wants in signatures, for all sessions of one server. A session contains the region of its
 * sign-in; when an administrator changes it, the server refuses that one and names its own, which is used from then on.
 */
export class SigningRegion {
  #current: string | undefined

  /** @param signedIn the region of the session, used until the server has named another one */
  current(signedIn: string): string {
    return this.#current ?? signedIn
  }

  /** Remembers the region that an answer names. @returns whether it is another one than `used`, so that signing again can help */
  learn(error: unknown, used: string): boolean {
    if (!(error instanceof UpstreamError) || error.region === undefined || error.region === used) return false
    this.#current = error.region
    return true
  }
}
