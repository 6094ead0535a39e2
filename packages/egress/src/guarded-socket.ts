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
import { type ConnectionOptions, connect as connectTls } from 'node:tls'
import { EgressError } from './egress-error.ts'
import type { ResolvedTarget } from './rules.ts'

/** Throws if a target is refused. */
export type TargetCheck = (target: ResolvedTarget) => void

export interface HostAndPort {
  host: string
  port: number
}

/** Same signature as `dns.lookup`, which reads the hosts file and asks the system's resolver. */
export type DnsLookup = typeof dns.lookup

/** Checks the address of a connection: before it is made, and again when it is established. */
export class AddressGuard {
  readonly #check: TargetCheck
  readonly #lookup: DnsLookup

  constructor(check: TargetCheck, lookup: DnsLookup = dns.lookup) {
    this.#check = check
    this.#lookup = lookup
  }

  /** Checks a host that is an address, for which Node does not call `lookup`. */
  checkAddress({ host, port }: HostAndPort): void {
    if (isIP(host)) this.#check({ host, address: host, port })
  }

  /** Checks the peer of the established connection too, in case the address was not checked before in some unforeseen way. */
  checkPeer(socket: Socket, { host, port }: HostAndPort): void {
    try {
      // A peer that has already reset the connection has no address.
      if (socket.remoteAddress === undefined)
        throw new EgressError('Unreachable', `${host}:${port} closed the connection immediately`)
      // The system connects to an address of this machine from that same address.
      const isThisMachine = socket.remoteAddress === socket.localAddress
      this.#check({ host, address: socket.remoteAddress, port, isThisMachine })
    } catch (error) {
      socket.destroy(error as Error)
    }
  }

  /** Returns a name resolution that finds only the allowed addresses. */
  lookup(port: number) {
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

/**
 * A socket that connects only to addresses that the guard allows. It checks every address between name resolution and
 * connection, so that a name cannot change its address in between. Before `connect` it is an ordinary unconnected socket, which
 * can be passed to clients of other protocols that open sockets themselves.
 */
export class GuardedSocket extends Socket {
  readonly #guard: AddressGuard

  /** @param onread receives the data in its own buffers, instead of the readers of the stream */
  constructor(guard: AddressGuard, onread?: OnReadOpts) {
    // Node's types have this option only for `connect`.
    const options: SocketConstructorOpts & ConnectOpts = onread ? { onread } : {}
    super(options)
    this.#guard = guard
    // Here, because `connect` of an existing socket ignores these options.
    this.setNoDelay(true)
    this.setKeepAlive(true)
  }

  override connect(target: SocketConnectOpts | number | string, ...rest: (string | (() => void) | undefined)[]): this {
    const onConnect = rest.find((argument) => typeof argument === 'function')
    const host = typeof rest[0] === 'string' ? rest[0] : undefined
    const options = readConnectOptions(target, host)
    try {
      if (!options) throw new EgressError('BadAddress', 'Only hosts and ports can be connected to')
      this.#guard.checkAddress(options)
    } catch (error) {
      // Not destroyed immediately: callers add their error listener only after this call.
      process.nextTick(() => this.destroy(error as Error))
      return this
    }
    this.once('connect', () => this.#guard.checkPeer(this, options))
    return super.connect({ ...options, lookup: this.#guard.lookup(options.port) }, onConnect)
  }
}

/**
 * Opens a TLS connection to an allowed address and verifies the certificate. TLS over an existing socket would ignore `onread`,
 * so this cannot use a `GuardedSocket`.
 */
export function openGuardedTls(
  guard: AddressGuard,
  { host, port }: HostAndPort,
  onread: OnReadOpts,
  tls: ConnectionOptions,
): Socket {
  try {
    guard.checkAddress({ host, port })
  } catch (error) {
    const refused = new Socket()
    process.nextTick(() => refused.destroy(error as Error))
    return refused
  }
  // Node's types have `onread` only for connections without TLS.
  const options: ConnectionOptions & ConnectOpts = { ...tls, host, port, lookup: guard.lookup(port), onread }
  const socket = connectTls(options)
  socket.setNoDelay(true)
  // Before the listener that begins the handshake.
  socket.prependOnceListener('connect', () => guard.checkPeer(socket, { host, port }))
  return socket
}

/** Returns undefined if the arguments are not a host and port, such as the path of a local socket. */
function readConnectOptions(
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
