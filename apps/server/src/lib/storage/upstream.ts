import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { rootCertificates } from 'node:tls'
import { Agent, type Dispatcher } from 'undici'
import { PATIENCE, type Patience } from './patience.ts'

/** The storage server: its address, and kept-alive connections to it. */
export interface Upstream {
  /** Scheme, host and port, as in `https://s3.example.com:9000`. */
  readonly origin: string
  readonly dispatcher: Dispatcher
  readonly patience: Patience
  /** Go with every request, unsigned: a proxy on the way may add to them. */
  readonly headers: Readonly<Record<string, string>>
  /** For the calls of one caller: policies and logs of the server see the caller's address instead of the console's. */
  forCaller(address: string): Upstream
  close(): Promise<void>
}

/** Connections per console; a request beyond them waits for a free one. */
const CONNECTIONS = 256

/**
 * @param caFile PEM file with authorities beside the usual ones
 * @param proof headers by which the server knows this console
 */
export function openUpstream(
  server: URL,
  caFile: string | undefined,
  proof: Record<string, string> = {},
  patience = PATIENCE,
): Upstream {
  const ca = caFile === undefined ? undefined : [...rootCertificates, readFileSync(caFile, 'utf8')]
  const dispatcher = new Agent({
    connections: CONNECTIONS,
    keepAliveTimeout: 30_000,
    connect: { timeout: 5_000, ...(ca ? { ca } : {}) },
    headersTimeout: patience.headMs,
    // Does not count while the reader of a body is not ready for more.
    bodyTimeout: patience.streamMs,
  })
  const upstream: Upstream = {
    origin: server.origin,
    dispatcher,
    patience,
    headers: {},
    forCaller: (address) => ({ ...upstream, headers: { ...proof, ...forwardedFor(address) } }),
    close: () => dispatcher.close(),
  }
  return upstream
}

function forwardedFor(address: string): Record<string, string> {
  // An IPv4 caller of a socket for both families shows as `::ffff:192.0.2.1`.
  const plain = address.replace(/^::ffff:(?=[\d.]+$)/i, '')
  // A proxy may have written something else; then the server sees the console's address.
  return isIP(plain) === 0 ? {} : { 'x-forwarded-for': plain }
}
