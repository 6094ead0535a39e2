import { isIP, isIPv6 } from 'node:net'

/**
 * What limits count as one caller: an IPv4 address, or the /64 network of an IPv6 one, of which one machine has as many
 * addresses as it likes. What is not an address, as a proxy may have written it, is a group of its own.
 */
export function addressGroup(address: string): string {
  // An IPv4 caller of a socket for both families shows as `::ffff:192.0.2.1`.
  const plain = address.replace(/^::ffff:(?=[\d.]+$)/i, '').replace(/%.*$/, '')
  if (isIP(plain) === 0) return address.slice(0, 64)
  return isIPv6(plain) ? `${network(plain)}::/64` : plain
}

/** The first four groups of an IPv6 address. */
function network(address: string): string {
  // Spelled by one rule, without an IPv4 address at its end.
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [head = '', tail] = canonical.split('::')
  const before = head.split(':').filter(Boolean)
  const after = tail?.split(':').filter(Boolean) ?? []
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length
  return [...before, ...Array<string>(zeros).fill('0'), ...after].slice(0, 4).join(':')
}
