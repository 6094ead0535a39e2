import { isIP, isIPv6 } from 'node:net'

/**
 * Returns the key by which limits count callers: an IPv4 address, or the /64 network of an IPv6 address, because one machine
 * can use all addresses of its network. Other text, which a proxy may send, is a key itself.
 */
export function addressGroup(address: string): string {
  // A socket for both families shows an IPv4 caller as `::ffff:192.0.2.1`.
  const plain = address.replace(/^::ffff:(?=[\d.]+$)/i, '').replace(/%.*$/, '')
  if (isIP(plain) === 0) return address.slice(0, 64)
  return isIPv6(plain) ? `${network(plain)}::/64` : plain
}

/** Returns the first four groups of an IPv6 address. */
function network(address: string): string {
  // `URL` returns the canonical form, without an embedded IPv4 address.
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [head = '', tail] = canonical.split('::')
  const before = head.split(':').filter(Boolean)
  const after = tail?.split(':').filter(Boolean) ?? []
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length
  return [...before, ...Array<string>(zeros).fill('0'), ...after].slice(0, 4).join(':')
}
