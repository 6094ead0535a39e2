import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../lib/config/config.ts'
import { locationOf } from '../../lib/http/base-path.ts'
import { Refusal } from '../../lib/http/errors.ts'
import { SessionPayload } from '../../lib/session/payload.ts'
import { COOKIE, joinCookies, sessionCookieNames, splitCookie } from './cookie.ts'
import { RevokedSessions } from './revoked.ts'
import { Sealer } from './seal.ts'

/** Opens and seals sessions and keeps them in the browser's cookies. The console itself stores none. */
export class Sessions {
  readonly revoked = new RevokedSessions()
  readonly #sealer: Sealer
  readonly #publicUrl: URL | undefined

  constructor(secrets: readonly [string, ...string[]], config: Pick<Config, 'publicUrl'>) {
    this.#sealer = new Sealer(secrets)
    this.#publicUrl = config.publicUrl
  }

  seal(session: SessionPayload): string {
    return this.#sealer.seal(JSON.stringify(session))
  }

  /**
   * The session of a request: from its Bearer, else from its cookie.
   * @throws Refusal 401 in the original's words; a dead cookie is expired on the way, because no script can
   */
  of(request: FastifyRequest): SessionPayload {
    const bearer = bearerOf(request)
    const sealed = bearer ?? joinCookies(request.cookies)
    if (!sealed) throw new Refusal(401, 'unauthenticated for invalid credentials')
    const headers = bearer === undefined ? this.#expiring(request) : {}
    const opened = this.#open(sealed)
    if (!opened) throw new Refusal(401, 'incorrect api key auth', { headers })
    if (opened.expires <= Date.now() || this.revoked.has(opened.id))
      throw new Refusal(401, 'invalid session', {
        detail: 'The session has ended, please sign in again',
        headers,
      })
    return opened
  }

  #open(sealed: string): SessionPayload | undefined {
    const text = this.#sealer.open(sealed)
    if (text === undefined) return undefined
    // Sealed by us, so it is JSON; of a later version perhaps, which this one cannot read.
    return SessionPayload.safeParse(JSON.parse(text)).data
  }

  /** Puts a session into the browser's cookies. */
  keep(request: FastifyRequest, reply: FastifyReply, session: SessionPayload, sealed: string): void {
    const pieces = splitCookie(sealed)
    const maxAge = Math.max(0, Math.floor((session.expires - Date.now()) / 1000))
    for (const [name, value] of pieces) reply.setCookie(name, value, { ...this.#attributes(request), maxAge })
    const kept = new Set(pieces.map(([name]) => name))
    for (const name of sessionCookieNames(request.cookies))
      if (!kept.has(name)) reply.clearCookie(name, this.#attributes(request))
  }

  /** Takes the session's cookies away; the first also when this request carries none. */
  drop(request: FastifyRequest, reply: FastifyReply): void {
    for (const name of new Set([COOKIE, ...sessionCookieNames(request.cookies)]))
      reply.clearCookie(name, this.#attributes(request))
  }

  #attributes(request: FastifyRequest) {
    return {
      path: locationOf(request.raw).base,
      httpOnly: true,
      sameSite: 'strict',
      // A proxy that ends TLS need not tell us that the browser came by it.
      secure: request.protocol === 'https' || this.#publicUrl?.protocol === 'https:',
    } as const
  }

  #expiring(request: FastifyRequest): Record<string, string[]> {
    const { path, secure } = this.#attributes(request)
    const rest = `Path=${path}; Max-Age=0; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`
    return { 'set-cookie': sessionCookieNames(request.cookies).map((name) => `${name}=; ${rest}`) }
  }
}

function bearerOf(request: FastifyRequest): string | undefined {
  return /^Bearer\s+(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
}

/** Whether a browser asks: scripts get to see the sealed session, pages do not. */
export function isBrowser(request: FastifyRequest): boolean {
  // Over plain HTTP browsers leave Sec-Fetch-Site out unless the host is this machine; Origin they send with every write.
  return request.headers['sec-fetch-site'] !== undefined || request.headers.origin !== undefined
}
