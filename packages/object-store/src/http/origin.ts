import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { CONSOLE_HEADER } from '../forwarding.ts'
import type { Store } from './call.ts'

/** Where a request comes from, as policies ask for it. */
export interface Origin {
  /** IP address of the client; empty when it has gone already. */
  address: string
  /** Whether its connection is encrypted. The store itself speaks HTTP; TLS ends at a proxy in front of it. */
  secure: boolean
}

type Trust = Pick<Store, 'trustProxy' | 'consoleSecret'>

/** What a trusted proxy says with `X-Forwarded-For` and `-Proto`, or this store's own console with the former. */
export function originOf({ headers, socket }: IncomingMessage, { trustProxy, consoleSecret }: Trust): Origin {
  const forwarded = trustProxy || provesConsole(headers[CONSOLE_HEADER], consoleSecret)
  return {
    address: (forwarded && last(headers['x-forwarded-for'])) || (socket.remoteAddress ?? ''),
    secure: trustProxy && last(headers['x-forwarded-proto']).toLowerCase() === 'https',
  }
}

function provesConsole(given: string | string[] | undefined, secret: string | undefined): boolean {
  if (given === undefined || secret === undefined) return false
  const [a, b] = [Buffer.from(given.toString()), Buffer.from(secret)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** The entry that the proxy itself added: those before it came with the request, and may be made up. */
function last(header: string | string[] | undefined): string {
  return (header?.toString() ?? '').split(',').at(-1)?.trim() ?? ''
}
