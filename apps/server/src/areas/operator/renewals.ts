import { reason } from '@stowage/contract'
import { LRUCache } from 'lru-cache'
import { HttpError } from '../../lib/http/errors.ts'
import type { KubeSession } from '../../lib/session/payload.ts'
import { expiryOf } from './token.ts'

/** A token is renewed when it is valid for less than this (ms). */
export const RENEW_BEFORE_MS = 30_000
/** After a failure, the provider is not asked again for this long (ms) while the old token is valid. */
const RETRY_MS = 5_000
/** Maximum number of sessions whose newest token is remembered. */
const MAX_SESSIONS = 10_000

/** Exchanges a refresh token at a provider. @throws HttpError 401 if the provider refuses it */
export type Refresh = (
  provider: string,
  refreshToken: string,
) => Promise<{ idToken: string; refreshToken: string | undefined }>

interface Entry {
  newest: KubeSession
  /** The running exchange: a refresh token can often be used only once. */
  running: Promise<KubeSession> | undefined
  retryAt: number
}

/** Keeps tokens from an identity provider valid. */
export class Renewals {
  readonly #entries = new LRUCache<string, Entry>({ max: MAX_SESSIONS })

  constructor(private readonly refresh: Refresh) {}

  /**
   * Returns the session with a valid token; the same object if nothing was renewed.
   * @throws HttpError 401 if the provider has ended the session, 502 if it does not answer and the token has expired
   */
  async current(session: KubeSession): Promise<KubeSession> {
    if (!session.renewal) return session
    const entry = this.#entryOf(session)
    const { newest } = entry
    const mayWait = isFresh(newest) || (Date.now() < entry.retryAt && isValid(newest))
    if (!mayWait) entry.running ??= this.#renew(entry).finally(() => (entry.running = undefined))
    const current = mayWait ? newest : ((await entry.running) ?? newest)
    const isSame = current.token === session.token && current.renewal?.refreshToken === session.renewal.refreshToken
    return isSame ? session : current
  }

  forget(id: string): void {
    this.#entries.delete(id)
  }

  /** A request may carry an older token than another request of this session got, or a newer one from another replica. */
  #entryOf(session: KubeSession): Entry {
    const known = this.#entries.get(session.id)
    if (known && endOf(known.newest) >= endOf(session)) return known
    const entry: Entry = { newest: session, running: undefined, retryAt: 0 }
    this.#entries.set(session.id, entry)
    return entry
  }

  async #renew(entry: Entry): Promise<KubeSession> {
    const { newest } = entry
    const { renewal } = newest
    if (!renewal) return newest
    try {
      const { idToken, refreshToken = renewal.refreshToken } = await this.refresh(
        renewal.provider,
        renewal.refreshToken,
      )
      const tokenExpires = expiryOf(idToken) ?? newest.expires
      entry.newest = { ...newest, token: idToken, renewal: { ...renewal, refreshToken, tokenExpires } }
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

const endOf = ({ renewal }: KubeSession): number => renewal?.tokenExpires ?? 0
const isValid = (session: KubeSession): boolean => Date.now() < endOf(session)
const isFresh = (session: KubeSession): boolean => Date.now() < endOf(session) - RENEW_BEFORE_MS
