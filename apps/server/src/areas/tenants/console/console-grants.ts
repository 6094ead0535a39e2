import { randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { TenantLink } from '../../../lib/kube/tenant-links.ts'

/** Maximum number of open tenant consoles, over all sessions. */
const MAX_OPEN = 1_000
/** How long the one-time address is valid (ms). */
const TICKET_MS = 30_000
/** Timers in Node cannot be longer (ms). */
const MAX_TIMER_MS = 2 ** 31 - 1

export interface ConsoleGrantOptions {
  namespace: string
  tenant: string
  /** ID of the operator session; the login ends with it. */
  session: string
  /** ms since 1970. */
  expires: number
  link: TenantLink
  /** Other origins at which the tenant's console is reached. */
  addresses: readonly string[]
  /** Origin of the page that may embed it in a frame. */
  framedBy: string
  /** Origin at which it is shown. */
  shownAt: string
  /** Whether all tenants are shown at that origin. */
  isShared: boolean
  /** Signs in at the tenant; resolves to a `Cookie` header. */
  signIn: () => Promise<string>
}

/** One session's login at the console of one tenant. The browser never receives it. */
export class ConsoleGrant {
  readonly id = randomBytes(32).toString('base64url')
  readonly #ended = new AbortController()
  #cookie: string
  #renewal: Promise<string> | undefined

  constructor(
    readonly options: Readonly<ConsoleGrantOptions>,
    cookie: string,
  ) {
    this.#cookie = cookie
  }

  get cookie(): string {
    return this.#cookie
  }

  /** Aborts when the login ends, together with all its requests. */
  get signal(): AbortSignal {
    return this.#ended.signal
  }

  isFor(namespace: string, tenant: string): boolean {
    return this.options.namespace === namespace && this.options.tenant === tenant
  }

  /** Signs in again, once for all calls that were refused with the same login. */
  async renew(refused: string): Promise<string> {
    if (this.#cookie !== refused) return this.#cookie
    this.#renewal ??= this.options.signIn().finally(() => {
      this.#renewal = undefined
    })
    this.#cookie = await this.#renewal
    return this.#cookie
  }

  end(): void {
    this.#ended.abort()
  }
}

/** The logins at tenants' consoles, in the memory of this process. */
export class ConsoleGrants {
  readonly #open = new LRUCache<string, ConsoleGrant>({ max: MAX_OPEN, dispose: (grant) => grant.end(), perf: Date })
  readonly #tickets = new LRUCache<string, ConsoleGrant>({ max: MAX_OPEN, ttl: TICKET_MS, perf: Date })

  /**
   * Adds a login, and ends other logins of the session at the same origin, which scripts of this tenant could use.
   * @returns a ticket that a browser can redeem once
   */
  add(grant: ConsoleGrant): string {
    const { session, shownAt } = grant.options
    for (const [id, { options }] of this.#open)
      if (options.session === session && options.shownAt === shownAt) this.#open.delete(id)
    const ttl = Math.max(1, grant.options.expires - Date.now())
    this.#open.set(grant.id, grant, { ttl })
    // The cache only notices at the next access, but sockets and answers may be running.
    const end = setTimeout(() => this.#open.delete(grant.id), Math.min(ttl, MAX_TIMER_MS)).unref()
    grant.signal.addEventListener('abort', () => clearTimeout(end), { once: true })
    const ticket = randomBytes(32).toString('base64url')
    this.#tickets.set(ticket, grant)
    return ticket
  }

  /** Returns the login of a ticket; a ticket is valid once. */
  redeem(ticket: string): ConsoleGrant | undefined {
    const grant = this.#tickets.get(ticket)
    this.#tickets.delete(ticket)
    return grant && this.get(grant.id)
  }

  get(id: string): ConsoleGrant | undefined {
    const grant = this.#open.get(id)
    return grant && !grant.signal.aborted ? grant : undefined
  }

  endSession(session: string): void {
    for (const [id, { options }] of this.#open) if (options.session === session) this.#open.delete(id)
  }

  close(): void {
    this.#open.clear()
  }
}
