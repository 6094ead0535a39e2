import type { TenantItem } from '@stowage/contract'
import { expect, test } from 'vitest'
import { t } from '../../../lib/text/i18n.ts'
import { daysToExpiry, type TenantRow, tenantProblem, tenantRows } from './tenant-rows.ts'

const NOW = Date.parse('2026-06-01T12:00:00Z')
const item: TenantItem = {
  name: 'media',
  namespace: 'ns',
  total_size: 8,
  pool_count: 1,
  instance_count: 4,
  volume_count: 8,
  creation_date: '',
  currentState: 'Initialized',
  health_status: 'green',
  health_message: '',
  capacity_raw: 0,
  capacity_raw_usage: 0,
  capacity: 100,
  capacity_usage: 10,
  image: '',
}
const readiness = { pods: 4, pods_ready: 4, pods_outdated: 0 }
const ends = (expiry: string) => ({ namespace: 'ns', name: 'media', secret: 'media-tls', expiry })
const problem = (change: Partial<TenantRow>) =>
  tenantProblem(t, { ...item, readiness, certificate: ends('2027-01-01T00:00:00Z'), ...change }, NOW)

test('nothing is wrong with a healthy tenant, nor with one that is being deleted', () => {
  expect(problem({})).toBe('')
  expect(problem({ readiness: undefined, certificate: undefined })).toBe('')
  expect(problem({ deletion_date: '2026-06-01T11:00:00Z', health_status: 'red' })).toBe('')
})

test('a pod that is not ready comes first, with its reason', () => {
  const waiting = { pod: 'media-pool-0-3', message: 'CrashLoopBackOff' }
  const change = { health_status: 'red', health_message: 'Service Unavailable' }
  expect(problem({ ...change, readiness: { ...readiness, pods_ready: 3, waiting } })).toBe(
    'media-pool-0-3 is not ready: CrashLoopBackOff',
  )
  const message = '0/4 nodes are available: 1 node(s) were unschedulable, 3 Insufficient memory.'
  expect(problem({ readiness: { ...readiness, pods_ready: 3, waiting: { ...waiting, message } } })).toBe(
    'media-pool-0-3 has no node: Insufficient memory',
  )
  expect(problem({ readiness: { ...readiness, pods_ready: 3, waiting: { ...waiting, message: '' } } })).toBe(
    'media-pool-0-3 is not ready.',
  )
  expect(problem({ readiness: { ...readiness, pods_ready: 2 } })).toBe('2 pods are not ready.')
})

test('then what the operator reports, and pods of an older version', () => {
  expect(problem({ health_status: 'yellow', health_message: 'Reduced Availability' })).toBe('Reduced Availability')
  expect(problem({ health_status: 'red' })).toBe('It is not healthy.')
  expect(problem({ health_status: 'yellow' })).toBe('Its health is degraded.')
  expect(problem({ readiness: { ...readiness, pods_outdated: 1 } })).toBe('1 pod still runs the old version.')
})

test('a tenant without pods is explained by its state, one in progress by nothing', () => {
  const change = { currentState: 'Tenant credentials are not set properly', health_status: '' }
  expect(problem({ ...change, readiness: { pods: 0, pods_ready: 0, pods_outdated: 0 } })).toBe(change.currentState)
  expect(problem({ ...change, currentState: 'Updating MinIO Version' })).toBe('')
})

test('usage near the limit and a certificate that ends within 30 days are reported', () => {
  expect(problem({ capacity_usage: 89 })).toBe('')
  expect(problem({ capacity_usage: 94 })).toBe('94% full.')
  expect(problem({ certificate: ends('2026-07-02T12:00:00Z') })).toBe('')
  expect(problem({ certificate: ends('2026-06-07T13:00:00Z') })).toBe('Its certificate media-tls ends in 6 days.')
  expect(problem({ certificate: ends('2026-06-02T13:00:00Z') })).toBe('Its certificate media-tls ends in 1 day.')
  expect(problem({ certificate: ends('2026-06-01T11:00:00Z') })).toBe('Its certificate media-tls has ended.')
  expect(daysToExpiry(ends('2026-06-01T13:00:00Z'), NOW)).toBe(0)
})

test('tenants of the same name in other namespaces are not mixed up; without StatefulSets a tenant has no pods', () => {
  const other = { ...item, namespace: 'other' }
  const rows = tenantRows(
    t,
    [item, other],
    [{ namespace: 'ns', name: 'media', ...readiness }],
    [ends('2027-01-01T00:00:00Z')],
  )
  expect(rows.map((row) => [row.readiness?.pods, row.certificate?.secret])).toEqual([
    [4, 'media-tls'],
    [0, undefined],
  ])
  expect(tenantRows(t, [item], undefined, undefined)[0]?.readiness).toBeUndefined()
})
