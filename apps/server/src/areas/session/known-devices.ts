import { hash, randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { readCookies, setCookie } from './cookie.ts'
import { Sealer } from './seal.ts'
import { isBrowser, type Sessions } from './sessions.ts'

const Device = z.object({
  id: z.string(),
  /** Hashes of the access keys that have signed in with it, the last one first. */
  keys: z.array(z.string()),
})
type Device = z.infer<typeof Device>

/** Keys that one browser is remembered with. */
const MAX_KEYS = 8
const MAX_AGE = 180 * 24 * 3600

/**
 * Browsers that have signed in before, by a sealed cookie that outlives the session. Wrong guesses of others from the same
 * address, behind one proxy for instance, do not count against them. It signs nobody in.
 */
export class KnownDevices {
  readonly #sealer: Sealer

  constructor(
    secrets: readonly [string, ...string[]],
    private readonly sessions: Sessions,
  ) {
    this.#sealer = new Sealer(secrets, 'known device')
  }

  /** The device of a request when it has signed in with this access key before. */
  of(request: FastifyRequest, accessKey: string): string | undefined {
    const device = this.#read(request)
    return device?.keys.includes(digestOf(accessKey)) ? device.id : undefined
  }

  /** Remembers that a browser has signed in with an access key; a script keeps nothing. */
  remember(request: FastifyRequest, reply: FastifyReply, accessKey: string): void {
    if (!isBrowser(request)) return
    const { id, keys } = this.#read(request) ?? { id: randomUUID(), keys: [] }
    const key = digestOf(accessKey)
    const device: Device = { id, keys: [key, ...keys.filter((each) => each !== key)].slice(0, MAX_KEYS) }
    const { name, path, secure } = this.#cookie(request)
    reply.header(
      'set-cookie',
      setCookie(name, this.#sealer.seal(JSON.stringify(device)), { path, secure, maxAge: MAX_AGE }),
    )
  }

  #read(request: FastifyRequest): Device | undefined {
    const [sealed, another] = readCookies(request.headers.cookie).get(this.#cookie(request).name) ?? []
    const text = sealed === undefined || another !== undefined ? undefined : this.#sealer.open(sealed)
    return text === undefined ? undefined : Device.safeParse(JSON.parse(text)).data
  }

  #cookie(request: FastifyRequest) {
    return this.sessions.cookieOf(request, 'stowage-device')
  }
}

function digestOf(accessKey: string): string {
  return hash('sha256', accessKey, 'base64url').slice(0, 22)
}
