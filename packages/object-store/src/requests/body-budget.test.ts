import { expect, test } from 'vitest'
import { BodyBudget } from './body-budget.ts'
import { clientNetwork } from './request-origin.ts'

const KiB = 1024

/** Creates a budget whose bodies stay open until they are aborted. */
function budget(limits: { perClient: number; total: number; graceMs?: number }) {
  const warnings: unknown[] = []
  const bodies = new BodyBudget({ graceMs: 60_000, ...limits }, (details) => warnings.push(details))
  const cut: string[] = []
  const open = (address: string, bytes = 0, name = address) => {
    const hang = (signal: AbortSignal) =>
      new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
    bodies.read(address, bytes, hang).catch((error: { code: string }) => cut.push(`${name} ${error.code}`))
  }
  return { bodies, warnings, cut, open }
}

test('a client with too many open bodies loses its oldest one, and others lose nothing', async () => {
  const { bodies, warnings, cut, open } = budget({ perClient: 64 * KiB, total: 1024 * KiB })
  open('192.0.2.2')
  for (let n = 0; n < 6; n++) open('192.0.2.1', 0, `#${n}`)
  await expect.poll(() => cut).toEqual(['#0 SlowDown', '#1 SlowDown'])
  expect(bodies.open).toBe(5)
  // The first one is logged; further ones only after a while.
  expect(warnings).toEqual([{ client: '192.0.2.1', cut: 1 }])
})

test('when all is spent, the client that holds most pays', async () => {
  const { cut, open } = budget({ perClient: 64 * KiB, total: 128 * KiB })
  open('192.0.2.1')
  for (let n = 0; n < 3; n++) open('192.0.2.2', 0, `#${n}`)
  for (let n = 3; n < 9; n++) open(`192.0.2.${n}`)
  await expect.poll(() => cut).toEqual(['#0 SlowDown', '#1 SlowDown'])
})

test('a body that could be large counts as such, up to what one client has', async () => {
  const { cut, open } = budget({ perClient: 64 * KiB, total: 128 * KiB })
  open('192.0.2.1', 10 * KiB, 'small')
  open('192.0.2.1', 10_000 * KiB, 'large')
  await expect.poll(() => cut).toEqual(['small SlowDown'])
})

test('a body that has come is no more in the way, whatever became of it', async () => {
  const { bodies } = budget({ perClient: 20 * KiB, total: 20 * KiB })
  expect(await bodies.read('192.0.2.1', 0, async () => 'read')).toBe('read')
  await expect(bodies.read('192.0.2.1', 0, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(bodies.open).toBe(0)
})

test('a body that does not come in time is given up', async () => {
  const { bodies, cut, open } = budget({ perClient: 64 * KiB, total: 64 * KiB, graceMs: 5 })
  open('192.0.2.1')
  await expect.poll(() => cut).toEqual(['192.0.2.1 RequestTimeout'])
  expect(bodies.open).toBe(0)
})

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:0001:2::', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['1:2:3:4:5:6:192.0.2.1', '1:2:3:4::/64'],
  ['', ''],
  ['unknown', ''],
  ['192.0.2.1:80', ''],
])('%j counts as %j', (address, network) => {
  expect(clientNetwork(address)).toBe(network)
})
