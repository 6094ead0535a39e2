import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { CONSOLE_HEADER } from '../process/console-secret.ts'

/** The origin of a request, for policies. */
export interface RequestOrigin {
  /** IP address of the client; empty if it has already disconnected. */
  address: string
  /** Whether its connection is encrypted. The store itself speaks HTTP; TLS ends at a proxy in front of it. */
  secure: boolean
}

/** Settings for the trust in forwarding headers. */
interface ProxyTrust {
  /** Whether a proxy in front of the store reports the client's address. */
  readonly trustProxy: boolean
  /** The secret that authenticates the console that started this store; undefined for a store without a console. */
  readonly consoleSecret: string | undefined
}

/** Returns the origin from `X-Forwarded-For` and `-Proto` of a trusted proxy, or the former from this store's own console. */
export function requestOrigin(
  { headers, socket }: IncomingMessage,
  { trustProxy, consoleSecret }: ProxyTrust,
): RequestOrigin {
  const forwarded = trustProxy || provesConsole(headers[CONSOLE_HEADER], consoleSecret)
  return {
    address: (forwarded && lastEntry(headers['x-forwarded-for'])) || (socket.remoteAddress ?? ''),
    secure: trustProxy && lastEntry(headers['x-forwarded-proto']).toLowerCase() === 'https',
  }
}

function provesConsole(given: string | string[] | undefined, secret: string | undefined): boolean {
  if (given === undefined || secret === undefined) return false
  const [a, b] = [Buffer.from(given.toString()), Buffer.from(secret)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Returns the last entry, which the trusted proxy added. Earlier ones were sent by the client and may be forged. */
function lastEntry(header: string | string[] | undefined): string {
  return (header?.toString() ?? '').split(',').at(-1)?.trim() ?? ''
}

/** Returns an IPv4 address in plain form. Dual-stack sockets report it as `::ffff:192.0.2.1`. */
export function plainAddress(address: string): string {
  return address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address
}

/**
 * Returns the key by which anonymous clients are counted: an IPv4 address, or the /64 network of an IPv6 address, because a
 * customer gets at least that. Empty if the text is not an address, because a trusted proxy may send any text.
 */
export function clientNetwork(address: string): string {
  const plain = plainAddress(address)
  const family = isIP(plain)
  if (family !== 6) return family === 4 ? plain : ''
  const [head = '', tail] = (plain.split('%')[0] ?? '').split('::')
  const first = groups(head)
  const last = groups(tail ?? '')
  const zeros = Array<string>(Math.max(0, 8 - first.length - last.length)).fill('0')
  const network = [...first, ...zeros, ...last].slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16))
  return `${network.join(':')}::/64`
}

function groups(text: string): string[] {
  return text === '' ? [] : text.split(':')
}
