import dns from 'node:dns'
import type { OnReadOpts, Socket } from 'node:net'
import { isIP } from 'node:net'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'
import { Agent, type Dispatcher } from 'undici'
import { EgressError } from './egress-error.ts'
import { AddressGuard, type DnsLookup, GuardedSocket, openGuardedTls } from './guarded-socket.ts'
import { checkEgressTarget, type EgressRules, type RefusedPeer, type ResolvedTarget } from './rules.ts'
import { type EgressAnswer, type EgressRequest, sendRequest } from './send-request.ts'

export interface EgressOptions extends EgressRules {
  /** Returns the ports of this machine that this program, or its store, listens on now. */
  readonly ownPorts?: () => readonly number[]
  /** Returns other servers that are refused like these ports. */
  readonly refusedPeers?: () => readonly RefusedPeer[]
  /** Certificate authorities instead of Node's, PEM. */
  readonly ca?: readonly string[] | undefined
  /** Timeout of a connection including name resolution and TLS (ms). Default 10,000. */
  readonly connectTimeoutMs?: number
  /** How long a peer may send nothing before the head of an answer, and within its body, in ms. Default 60,000 each. */
  readonly headersTimeoutMs?: number
  readonly bodyTimeoutMs?: number
  /** Default: the system's resolver. */
  readonly lookup?: DnsLookup
}

export interface ConnectTarget {
  host: string
  port: number
  /** Uses TLS, and verifies the certificate for `host`. */
  tls?: boolean | ConnectionOptions
  signal?: AbortSignal
}

export interface SocketTarget {
  /** Name or address, without brackets. */
  host: string
  port: number
  /** Uses TLS, and verifies the certificate for `host`. */
  tls: boolean
}

/** Connects to addresses that users enter. */
export interface Egress {
  /**
   * Makes one HTTP request and reads the answer.
   * @throws EgressError, or the signal's reason
   */
  request(url: string | URL, request?: EgressRequest): Promise<EgressAnswer>
  /** For HTTP clients that take a dispatcher of undici. Every connection is checked; redirects are not followed. */
  readonly dispatcher: Dispatcher
  /**
   * An unconnected socket that checks the address in `connect`, for clients that open connections themselves.
   */
  socket(): Socket
  /**
   * A socket that is connecting, for clients that read into their own buffers. With TLS it is ready at `secureConnect`.
   * @param onread receives the data, instead of the readers of the stream
   */
  openSocket(target: SocketTarget, onread: OnReadOpts): Socket
  /**
   * A connected socket.
   * @throws EgressError, or the signal's reason
   */
  connect(target: ConnectTarget): Promise<Socket>
  /**
   * Returns an allowed address of the host, for clients that do not accept a socket. They must use this address instead of the
   * name, which could resolve to another one a moment later.
   * @throws EgressError
   */
  resolve(host: string, port: number): Promise<string>
  /** Closes all connections of the dispatcher. */
  close(): Promise<void>
}

