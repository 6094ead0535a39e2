import { isIP } from 'node:net'
import { hostname } from 'node:os'
import type { StoreCall } from '../call/call.ts'

/*
 * A page that somebody inside a network opens calls from a trusted address. So pages of others get no rights based on an
 * address, whether they call from another origin or have let their own name lead to this store (DNS rebinding).
 */

/** Whether the request comes from a page of another origin, or from a sandboxed page of this store. */
export function isForeignPage({ request: { headers } }: StoreCall): boolean {
  const { origin, host } = headers
  return origin !== undefined && origin.toLowerCase().replace(/^https?:\/\//, '') !== host?.toLowerCase()
}

/**
 * Whether the request may come from a page whose own name leads here: it comes from a browser, and names the store by a name
 * that anyone could have registered. Over TLS the name is proved by the certificate.
 */
export function isRebindingPossible({ request: { headers }, record, store }: StoreCall): boolean {
  return !record.secure && isFromBrowser(headers) && !isNameOfStore(headers.host ?? '', store.domains)
}

/** Headers that browsers add, of which pages can change some but remove none. */
const BROWSER_HEADERS = ['accept-language', 'sec-fetch-site', 'sec-fetch-mode', 'origin', 'referer'] as const

function isFromBrowser(headers: StoreCall['request']['headers']): boolean {
  return BROWSER_HEADERS.some((name) => headers[name] !== undefined) || /^Mozilla\//.test(headers['user-agent'] ?? '')
}

/** Endings of names that nobody can register: reserved by RFC 6761, 6762, 8375 and ICANN. */
const PRIVATE_ENDINGS = ['localhost', 'local', 'internal', 'home.arpa', 'test', 'corp', 'home']

const OWN_NAME = hostname().toLowerCase()

/** Whether a `Host` header has an address, a name of this machine or its domains, or a name that cannot be registered. */
export function isNameOfStore(host: string, domains: readonly string[]): boolean {
  const name = host
    .replace(/:\d*$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
    .toLowerCase()
  if (isIP(name) !== 0 || !name.includes('.') || name === OWN_NAME) return true
  return [...PRIVATE_ENDINGS, ...domains].some((ending) => name === ending || name.endsWith(`.${ending}`))
}
