import { reason } from '@stowage/contract'
import { LRUCache } from 'lru-cache'
import { HttpError } from '../../../lib/errors/http-errors.ts'
import type { SessionRenewal } from '../../../lib/session/session-payload.ts'

/** A credential is renewed when it is valid for less than this (ms). */
export const RENEW_BEFORE_MS = 30_000
/** After a failure the provider is asked again no sooner than this (ms), as long as the old credential is valid. */
const RETRY_MS = 5_000
/** Sessions whose newest credential is remembered. */
const MAX_SESSIONS = 10_000

/** A session whose credential an identity provider renews. */
export interface RenewableSession {
  id: string
  renewal?: SessionRenewal | undefined
}

interface Entry<S> {
  newest: S
  /** The exchange that is under way: a refresh token is often good for one use. */
  running: Promise<S> | undefined
  retryAt: number
}

/** Keeps the credentials of sessions valid that an identity provider renews. */
export class SessionRenewals<S extends RenewableSession> {
  readonly #entries = new LRUCache<string, Entry<S>>({ max: MAX_SESSIONS })

  /** @param renew exchanges the refresh token; throws HttpError 401 when the provider refuses it */
  constructor(private readonly renew: (session: S, renewal: SessionRenewal) => Promise<S>) {}

  /**
   * The session with a credential that is valid; the same object when nothing was renewed.
   * @throws HttpError 401 when the provider has ended the session, 502 when it does not answer and the credential has ended
   */
  async current(session: S): Promise<S> {
    if (!session.renewal) return session
    const entry = this.#findEntry(session)
    const { newest } = entry
    const mayWait = isFresh(newest) || (Date.now() < entry.retryAt && isValid(newest))
    if (!mayWait) entry.running ??= this.#renew(entry).finally(() => (entry.running = undefined))
    const current = mayWait ? newest : ((await entry.running) ?? newest)
    const { tokenExpires, refreshToken } = session.renewal
    const isSame = renewalEnd(current) === tokenExpires && current.renewal?.refreshToken === refreshToken
    return isSame ? session : current
  }

  forget(id: string): void {
    this.#entries.delete(id)
  }

  /** A request can carry an older credential than another request of this session got, or a newer one from another replica. */
  #findEntry(session: S): Entry<S> {
    const known = this.#entries.get(session.id)
    if (known && renewalEnd(known.newest) >= renewalEnd(session)) return known
    const entry: Entry<S> = { newest: session, running: undefined, retryAt: 0 }
    this.#entries.set(session.id, entry)
    return entry
  }

  async #renew(entry: Entry<S>): Promise<S> {
    const { newest } = entry
    if (!newest.renewal) return newest
    try {
      entry.newest = await this.renew(newest, newest.renewal)
      return entry.newest
    } catch (error) {
      if (error instanceof HttpError && error.status === 401)
        throw new HttpError(401, reason('session-invalid'), { detail: reason('session-ended'), cause: error })
      if (!isValid(newest)) throw error
      entry.retryAt = Date.now() + RETRY_MS
      return newest
    }
  }
}

const renewalEnd = ({ renewal }: RenewableSession): number => renewal?.tokenExpires ?? 0
const isValid = (session: RenewableSession): boolean => Date.now() < renewalEnd(session)
const isFresh = (session: RenewableSession): boolean => Date.now() < renewalEnd(session) - RENEW_BEFORE_MS
