import { type Reason, reason } from '@stowage/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ConsoleConfig } from '../../../lib/config/config.ts'
import { HttpError } from '../../../lib/errors/http-errors.ts'
import { requestLocation } from '../../../lib/http/base-path.ts'
import { AnySession } from '../../../lib/session/session-payload.ts'
import {
  browserCookie,
  type CookieLocation,
  cookiePieceNames,
  expireForeignCookies,
  joinCookie,
  readCookies,
  SCRIPT_COOKIE,
  setCookie,
  splitCookie,
} from './cookies.ts'
import { RevokedSessions } from './revoked-sessions.ts'
import { looksSealed, Sealer } from './sealer.ts'

export type SessionByKind<K extends AnySession['kind']> = Extract<AnySession, { kind: K }>

export interface SessionOptions {
  /** Sessions of other purposes are not readable here. */
  purpose?: string
  /** The base path that the cookies are kept below; default: that of the request. */
  basePath?: (request: FastifyRequest) => string
}

/** Opens and seals sessions, and keeps them in cookies. The console itself stores no sessions. */
export class Sessions<K extends AnySession['kind'] = 'sts'> {
  readonly revoked = new RevokedSessions()
  readonly #sealer: Sealer
  readonly #publicUrl: URL | undefined
  readonly #basePath: (request: FastifyRequest) => string

  /** @param kind of the accepted sessions: a console does not accept those of the other mode */
  constructor(
    secrets: readonly [string, ...string[]],
    config: Pick<ConsoleConfig, 'publicUrl'>,
    private readonly kind: K,
    { purpose, basePath = (request) => requestLocation(request.raw).base }: SessionOptions = {},
  ) {
    this.#sealer = new Sealer(secrets, purpose)
    this.#basePath = basePath
    this.#publicUrl = config.publicUrl
  }

  seal(session: SessionByKind<K>): string {
    return this.#sealer.seal(JSON.stringify(session))
  }

  /**
   * Returns the session of a request: from its Bearer token, else from its cookie.
   * @throws HttpError 401 with the original's message; it also expires an invalid cookie, because scripts of a page cannot
   */
  read(request: FastifyRequest): SessionByKind<K> {
    const bearer = bearerToken(request)
    if (bearer !== undefined) return this.#live(bearer)
    const sealed = this.#fromCookies(request)
    if (sealed === undefined) throw new HttpError(401, reason('not-signed-in'))
    return this.#live(sealed, () => this.#expiring(request))
  }

  /** Whether a request carries a session that was sealed here, valid or expired. */
  hasSession(request: FastifyRequest): boolean {
    try {
      const sealed = bearerToken(request) ?? this.#fromCookies(request)
      return sealed !== undefined && this.#open(sealed) !== undefined
    } catch (error) {
      if (error instanceof HttpError) return false
      throw error
    }
  }

  /**
   * Returns the sealed session in a request's cookies. A page on another port of this host can set cookies, and so sign a
   * browser in as another user: therefore a browser's session is accepted in the browser cookie only, and two sessions are
   * refused.
   */
  #fromCookies(request: FastifyRequest): string | undefined {
    const cookies = readCookies(request.headers.cookie)
    const own = joinCookie(this.#ownName(request), cookies)
    const plain = joinCookie(SCRIPT_COOKIE, cookies)
    if (own === 'ambiguous') throw this.#refused(request, reason('two-sessions'))
    // Other programs on this host may use a cookie `token` too; only a sealed one counts as a second session.
    const isOurs = cookies.get(SCRIPT_COOKIE)?.some(looksSealed) ?? false
    if (own !== undefined && isOurs) throw this.#refused(request, reason('two-sessions'))
    if (own !== undefined) return own
    if (isBrowserRequest(request) && isOurs) throw this.#refused(request, reason('script-cookie'))
    if (isBrowserRequest(request)) return undefined
    if (plain === 'ambiguous') throw this.#refused(request, reason('two-sessions'))
    return plain
  }

