import dns, { type LookupAddress, type LookupOptions } from 'node:dns'
import {
  type ConnectOpts,
  isIP,
  type OnReadOpts,
  Socket,
  type SocketConnectOpts,
  type SocketConstructorOpts,
  type TcpSocketConnectOpts,
} from 'node:net'
import { EgressError } from './errors.ts'
import type { Target } from './rules.ts'

/** Throws if a target is refused. */
export type Check = (target: Target) => void

/** Same signature as `dns.lookup`, which reads the hosts file and asks the system's resolver. */
export type Lookup = typeof dns.lookup

/**
 * A socket that connects only to addresses that the guard allows. It checks every address between name resolution and
 * connection, so that a name cannot change its address in between. Before `connect` it is an ordinary unconnected socket, which
 * can be passed to clients of other protocols that open sockets themselves.
 */
export class GuardedSocket extends Socket {
  readonly #check: Check
  readonly #lookup: Lookup

  /** @param onread receives the data in its own buffers, instead of the readers of the stream */
  constructor(check: Check, lookup: Lookup = dns.lookup, onread?: OnReadOpts) {
    const options: SocketConstructorOpts & ConnectOpts = onread ? { onread } : {}
    super(options)
    this.#check = check
    this.#lookup = lookup
    // Here, because `connect` of an existing socket ignores these options.
    this.setNoDelay(true)
    this.setKeepAlive(true)
  }

  override connect(target: SocketConnectOpts | number | string, ...rest: (string | (() => void) | undefined)[]): this {
    const onConnect = rest.find((argument) => typeof argument === 'function')
    const host = typeof rest[0] === 'string' ? rest[0] : undefined
    const options = optionsOf(target, host)
    try {
      if (!options) throw new EgressError('BadAddress', 'Only hosts and ports can be connected to')
      // Node does not call `lookup` for an address, so check it here.
      if (isIP(options.host)) this.#check({ host: options.host, address: options.host, port: options.port })
    } catch (error) {
      // Not destroyed immediately: callers add their error listener only after this call.
      process.nextTick(() => this.destroy(error as Error))
      return this
    }
    this.once('connect', () => this.#checkPeer(options))
    return super.connect({ ...options, lookup: this.#guardedLookup(options.port) }, onConnect)
  }

  /** Checks the peer of the established connection too, in case the address was not checked before in some unforeseen way. */
  #checkPeer({ host, port }: { host: string; port: number }): void {
    try {
      // A peer that has already reset the connection has no address.
      if (this.remoteAddress === undefined)
        throw new EgressError('Unreachable', `${host}:${port} closed the connection immediately`)
      this.#check({ host, address: this.remoteAddress, port })
    } catch (error) {
      this.destroy(error as Error)
    }
  }

  #guardedLookup(port: number) {
    type Callback = (error: Error | null, address: string | LookupAddress[], family?: number) => void
    return (host: string, options: LookupOptions, callback: Callback): void => {
      this.#lookup(host, { ...options, all: true }, (error, addresses) => {
        if (error) return callback(error, [])
        const { allowed, refusal } = this.#sort(host, port, addresses)
        const [first] = allowed
        if (!first) callback(refusal ?? new EgressError('Unreachable', `${host} has no address`), [])
        else if (options.all) callback(null, allowed)
        else callback(null, first.address, first.family)
      })
    }
  }

  #sort(host: string, port: number, addresses: readonly LookupAddress[]) {
    let refusal: Error | undefined
    const allowed = addresses.filter(({ address }) => {
      try {
        this.#check({ host, address, port })
        return true
      } catch (error) {
        refusal ??= error as Error
        return false
      }
    })
    return { allowed, refusal }
  }
}

/** Returns undefined if the arguments are not a host and port, such as the path of a local socket. */
function optionsOf(
  target: SocketConnectOpts | number | string,
  host: string | undefined,
): (TcpSocketConnectOpts & { host: string }) | undefined {
  const options =
    typeof target === 'object' ? target : { port: Number(target), ...(host === undefined ? {} : { host }) }
  if (!('port' in options) || 'path' in options) return undefined
  const port = Number(options.port)
  if (!Number.isInteger(port) || port < 1 || port > 65_535) return undefined
  return { ...options, port, host: (options.host || 'localhost').replace(/^\[|\]$/g, '') }
}
