import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { rootCertificates } from 'node:tls'
import { Agent, type Dispatcher } from 'undici'
import type { OpenSocket } from './direct-content.ts'
import { TIMEOUTS, type Timeouts } from './timeouts.ts'

/** The storage server: its URL and a connection pool. */
export interface Upstream {
  /** Scheme, host and port, as in `https://s3.example.com:9000`. */
  readonly origin: string
  readonly dispatcher: Dispatcher
  /** For live streams, each of which occupies a connection, so that they do not block other calls. */
  readonly streamDispatcher: Dispatcher
  readonly timeouts: Timeouts
  /** Opens the sockets of downloads, which do not use the pool. Default: any address is connected to. */
  readonly openSocket?: OpenSocket | undefined
  /** Headers of every request; not signed, because a proxy may change them. */
  readonly headers: Readonly<Record<string, string>>
  /**
   * Returns an upstream for one caller, so that the server's policies and logs use the caller's address instead of the console's.
   * @param requestId of the caller's request to the console. The server writes it into its audit records and traces,
   *   which are found by it.
   */
  forCaller(address: string, requestId?: string): Upstream
  close(): Promise<void>
}

/** Header with the ID of the caller's request. */
export const REQUEST_ID_HEADER = 'x-request-id'

/** Maximum number of connections per console; further requests wait for a free one. */
const CONNECTIONS = 256

/**
 * @param caFile PEM file with additional certificate authorities
 * @param trustHeaders headers that prove to the embedded store that requests come from this console
 */
export function openUpstream(
  server: URL,
  caFile: string | undefined,
  trustHeaders: Record<string, string> = {},
  timeouts = TIMEOUTS,
): Upstream {
  const ca = caFile === undefined ? undefined : [...rootCertificates, readFileSync(caFile, 'utf8')]
  const options = {
    keepAliveTimeout: 30_000,
    connect: { timeout: 5_000, ...(ca ? { ca } : {}) },
    headersTimeout: timeouts.headMs,
    // undici does not count the time in which the reader of a body is not ready for more.
    bodyTimeout: timeouts.streamMs,
  }
  const dispatcher = new Agent({ ...options, connections: CONNECTIONS })
  const streamDispatcher = new Agent(options)
  const close = async () => {
    // The reader of the stream has already got the error.
    await Promise.all([dispatcher.close(), streamDispatcher.destroy()])
  }
  return createUpstream({ origin: server.origin, dispatcher, streamDispatcher, timeouts, close }, trustHeaders)
}

/** The storage server over connections that exist. */
export function createUpstream(
  connections: Pick<Upstream, 'origin' | 'dispatcher' | 'streamDispatcher' | 'timeouts' | 'openSocket' | 'close'>,
  trustHeaders: Record<string, string> = {},
): Upstream {
  const upstream: Upstream = {
    ...connections,
    headers: {},
    forCaller: (address, requestId) => ({
      ...upstream,
      headers: {
        ...trustHeaders,
        ...forwardedForHeader(address),
        ...(requestId === undefined ? {} : { [REQUEST_ID_HEADER]: requestId }),
      },
    }),
  }
  return upstream
}

function forwardedForHeader(address: string): Record<string, string> {
  // A socket for both families shows an IPv4 caller as `::ffff:192.0.2.1`.
  const plain = address.replace(/^::ffff:(?=[\d.]+$)/i, '')
  // A proxy may send any text; if it is not an address, the server sees the console's.
  return isIP(plain) === 0 ? {} : { 'x-forwarded-for': plain }
}
