import { networkInterfaces } from 'node:os'
import ipaddr, { type IPv4, type IPv6 } from 'ipaddr.js'
import { type AddressKind, classifyAddress, isInRange, parseIpAddress } from './address.ts'
import { EgressError } from './egress-error.ts'

/** Rules for outgoing connections. */
export interface EgressRules {
  /** `private`: allows private networks and the Internet. `public`: allows the Internet only. */
  readonly networks: 'private' | 'public'
  /** Additional peers that the operator allows. Link-local addresses and metadata services can never be allowed. */
  readonly allow: readonly AllowedPeer[]
}

/** One entry of `STOWAGE_EGRESS_ALLOW`. */
export interface AllowedPeer {
  /** A name, in lower case. It allows every address that the name resolves to. */
  readonly name?: string
  readonly range?: readonly [IPv4 | IPv6, number]
  /** Absent: any port except our own. */
  readonly port?: number
}

/** The target of a connection. */
export interface ResolvedTarget {
  /** Name or address as entered. */
  host: string
  /** The address that `host` currently resolves to. */
  address: string
  port: number
  /** Whether an established connection has shown that it leads to this machine. */
  isThisMachine?: boolean
}

/** A server that is refused like the ports of this program, although it is on another machine. */
export interface RefusedPeer {
  address: string
  port: number
  /** For the error: `the API server`. */
  what: string
}

/**
 * @param ownPorts ports of this machine that this program, or its store, listens on
 * @param peers other servers that are refused unless an entry names their port
 * @throws EgressError NotAllowed
 */
export function checkEgressTarget(
  rules: EgressRules,
  ownPorts: readonly number[],
  target: ResolvedTarget,
  peers: readonly RefusedPeer[] = [],
): void {
  const { host, port } = target
  const kind = addressKind(target)
  if (kind === 'never') throw notAllowedError(`${host} is an address that is never connected to`)
  const allowed = rules.allow.filter((peer) => matchesPeer(peer, target))
  const isOwn = ownPorts.includes(port) && kind === 'loopback'
  const what = peers.find((peer) => isPeer(peer, target))?.what ?? (isOwn ? 'this program itself' : undefined)
  if (what !== undefined) {
    // Only an entry with this port allows it: a range allows a network, not this server.
    if (allowed.some((peer) => peer.port === port)) return
    throw notAllowedError(`${host}:${port} is ${what}`, host, port)
  }
  if (allowed.length > 0 || kind === 'public') return
  if (kind === 'loopback') throw notAllowedError(`${host} is the machine that this program runs on`, host, port)
  if (kind === 'special') throw notAllowedError(`${host} is in a reserved network`, host, port)
  if (rules.networks === 'public') throw notAllowedError(`${host} is in a private network`, host, port)
}

/** The kind of a target. All addresses of this machine are `loopback`, whatever their range. */
function addressKind({ address, isThisMachine }: ResolvedTarget): AddressKind {
  const kind = classifyAddress(address)
  return kind !== 'never' && (isThisMachine || isOwnAddress(address)) ? 'loopback' : kind
}

function isPeer(peer: RefusedPeer, { address, port }: ResolvedTarget): boolean {
  return peer.port === port && parseIpAddress(peer.address)?.toString() === parseIpAddress(address)?.toString()
}

function notAllowedError(reason: string, host?: string, port?: number): EgressError {
  const bracketed = host?.includes(':') ? `[${host}]` : host
  const hint = host === undefined ? '' : ` The operator can allow it: STOWAGE_EGRESS_ALLOW=${bracketed}:${port}`
  return new EgressError('NotAllowed', `${reason}.${hint}`)
}

function matchesPeer({ name, range, port }: AllowedPeer, target: ResolvedTarget): boolean {
  if (port !== undefined && port !== target.port) return false
  if (name !== undefined) return name === plainName(target.host)
  const address = parseIpAddress(target.address)
  return address !== undefined && range !== undefined && isInRange(address, [range[0], range[1]])
}

/** In lower case and without a trailing dot, which has no meaning here. */
const plainName = (name: string) => name.toLowerCase().replace(/\.$/, '')

function isOwnAddress(address: string): boolean {
  const wanted = parseIpAddress(address)
  if (!wanted) return false
  return Object.values(networkInterfaces()).some((list = []) =>
    list.some(({ address: own, internal, cidr }) => {
      if (parseIpAddress(own)?.toString() === wanted.toString()) return true
      // Of a loopback interface every IPv4 address in its network leads here, as 127.0.0.2 does.
      return internal && cidr !== null && wanted.kind() === 'ipv4' && isInRange(wanted, ipaddr.parseCIDR(cidr))
    }),
  )
}

/** An address, range or name, with or without a port; IPv6 with a port needs brackets. */
const ENTRY = /^(?:\[(?<bracketed>[^\]]+)\]|(?<host>[^:]+|[^[\]]*:[^[\]]*:[^[\]]*))(?::(?<port>\d{1,5}))?$/

/** @throws SyntaxError with the invalid entry */
export function parseAllowedPeer(text: string): AllowedPeer {
  const { bracketed, host = bracketed ?? '', port } = ENTRY.exec(text)?.groups ?? {}
  const number = port === undefined ? {} : { port: Number(port) }
  const range = parseRange(host)
  if (range && (number.port ?? 1) >= 1 && (number.port ?? 1) <= 65_535) return { range, ...number }
  if (bracketed === undefined && (number.port ?? 1) <= 65_535 && isName(host))
    return { name: plainName(host), ...number }
  throw new SyntaxError(`${text} is not an address, a range such as 10.0.0.0/8, or a name, with or without :port`)
}

function parseRange(text: string): readonly [IPv4 | IPv6, number] | undefined {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text)
  const address = ipaddr.isValid(text) ? parseIpAddress(text) : undefined
  return address && [address, address.kind() === 'ipv4' ? 32 : 128]
}

/** A name has a letter in its last label; otherwise the text is an address in some other notation. */
const isName = (text: string) => /^(?=.{1,253}$)([a-z0-9_-]{1,63}\.)*(?=[^.]*[a-z])[a-z0-9_-]{1,63}\.?$/i.test(text)
