import ipaddr, { type IPv4, type IPv6 } from 'ipaddr.js'

/**
 * The kind of an address, as the guard distinguishes it.
 * - `never`: link-local addresses, the metadata services of clouds, and addresses that do not belong to one machine
 * - `loopback`: this machine
 * - `special`: reserved ranges that the Internet does not route
 * - `private`: networks of an organization
 */
export type AddressKind = 'never' | 'loopback' | 'special' | 'private' | 'public'

/** The kinds of ranges that ipaddr.js distinguishes; every other range is `special`. */
const KINDS: Readonly<Record<string, AddressKind>> = {
  unicast: 'public',
  private: 'private',
  carrierGradeNat: 'private',
  uniqueLocal: 'private',
  deprecatedSiteLocal: 'private',
  loopback: 'loopback',
  linkLocal: 'never',
  unspecified: 'never',
  multicast: 'never',
  broadcast: 'never',
}

/** Metadata services outside the link-local range. They give credentials to any client that can connect. */
const METADATA = [
  'fd00:ec2::/32', // AWS
  'fd20:ce::254/128', // Google Cloud
  '100.100.100.200/32', // Alibaba Cloud
  '168.63.129.16/32', // Azure
  '192.0.0.192/32', // Oracle Cloud
].map((range) => ipaddr.parseCIDR(range))

/** Reserved for measurements (RFC 2544), but used by VPN programs that assign their own addresses to names. */
const BENCHMARKS = ipaddr.IPv4.parseCIDR('198.18.0.0/15')

/** @param address as written by the resolver or the socket. An invalid address is `never`. */
export function classifyAddress(address: string): AddressKind {
  const plain = parseIpAddress(address)
  if (!plain || METADATA.some((range) => isInRange(plain, range))) return 'never'
  if (isInRange(plain, BENCHMARKS)) return 'private'
  return KINDS[plain.range()] ?? 'special'
}

/** Parses an address. Undefined if the text is not an address. An IPv4-mapped IPv6 address is returned as IPv4. */
export function parseIpAddress(text: string): IPv4 | IPv6 | undefined {
  if (!ipaddr.isValid(text)) return undefined
  const address = ipaddr.parse(text)
  return address.kind() === 'ipv4' ? address : (findEmbeddedIpv4(address as IPv6) ?? address)
}

export function isInRange(address: IPv4 | IPv6, [network, bits]: [IPv4 | IPv6, number]): boolean {
  return address.kind() === network.kind() && address.match(network as never, bits)
}

/** IPv6 ranges whose packets are sent to an embedded IPv4 address, and the byte at which it starts. */
const EMBEDDING: readonly (readonly [range: string, at: number])[] = [
  ['::ffff:0:0/96', 12], // mapped
  ['::ffff:0:0:0/96', 12], // translated, RFC 6145
  ['64:ff9b::/96', 12], // NAT64
  ['2002::/16', 2], // 6to4
  ['::/96', 12], // compatible
]

function findEmbeddedIpv4(address: IPv6): IPv4 | undefined {
  // `::` and `::1` are in the last range, but are not embedded addresses.
  if (address.range() === 'unspecified' || address.range() === 'loopback') return undefined
  const found = EMBEDDING.find(([range]) => isInRange(address, ipaddr.parseCIDR(range)))
  return found && new ipaddr.IPv4(address.toByteArray().slice(found[1], found[1] + 4))
}