export function createEgress(options: EgressOptions): Egress {
  const { ownPorts = () => [], refusedPeers = () => [], lookup = dns.lookup, connectTimeoutMs = 10_000, ca } = options
  const check = (target: ResolvedTarget) => checkEgressTarget(options, ownPorts(), target, refusedPeers())
  const guard = new AddressGuard(check, lookup)
  const socket = () => new GuardedSocket(guard)
  const connect = (target: ConnectTarget) => openSocketTo(socket(), target, connectTimeoutMs, ca)
  const dispatcher = new Agent({
    connect({ hostname, port, protocol, servername }, callback) {
      const tls = protocol === 'https:'
      const host = hostname.replace(/^\[|\]$/g, '')
      connect({
        host,
        port: Number(port || (tls ? 443 : 80)),
        tls: tls && { ALPNProtocols: ['http/1.1'], ...(servername ? { servername } : {}) },
      }).then(
        (connected) => callback(null, connected),
        (error: Error) => callback(error, null),
      )
    },
    // A peer that sends nothing for so long has lost the connection.
    headersTimeout: options.headersTimeoutMs ?? 60_000,
    bodyTimeout: options.bodyTimeoutMs ?? 60_000,
    maxHeaderSize: 64 * 1024,
  })
  return {
    dispatcher,
    socket,
    openSocket({ host, port, tls }, onread) {
      if (!tls) return new GuardedSocket(guard, onread).connect({ host, port })
      return openGuardedTls(guard, { host, port }, onread, { ...tlsOptions(host, ca), ALPNProtocols: ['http/1.1'] })
    },
    connect,
    request: (url, request) => sendRequest(dispatcher, url, request),
    async resolve(host, port) {
      const bare = host.replace(/^\[|\]$/g, '')
      const addresses = isIP(bare) ? [{ address: bare }] : await lookUpAddresses(lookup, bare)
      let refusal: unknown
      for (const { address } of addresses) {
        try {
          check({ host: bare, address, port })
          return address
        } catch (error) {
          refusal ??= error
        }
      }
      throw refusal ?? new EgressError('Unreachable', `${bare} has no address`)
    },
    close: () => dispatcher.destroy(),
  }
}

function openSocketTo(
  socket: Socket,
  { host, port, tls, signal }: ConnectTarget,
  timeoutMs: number,
  ca: readonly string[] | undefined,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const plain = socket.connect({ host, port })
    const secure = tls
      ? connectTls({ socket: plain, host, ...tlsOptions(host, ca), ...(tls === true ? {} : tls) })
      : undefined
    const opened = secure ?? plain
    const timer = setTimeout(
      () => fail(new EgressError('TimedOut', `${host}:${port} did not answer in time`)),
      timeoutMs,
    )
    const onAbort = () => fail(signal?.reason)
    const settle = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      plain.off('error', onError)
      secure?.off('error', onError)
    }
    const fail = (reason: unknown) => {
      settle()
      // A destroyed socket can still emit errors, which would otherwise have no listener.
      for (const end of [plain, opened]) end.on('error', () => {}).destroy()
      reject(reason)
    }
    const onError = (error: Error) => fail(toEgressError(error, host, port))
    signal?.addEventListener('abort', onAbort, { once: true })
    plain.once('error', onError)
    secure?.once('error', onError)
    opened.once(secure ? 'secureConnect' : 'connect', () => {
      // The check of the peer has refused it. The error that says so comes next, and needs its listener.
      if (opened.destroyed) return
      settle()
      // The caller may listen later, and an error without a listener ends the process. 'close' follows each error.
      for (const end of [plain, opened]) end.on('error', () => {})
      resolve(opened)
    })
  })
}

function tlsOptions(host: string, ca: readonly string[] | undefined): ConnectionOptions {
  return { ...(isIP(host) ? {} : { servername: host }), ...(ca ? { ca: [...ca] } : {}) }
}

function lookUpAddresses(lookup: DnsLookup, host: string): Promise<dns.LookupAddress[]> {
  return new Promise((resolve, reject) => {
    lookup(host, { all: true }, (error, addresses) => (error ? reject(toEgressError(error, host)) : resolve(addresses)))
  })
}

/** Codes of Node and OpenSSL for a certificate that cannot be checked, is not valid now, or is of another host. */
const CERTIFICATE = /CERT|UNABLE_TO_VERIFY|^ERR_TLS_CERT/

function toEgressError(error: Error, host: string, port?: number): EgressError {
  if (error instanceof EgressError) return error
  const code = 'code' in error ? String(error.code) : error.name
  const peer = port === undefined ? host : `${host}:${port}`
  const text = CERTIFICATE.test(code) ? 'has a certificate that is not trusted' : 'cannot be reached'
  return new EgressError('Unreachable', `${peer} ${text} (${code})`, { cause: error })
}
