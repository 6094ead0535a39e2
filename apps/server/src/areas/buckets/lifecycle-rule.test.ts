import type { LifecycleBody } from '@stowage/contract'
import type { S3LifecycleRule } from '@stowage/madmin/lifecycle'
import { expect, test } from 'vitest'
import { changedLifecycleRule, newLifecycleRule, wireLifecycleRule } from './lifecycle-rule.ts'

const today = Date.parse('2030-01-15T12:00:00Z')
const NONE = '0001-01-01T00:00:00Z'
const body: LifecycleBody = { prefix: 'tmp/', tags: 'k1=v1&k2=v=2', expiry_days: 7 }
const create = (change: LifecycleBody = {}) => newLifecycleRule('r', { ...body, ...change }, today)

test('a rule is returned with all of its members, and 0, NONE or an empty text for those that are absent [LCY-10] [LCY-15]', () => {
  expect(wireLifecycleRule(create())).toEqual({
    id: 'r',
    prefix: 'tmp/',
    status: 'Enabled',
    tags: [
      { key: 'k1', value: 'v1' },
      { key: 'k2', value: 'v=2' },
    ],
    expiration: {
      date: NONE,
      days: 7,
      delete_marker: false,
      delete_all: false,
      noncurrent_expiration_days: 0,
      newer_noncurrent_expiration_versions: 0,
      delete_marker_days: 0,
      abort_upload_days: 0,
    },
    transition: {
      date: NONE,
      days: 0,
      storage_class: '',
      noncurrent_transition_days: 0,
      noncurrent_storage_class: '',
    },
    size_greater_than: 0,
    size_less_than: 0,
  })
  const moved: S3LifecycleRule = {
    ...create({ expiry_days: 0, transition_days: 3, storage_class: 'cold' }),
    noncurrentTransitions: [{ days: 5, storageClass: 'ICE' }],
    noncurrentExpiration: { days: 9, newerVersions: 2 },
    enabled: false,
  }
  expect(wireLifecycleRule(moved)).toMatchObject({
    status: 'Disabled',
    expiration: { days: 0, noncurrent_expiration_days: 9, newer_noncurrent_expiration_versions: 2 },
    transition: { days: 3, storage_class: 'COLD', noncurrent_transition_days: 5, noncurrent_storage_class: 'ICE' },
  })
})

test('the fields of a request become the parts of the rule [LCY-11] [LCY-12]', () => {
  expect(create().filter).toMatchObject({ prefix: 'tmp/', tags: { k1: 'v1', k2: 'v=2' } })
  expect(create({ expiry_days: 0, expired_object_delete_marker: true }).expiration).toEqual({ deleteMarkers: true })
  const noncurrent = create({
    noncurrentversion_expiration_days: 4,
    noncurrentversion_transition_days: 2,
    noncurrentversion_transition_storage_class: 'ice',
  })
  expect(noncurrent).toMatchObject({
    expiration: { days: 7 },
    noncurrentExpiration: { days: 4 },
    noncurrentTransitions: [{ days: 2, storageClass: 'ICE' }],
  })
})

test('a date is the end of the chosen day: the midnight after it [LCY-12] [LCY-15]', () => {
  const midnight = Date.parse('2030-04-01T00:00:00Z')
  const expiry = create({ expiry_days: 0, expiry_date: '2030-03-31T23:59:59Z' })
  expect(expiry.expiration).toEqual({ date: midnight })
  expect(wireLifecycleRule(expiry).expiration).toMatchObject({ date: '2030-03-31T23:59:59Z', days: 0 })
  const moved = create({ expiry_days: 0, transition_date: '2030-03-31T23:59:59Z', storage_class: 'COLD' })
  expect(moved.transitions).toEqual([{ date: midnight, storageClass: 'COLD' }])
  expect(wireLifecycleRule(moved).transition).toMatchObject({ date: '2030-03-31T23:59:59Z', days: 0 })
})

test('a rule is switched off and on, and gets other tags; the rest stays [LCY-13]', () => {
  const rule = create({ noncurrentversion_expiration_days: 4 })
  const off = changedLifecycleRule(rule, { disable: true }, today)
  expect(off).toEqual({ ...rule, enabled: false })
  expect(changedLifecycleRule(off, { tags: 'k3=v3' }, today)).toMatchObject({
    enabled: false,
    filter: { prefix: 'tmp/', tags: { k3: 'v3' } },
    expiration: { days: 7 },
  })
  expect(changedLifecycleRule(off, { disable: false }, today)).toEqual(rule)
})

test.each([
  ['without an action', { expiry_days: 0 }, 'expiry_days'],
  ['that expires and moves', { transition_days: 3, storage_class: 'COLD' }, 'type'],
  ['that moves without a tier', { expiry_days: 0, transition_days: 3 }, 'storage_class'],
  ['with a date in the past', { expiry_days: 0, expiry_date: '2030-01-14T23:59:59Z' }, 'expiry_date'],
  ['with a tag without a key', { tags: '=v' }, 'tags'],
] as const)('a rule %s is refused with its field [LCY-08]', (_, change, field) => {
  expect(() => create(change)).toThrow(
    expect.objectContaining({ status: 400, options: expect.objectContaining({ field }) }),
  )
})
