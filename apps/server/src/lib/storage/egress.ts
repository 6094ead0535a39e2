import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { rootCertificates } from 'node:tls'
import { Agent, type Dispatcher } from 'undici'
import { PATIENCE, type Patience } from './patience.ts'

/** The way to the storage server: its address, and kept-alive connections to it. */
export interface Egress {
  /** Scheme, host and port, as in `https://s3.example.com:9000`. */
  readonly origin: string
  readonly dispatcher: Dispatcher
  readonly patience: Patience
  /** Go with every request, unsigned: a proxy on the way may add to them. */
  readonly headers: Readonly<Record<string, string>>
  /** The same way for the calls of one caller: policies and logs of the server see its address, not the console's. */
  forCaller(address: string): Egress
  close(): Promise<void>
}

/** Connections per console; a request beyond them waits for a free one. */
const CONNECTIONS = 256

/**
 * @param caFile PEM file with authorities beside the usual ones
 * @param proof headers by which the server knows this console
 */
export function openEgress(
  server: URL,
  caFile: string | undefined,
  proof: Record<string, string> = {},
  patience = PATIENCE,
): Egress {
  const ca = caFile === undefined ? undefined : [...rootCertificates, readFileSync(caFile, 'utf8')]
  const dispatcher = new Agent({
    connections: CONNECTIONS,
    keepAliveTimeout: 30_000,
    connect: { timeout: 5_000, ...(ca ? { ca } : {}) },
    headersTimeout: patience.headMs,
    // Does not count while the reader of a body is not ready for more.
    bodyTimeout: patience.streamMs,
  })
  const egress: Egress = {
    origin: server.origin,
    dispatcher,
    patience,
    headers: {},
    forCaller: (address) => ({ ...egress, headers: { ...proof, ...forwardedFor(address) } }),
    close: () => dispatcher.close(),
  }
  return egress
}

function forwardedFor(address: string): Record<string, string> {
  // An IPv4 caller of a socket for both families shows as `::ffff:192.0.2.1`.
  const plain = address.replace(/^::ffff:(?=[\d.]+$)/i, '')
  // A proxy may have written something else; then the server sees the console's address.
  return isIP(plain) === 0 ? {} : { 'x-forwarded-for': plain }
}
