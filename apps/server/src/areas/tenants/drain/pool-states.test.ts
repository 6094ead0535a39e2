import type { Decommission } from '@stowage/madmin'
import { expect, test } from 'vitest'
import { describePoolState, findServerPool } from './pool-states.ts'

const tenant = { metadata: { name: 'alpha' } }
const pools = [
  'https://alpha-pool-0-{0...3}.alpha-hl.team-a.svc.cluster.local/export{0...1}',
  'https://alpha-pool-1-{0...3}.alpha-hl.team-a.svc.cluster.local/export{0...1}',
  'https://alpha-pool-1-0-{0...3}.alpha-hl.team-a.svc.cluster.local/export{0...1}',
  'https://alpha-ss-0-0.alpha-hl.team-a.svc.cluster.local/export',
].map((cmdline) => ({ cmdline, decommission: undefined }))

test.each([
  ['pool-0', 0],
  ['pool-1', 1],
  ['pool-1-0', 2],
  ['ss-0', 3],
])('the pool %s is found by the names of its servers', (name, index) => {
  expect(findServerPool(tenant, name, pools)).toBe(pools[index])
})

test.each(['pool', 'pool-2', 'pool-0-0', ''])('the name %j matches no pool', (name) => {
  expect(findServerPool(tenant, name, pools)).toBeUndefined()
})

test('two matching pools count as no match, so that the wrong one is not drained', () => {
  const [pool] = pools
  expect(findServerPool(tenant, 'pool-0', pool ? [pool, pool] : [])).toBeUndefined()
})

const info: Decommission = {
  startTime: '2026-01-01T00:00:00Z',
  totalSize: 100,
  startSize: 40,
  currentSize: 70,
  complete: false,
  failed: false,
  canceled: false,
  objects: 5,
  failedObjects: 1,
  bytes: 30,
}

test.each<[string, Partial<Decommission> | undefined, string, number]>([
  ['never drained', undefined, 'active', 0],
  ['half empty', {}, 'draining', 0.5],
  ['fuller than before', { currentSize: 10 }, 'draining', 0],
  ['empty from the start', { startSize: 100, currentSize: 100 }, 'draining', 0],
  ['complete', { complete: true }, 'drained', 1],
  ['failed', { failed: true }, 'failed', 0.5],
  ['canceled', { canceled: true }, 'canceled', 0.5],
])('a pool that is %s', (_, change, state, share) => {
  const decommission = change && { ...info, ...change }
  expect(describePoolState('pool-0', { cmdline: 'x', decommission })).toMatchObject({ state, share })
})

test('the state of a pool that the server does not list is unknown', () => {
  expect(describePoolState('pool-0', undefined).state).toBe('unknown')
})
