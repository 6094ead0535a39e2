import type { IncomingMessage } from 'node:http'

/** Where a request comes from, as policies ask for it. */
export interface Origin {
  /** IP address of the client; empty when it has gone already. */
  address: string
  /** Whether its connection is encrypted. The store itself speaks HTTP; TLS ends at a proxy in front of it. */
  secure: boolean
}

/** @param trustProxy whether the proxy's `X-Forwarded-For` and `-Proto` are believed */
export function originOf({ headers, socket }: IncomingMessage, trustProxy: boolean): Origin {
  const address = socket.remoteAddress ?? ''
  if (!trustProxy) return { address, secure: false }
  return {
    address: last(headers['x-forwarded-for']) || address,
    secure: last(headers['x-forwarded-proto']).toLowerCase() === 'https',
  }
}

/** The entry that the proxy itself added: those before it came with the request, and may be made up. */
function last(header: string | string[] | undefined): string {
  return (header?.toString() ?? '').split(',').at(-1)?.trim() ?? ''
}
