import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { RefusedPeer } from '@stowage/egress'

/** Its name is resolved again after this time (ms). */
const RESOLVE_MS = 60_000

/** The addresses of the API server, to which no address that a user or a tenant names may lead. */
export class ApiServerPeers implements Disposable {
  readonly #host: string
  readonly port: number
  readonly #timer: NodeJS.Timeout | undefined
  #addresses: readonly string[] = []

  private constructor({ hostname, protocol, port }: URL) {
    this.#host = hostname.replace(/^\[|\]$/g, '')
    this.port = Number(port) || (protocol === 'http:' ? 80 : 443)
    if (isIP(this.#host)) this.#addresses = [this.#host]
    else this.#timer = setInterval(() => void this.#resolve(), RESOLVE_MS).unref()
  }

  static async create(server: URL): Promise<ApiServerPeers> {
    const peers = new ApiServerPeers(server)
    await peers.#resolve()
    return peers
  }

  refusedPeers(): RefusedPeer[] {
    return this.#addresses.map((address) => ({ address, port: this.port, what: 'the API server' }))
  }

  async #resolve(): Promise<void> {
    if (isIP(this.#host)) return
    // While the name does not resolve, the former addresses stay refused.
    const found = await lookup(this.#host, { all: true }).catch(() => undefined)
    if (found) this.#addresses = found.map(({ address }) => address)
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }
}
