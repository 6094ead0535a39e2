/** An address as bytes: 4 for IPv4 (also if written as `::ffff:a.b.c.d`), 16 for IPv6. */
export type AddressBytes = readonly number[]

export interface IpNetwork {
  address: AddressBytes
  /** Number of leading bits that are compared. */
  bits: number
}

const MAPPED = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255]

/** Returns undefined if the text is not an address; a text with a zone (`fe80::1%eth0`) is not one. */
export function parseAddress(text: string): AddressBytes | undefined {
  const bytes = parseBytes(text)
  return bytes && isMapped(bytes) ? bytes.slice(12) : bytes
}

/**
 * Parses `10.0.0.0/8`, `2001:db8::/32`, or a single address with `defaultBits` leading bits (all if undefined). Returns
 * undefined if the text is neither.
 */
export function parseNetwork(text: string, defaultBits?: number): IpNetwork | undefined {
  const [head = '', prefix, ...rest] = text.split('/')
  const bytes = parseBytes(head)
  if (!bytes || rest.length > 0) return undefined
  if (prefix !== undefined && !/^\d{1,3}$/.test(prefix)) return undefined
  const all = bytes.length * 8
  const bits = prefix === undefined ? (defaultBits ?? all) : Number(prefix)
  if (bits > all) return undefined
  return bits >= 96 && isMapped(bytes) ? { address: bytes.slice(12), bits: bits - 96 } : { address: bytes, bits }
}

export function networkContains(network: IpNetwork, address: AddressBytes): boolean {
  if (network.address.length !== address.length) return false
  const whole = network.bits >> 3
  for (let i = 0; i < whole; i++) if (network.address[i] !== address[i]) return false
  const rest = network.bits & 7
  if (rest === 0) return true
  const shift = 8 - rest
  return (network.address[whole] ?? 0) >> shift === (address[whole] ?? 0) >> shift
}

const isMapped = (bytes: AddressBytes): boolean => bytes.length === 16 && MAPPED.every((byte, i) => bytes[i] === byte)

function parseBytes(text: string): AddressBytes | undefined {
  return text.includes(':') ? parseV6(text) : parseV4(text)
}

function parseV4(text: string): AddressBytes | undefined {
  const parts = text.split('.')
  // A leading zero may mean octal, so it is refused.
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256)) {
    return undefined
  }
  return parts.map(Number)
}

function parseV6(text: string): AddressBytes | undefined {
  const halves = text.split('::')
  if (halves.length > 2) return undefined
  const head = parseGroups(halves[0] ?? '', halves.length === 1)
  if (halves.length === 1) return head?.length === 16 ? head : undefined
  const tail = parseGroups(halves[1] ?? '', true)
  if (!head || !tail) return undefined
  const missing = 16 - head.length - tail.length
  return missing >= 2 ? [...head, ...new Array<number>(missing).fill(0), ...tail] : undefined
}

/** Parses groups of four hex digits; with `last`, the last one may be an IPv4 address. */
function parseGroups(text: string, last: boolean): number[] | undefined {
  if (text === '') return []
  const groups = text.split(':')
  const bytes: number[] = []
  for (const [i, group] of groups.entries()) {
    if (/^[0-9a-fA-F]{1,4}$/.test(group)) {
      const value = Number.parseInt(group, 16)
      bytes.push(value >> 8, value & 255)
    } else {
      const v4 = last && i === groups.length - 1 ? parseV4(group) : undefined
      if (!v4) return undefined
      bytes.push(...v4)
    }
  }
  return bytes
}
