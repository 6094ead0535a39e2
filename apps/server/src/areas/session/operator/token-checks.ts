import { KubeError } from '@stowage/kube'
import { LRUCache } from 'lru-cache'
import { HttpError } from '../../../lib/errors/http-errors.ts'
import type { KubeClients } from '../../../lib/kube/kube-clients.ts'
import type { KubeSession } from '../../../lib/session/session-payload.ts'

/** A token is checked at most this often (ms). */
const RECHECK_MS = 60_000
const CHECK_MS = 10_000
const MAX_SESSIONS = 10_000

interface Entry extends KubeClients {
  isDue: boolean
}

/**
 * Ends the sessions whose token the API server no longer accepts. Calls to the API server notice that by themselves; open tenants
 * do not use the token.
 */
export class TokenChecks {
  readonly #entries = new LRUCache<string, Entry>({ max: MAX_SESSIONS })

  constructor(private readonly end: (session: KubeSession) => void) {}

  /** Starts the checks of a session that opens a tenant. */
  add(clients: KubeClients): void {
    if (this.#entries.has(clients.session.id)) return
    const entry = { ...clients, isDue: false }
    this.#entries.set(clients.session.id, entry)
    waitForCheck(entry)
  }

  /** Checks the token of a session if that is due, while the request continues. */
  checkIfDue(session: string): void {
    const entry = this.#entries.get(session)
    if (!entry?.isDue) return
    entry.isDue = false
    waitForCheck(entry)
    entry.kube.whoAmI({ signal: AbortSignal.timeout(CHECK_MS) }).catch((error: unknown) => {
      if (isTokenRefused(error)) this.end(entry.session)
    })
  }

  forget(session: string): void {
    this.#entries.delete(session)
  }
}

function waitForCheck(entry: Entry): void {
  setTimeout(() => {
    entry.isDue = true
  }, RECHECK_MS).unref()
}

/** Whether the API server or the identity provider refused the credential of a session. */
export function isTokenRefused(error: unknown): boolean {
  return error instanceof KubeError ? error.code === 'Unauthorized' : error instanceof HttpError && error.status === 401
}
