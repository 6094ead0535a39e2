import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addressGroup } from './address-group.ts'

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::', '2001:db8:1:2::/64'],
  ['2001:DB8:1:0002::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['1::', '1:0:0:0::/64'],
  ['1:2:3:4:5:6:192.0.2.1', '1:2:3:4::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['unknown', 'unknown'],
  ['', ''],
])('%j belongs to %s', (address, group) => expect(addressGroup(address)).toBe(group))

test('all addresses of one /64 network form one group, those of other networks do not', () => {
  const hex = fc.integer({ min: 0, max: 0xffff }).map((n) => n.toString(16))
  const half = fc.tuple(hex, hex, hex, hex)
  fc.assert(
    fc.property(half, half, half, (net, a, b) => {
      const group = addressGroup([...net, ...a].join(':'))
      expect(addressGroup([...net, ...b].join(':'))).toBe(group)
      expect(addressGroup([...a, ...b].join(':')) === group).toBe(a.join() === net.join())
    }),
  )
})
