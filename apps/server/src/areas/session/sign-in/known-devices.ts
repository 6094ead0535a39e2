import { hash, randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { readCookies, setCookie } from '../sealed-sessions/cookies.ts'
import { Sealer } from '../sealed-sessions/sealer.ts'
import { isBrowserRequest, type Sessions } from '../sealed-sessions/sessions.ts'

const Device = z.object({
  id: z.string(),
  /** Hashes of the access keys that have signed in with it, latest first. */
  keys: z.array(z.string()),
  /** When its cookie was set (ms since 1970). */
  set: z.number(),
})
/** A browser that has signed in before. */
type Device = z.infer<typeof Device>

/** Maximum number of keys remembered per browser. */
const MAX_KEYS = 8
const DAY_MS = 24 * 3600 * 1000
/** Days that a browser is remembered after a sign-in, and days after which a sign-in renews the cookie. */
const KEPT_DAYS = 180
const RENEWED_DAYS = 30

/**
 * Remembers browsers that have signed in before, in a sealed cookie that outlives the session. Wrong guesses of others with the
 * same address, for instance behind one proxy, do not count against them. The cookie does not sign anyone in.
 */
export class KnownDevices {
  readonly #sealer: Sealer

  constructor(
    secrets: readonly [string, ...string[]],
    private readonly sessions: Sessions,
  ) {
    this.#sealer = new Sealer(secrets, 'known device')
  }

  /** Returns the device of a request, if it has signed in before. */
  find(request: FastifyRequest): Device | undefined {
    const [sealed, another] = readCookies(request.headers.cookie).get(this.#cookie(request).name) ?? []
    const text = sealed === undefined || another !== undefined ? undefined : this.#sealer.open(sealed)
    return text === undefined ? undefined : Device.safeParse(JSON.parse(text)).data
  }

  /**
   * Remembers that a browser has signed in with an access key. Does nothing for scripts.
   * @param known result of `find`
   */
  remember(request: FastifyRequest, reply: FastifyReply, accessKey: string, known: Device | undefined): void {
    if (!isBrowserRequest(request)) return
    const key = accessKeyDigest(accessKey)
    const now = Date.now()
    if (known?.keys[0] === key && now - known.set < RENEWED_DAYS * DAY_MS) return
    const { id, keys } = known ?? { id: randomUUID(), keys: [] }
    const others = keys.filter((each) => each !== key)
    const device: Device = { id, keys: [key, ...others].slice(0, MAX_KEYS), set: now }
    const { name, path, secure } = this.#cookie(request)
    const maxAge = (KEPT_DAYS * DAY_MS) / 1000
    reply.header('set-cookie', setCookie(name, this.#sealer.seal(JSON.stringify(device)), { path, secure, maxAge }))
  }

  #cookie(request: FastifyRequest) {
    return this.sessions.consoleCookie(request, 'stowage-device')
  }
}

/** Whether an access key has signed in from a device. */
export function hasSignedIn({ keys }: Device, accessKey: string): boolean {
  return keys.includes(accessKeyDigest(accessKey))
}

function accessKeyDigest(accessKey: string): string {
  return hash('sha256', accessKey, 'base64url').slice(0, 22)
}