  #refused(request: FastifyRequest, detail: Reason): HttpError {
    const place = this.#cookieLocation(request)
    const path = place.base.slice(0, -1) + urlPath(requestLocation(request.raw).url)
    const cookies = readCookies(request.headers.cookie)
    const own = cookiePieceNames(this.#ownName(request), cookies)
    const expired = [
      ...own.flatMap((name) => expireForeignCookies(name, path, place)),
      ...this.#ourPlainPieces(request).flatMap((name) => [
        ...expireForeignCookies(name, path, place),
        setCookie(name, '', { path: place.base, secure: place.secure, maxAge: 0 }),
      ]),
    ]
    return new HttpError(401, reason('session-invalid'), { detail, headers: { 'set-cookie': expired } })
  }

  #live(sealed: string, expired: () => string[] = () => []): SessionByKind<K> {
    const opened = this.#open(sealed)
    if (opened && opened.expires > Date.now() && !this.revoked.has(opened.id)) return opened
    const headers = { 'set-cookie': expired() }
    if (!opened) throw new HttpError(401, reason('session-unreadable'), { headers })
    throw new HttpError(401, reason('session-invalid'), { detail: reason('session-ended'), headers })
  }

  #open(sealed: string): SessionByKind<K> | undefined {
    const text = this.#sealer.open(sealed)
    if (text === undefined) return undefined
    // We sealed it, so it is JSON, but perhaps of a later version that this one cannot read.
    const session = AnySession.safeParse(JSON.parse(text)).data
    return session?.kind === this.kind ? (session as SessionByKind<K>) : undefined
  }

  /** Puts a session into a cookie: the browser cookie for a browser, the one of the specification for a script. */
  writeCookies(request: FastifyRequest, reply: FastifyReply, session: SessionByKind<K>, sealed: string): void {
    const { base: path, secure } = this.#cookieLocation(request)
    const maxAge = Math.max(0, Math.floor((session.expires - Date.now()) / 1000))
    const pieces = splitCookie(isBrowserRequest(request) ? this.#ownName(request) : SCRIPT_COOKIE, sealed)
    const kept = new Set(pieces.map(([name]) => name))
    reply.header('set-cookie', [
      ...pieces.map(([name, content]) => setCookie(name, content, { path, secure, maxAge })),
      ...this.#expiring(request, kept),
    ])
  }

  /** Deletes the session's cookies; the first one even if this request does not carry it. */
  deleteCookies(request: FastifyRequest, reply: FastifyReply): void {
    const { base: path, secure } = this.#cookieLocation(request)
    const first = isBrowserRequest(request) ? this.#ownName(request) : SCRIPT_COOKIE
    const carried = this.#expiring(request, new Set([first]))
    reply.header('set-cookie', [setCookie(first, '', { path, secure, maxAge: 0 }), ...carried])
  }

  /** Returns headers that expire the session cookies of a request. */
  #expiring(request: FastifyRequest, kept: ReadonlySet<string> = new Set()): string[] {
    const { base: path, secure } = this.#cookieLocation(request)
    const own = cookiePieceNames(this.#ownName(request), readCookies(request.headers.cookie))
    return [...own, ...this.#ourPlainPieces(request)]
      .filter((name) => !kept.has(name))
      .map((name) => setCookie(name, '', { path, secure, maxAge: 0 }))
  }

  /** Returns the pieces of a plain `token`, unless it belongs to another program on this host. */
  #ourPlainPieces(request: FastifyRequest): string[] {
    const cookies = readCookies(request.headers.cookie)
    const isOurs = !isBrowserRequest(request) || cookies.get(SCRIPT_COOKIE)?.some(looksSealed)
    return isOurs ? cookiePieceNames(SCRIPT_COOKIE, cookies) : []
  }

  /** Returns name and path of a cookie that this console gives to browsers. */
  consoleCookie(request: FastifyRequest, stem: string): { name: string; path: string; secure: boolean } {
    const place = this.#cookieLocation(request)
    return { name: browserCookie(place, stem), path: place.base, secure: place.secure }
  }

  #ownName(request: FastifyRequest): string {
    return browserCookie(this.#cookieLocation(request))
  }

  #cookieLocation(request: FastifyRequest): CookieLocation {
    return {
      base: this.#basePath(request),
      host: request.host,
      // A proxy that terminates TLS may not say so.
      secure: request.protocol === 'https' || this.#publicUrl?.protocol === 'https:',
    }
  }
}

const urlPath = (url: string) => url.split('?', 1)[0] ?? ''

export function bearerToken(request: FastifyRequest): string | undefined {
  return /^Bearer\s+(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
}

/** Whether a request comes from a browser: scripts get the sealed session in the answer, pages do not. */
export function isBrowserRequest({ headers }: FastifyRequest): boolean {
  // Over plain HTTP, browsers send Sec-Fetch-Site only to loopback addresses. To other hosts they send Origin with every write,
  // and Referer with every read by our pages.
  return (headers['sec-fetch-site'] ?? headers.origin ?? headers.referer) !== undefined
}
