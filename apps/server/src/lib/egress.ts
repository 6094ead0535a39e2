import { readFileSync } from 'node:fs'
import { rootCertificates } from 'node:tls'
import { Agent, type Dispatcher } from 'undici'

/** The way to the storage server: its address, and kept-alive connections to it. */
export interface Egress {
  /** Scheme, host and port, as in `https://s3.example.com:9000`. */
  readonly origin: string
  readonly dispatcher: Dispatcher
  /** PEM texts that may sign for the server; undefined: those that Node knows. */
  readonly ca: string[] | undefined
  close(): Promise<void>
}

/** Connections per console; a request beyond them waits for a free one. */
const CONNECTIONS = 256

/** @param caFile PEM file with authorities beside the usual ones */
export function openEgress(server: URL, caFile: string | undefined): Egress {
  const ca = caFile === undefined ? undefined : [...rootCertificates, readFileSync(caFile, 'utf8')]
  const dispatcher = new Agent({
    connections: CONNECTIONS,
    keepAliveTimeout: 30_000,
    connect: { timeout: 5_000, ...(ca ? { ca } : {}) },
    // A zip or a slow disk may be silent for long; a body is ended by its reader, not by a clock.
    headersTimeout: 60_000,
    bodyTimeout: 0,
  })
  return { origin: server.origin, dispatcher, ca, close: () => dispatcher.close() }
}
