import { networkInterfaces } from 'node:os'
import { expect, test } from 'vitest'
import { classifyAddress } from './address.ts'
import { EgressError } from './egress-error.ts'
import { checkEgressTarget, type EgressRules, parseAllowedPeer } from './rules.ts'

const rules = (networks: EgressRules['networks'], ...allow: string[]): EgressRules => ({
  networks,
  allow: allow.map(parseAllowedPeer),
})
const everywhere = rules('private', '0.0.0.0/0', '::/0', '169.254.169.254', 'metadata.example')

function checkResult(r: EgressRules, host: string, address: string, port = 80): string {
  try {
    checkEgressTarget(r, [9000, 9090], { host, address, port })
    return 'connects'
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    return error.message
  }
}

test.each([
  ['the Internet', rules('private'), 'x.example', '8.8.8.8', 'connects'],
  ['a private network', rules('private'), 'x.example', '10.1.2.3', 'connects'],
  ['a private network, excluded', rules('public'), 'x.example', '10.1.2.3', /in a private network.*x\.example:80/],
  ['a private network, excluded and allowed', rules('public', '10.0.0.0/8'), 'x.example', '10.1.2.3', 'connects'],
  ['a private network inside IPv6', rules('public'), 'x.example', '::ffff:10.1.2.3', /private network/],
  ['this machine', rules('private'), 'x.example', '127.0.0.1', /machine.*STOWAGE_EGRESS_ALLOW=x\.example:80/],
  ['this machine by IPv6', rules('private'), '::1', '::1', /STOWAGE_EGRESS_ALLOW=\[::1\]:80/],
  ['this machine, allowed by address', rules('public', '127.0.0.1'), 'x.example', '127.0.0.1', 'connects'],
  ['this machine, allowed by address and port', rules('public', '127.0.0.1:80'), 'x.example', '127.0.0.1', 'connects'],
  ['this machine, allowed by name', rules('public', 'X.example'), 'x.EXAMPLE.', '127.0.0.1', 'connects'],
  ['this machine, another name allowed', rules('private', 'y.example'), 'x.example', '127.0.0.1', /machine/],
  ['this machine, another port allowed', rules('private', '127.0.0.1:81'), '127.0.0.1', '127.0.0.1', /machine/],
  ['a mapped address of an allowed one', rules('private', '127.0.0.1'), 'x', '::ffff:127.0.0.1', 'connects'],
  ['a reserved network', rules('private'), 'x.example', '240.0.0.1', /reserved/],
  ['the metadata service, allowed by range', everywhere, '169.254.169.254', '169.254.169.254', /never/],
  ['the metadata service, allowed by name', everywhere, 'metadata.example', '169.254.169.254', /never/],
  ['the metadata service of IPv6', everywhere, 'x.example', 'fd00:ec2::254', /never/],
  ['no particular address', everywhere, '0.0.0.0', '0.0.0.0', /never/],
])('%s', (_, r, host, address, expected) => {
  if (typeof expected === 'string') expect(checkResult(r, host, address)).toBe(expected)
  else expect(checkResult(r, host, address)).toMatch(expected)
})

const ownAddress = Object.values(networkInterfaces())
  .flatMap((list = []) => list)
  .find(({ internal, address }) => !internal && !address.startsWith('fe80'))?.address

/** Every address of this machine except loopback and link-local ones. */
const otherAddresses = Object.values(networkInterfaces())
  .flatMap((list = []) => list)
  .map(({ address }) => address)
  .filter((address) => ['private', 'public', 'special'].includes(classifyAddress(address)))

test('every address of this machine is this machine, not a private network or the Internet', () => {
  for (const address of otherAddresses) {
    expect(checkResult(rules('private'), 'x.example', address)).toMatch(/is the machine that this program runs on/)
    expect(
      checkResult(rules('private', address.includes(':') ? `[${address}]:80` : `${address}:80`), 'x.example', address),
    ).toBe('connects')
  }
})

test('a connection that turns out to lead to this machine is refused', () => {
  const check = (r: EgressRules) => () =>
    checkEgressTarget(r, [9000], { host: 'x.example', address: '10.1.2.3', port: 80, isThisMachine: true })
  expect(check(rules('private'))).toThrow(/is the machine that this program runs on/)
  expect(check(rules('private', '10.1.2.3'))).not.toThrow()
})

test('ports of this program are refused on every address of this machine, unless they are named', () => {
  const addresses = ['127.0.0.1', '127.1.2.3', '::1', ...(ownAddress ? [ownAddress] : [])]
  for (const address of addresses) {
    expect(checkResult(rules('private'), 'x.example', address, 9000)).toMatch(/this program itself/)
    expect(checkResult(rules('private', '0.0.0.0/0', '::/0', 'x.example'), 'x.example', address, 9090)).toMatch(
      /itself/,
    )
    expect(checkResult(rules('private', 'x.example:9000'), 'x.example', address, 9000)).toBe('connects')
  }
  expect(checkResult(rules('private'), 'x.example', '10.1.2.3', 9000)).toBe('connects')
})

test('other servers that this program protects are refused at their address and port, unless they are named', () => {
  const peers = [{ address: '10.96.0.1', port: 443, what: 'the API server' }]
  const check = (r: EgressRules, address: string, port: number) => () =>
    checkEgressTarget(r, [], { host: 'x.example', address, port }, peers)
  for (const r of [rules('private'), rules('private', '10.0.0.0/8', 'x.example')]) {
    expect(check(r, '10.96.0.1', 443)).toThrow('x.example:443 is the API server')
    expect(check(r, '::ffff:10.96.0.1', 443)).toThrow('is the API server')
    expect(check(r, '10.96.0.1', 9443)).not.toThrow()
    expect(check(r, '10.96.0.2', 443)).not.toThrow()
  }
  expect(check(rules('private', 'x.example:443'), '10.96.0.1', 443)).not.toThrow()
})

test('the error does not contain the address of a name', () => {
  expect(checkResult(rules('public'), 'x.example', '10.1.2.3')).not.toContain('10.1.2.3')
})

test.each([
  '10.0.0.0/8',
  '10.0.0.0/8:443',
  '::1',
  '[::1]:443',
  '[fd00::/8]:443',
  'fd00::/8',
  'db.example',
  'db:5432',
  '127.0.0.1:1',
])('%s can be allowed', (text) => expect(parseAllowedPeer(text)).toBeDefined())

test.each([
  '',
  ':80',
  '1.2.3.4:0',
  '1.2.3.4:99999',
  'db:99999',
  '10.0.0.0/99',
  'http://db',
  'a b',
  '[db]:80',
  '256.1.1.1',
  '*',
])('%j is refused as a setting', (text) => expect(() => parseAllowedPeer(text)).toThrow(SyntaxError))
