import { reason } from '@stowage/contract'
import { KubeError } from '@stowage/kube'
import { LRUCache } from 'lru-cache'
import { HttpError } from '../../../lib/errors/http-errors.ts'
import type { KubeClients } from '../../../lib/kube/kube-clients.ts'
import type { KubeSession } from '../../../lib/session/session-payload.ts'

/** Time between two checks of a token (ms). */
const RECHECK_MS = 60_000
const CHECK_MS = 10_000
const MAX_SESSIONS = 10_000

interface Entry extends KubeClients {
  timer?: NodeJS.Timeout
  /** Set while the first check of a session that was opened elsewhere runs. */
  first?: Promise<void>
}

/**
 * Ends the sessions whose token the API server no longer accepts. Calls to the API server notice that by themselves; open tenants,
 * their sockets and downloads do not use the token. A session that is not checked here opens no tenant.
 */
export class TokenChecks {
  readonly #entries = new LRUCache<string, Entry>({
    max: MAX_SESSIONS,
    dispose: ({ timer, session }, _id, why) => {
      clearTimeout(timer)
      if (why === 'evict') this.end(session)
    },
  })

  constructor(private readonly end: (session: KubeSession) => void) {}

  /** Starts the checks of a session that opens a tenant, whose token has just been used. */
  add(clients: KubeClients): void {
    if (this.#entries.has(clients.session.id)) return
    const entry = { ...clients }
    this.#entries.set(clients.session.id, entry)
    this.#checkLater(entry)
  }

  has(session: string): boolean {
    return this.#entries.get(session) !== undefined
  }

  /**
   * Checks a session whose tenant was opened by another process, or by this one before a restart, and starts its checks.
   * @throws KubeError or HttpError if the API server does not confirm the token
   */
  async restore(clients: KubeClients): Promise<void> {
    const { id } = clients.session
    const known = this.#entries.get(id)
    if (known) return await known.first
    const entry: Entry = { ...clients }
    this.#entries.set(id, entry)
    entry.first = this.#confirm(entry).catch((error: unknown) => {
      this.forget(id)
      throw error
    })
    await entry.first
    delete entry.first
    this.#checkLater(entry)
  }

  forget(session: string): void {
    this.#entries.delete(session)
  }

  #checkLater(entry: Entry): void {
    entry.timer = setTimeout(() => {
      const { id, expires } = entry.session
      if (this.#entries.peek(id) !== entry) return
      if (expires <= Date.now()) return this.forget(id)
      this.#checkLater(entry)
      // An API server that does not answer has not refused the token.
      this.#confirm(entry).catch(() => {})
    }, RECHECK_MS)
    entry.timer.unref()
  }

  /** Asks the API server, and ends the session if it refuses the token. */
  async #confirm({ kube, session }: Entry): Promise<void> {
    try {
      await kube.whoAmI({ signal: AbortSignal.timeout(CHECK_MS) })
    } catch (error) {
      if (!isTokenRefused(error)) throw error
      this.end(session)
      throw new HttpError(401, reason('session-invalid'), { detail: reason('session-ended') })
    }
  }
}

/** Whether the API server or the identity provider refused the credential of a session. */
export function isTokenRefused(error: unknown): boolean {
  return error instanceof KubeError ? error.code === 'Unauthorized' : error instanceof HttpError && error.status === 401
}
