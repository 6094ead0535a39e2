import { expect, test } from 'vitest'
import {
  formatDay,
  isLifecycleRuleReady,
  lifecycleRuleBody,
  lifecycleRuleChanges,
  lifecycleRuleValues,
  NEW_LIFECYCLE_RULE,
  toDay,
} from './lifecycle-rule-values.ts'

const ready = (over: Partial<typeof NEW_LIFECYCLE_RULE>) => isLifecycleRuleReady({ ...NEW_LIFECYCLE_RULE, ...over })

test('a rule can be saved with a date or days of at least 1 [LCY-07]', () => {
  expect(ready({})).toBe(false)
  expect(ready({ days: '1' })).toBe(true)
  expect(ready({ days: '0.5' })).toBe(false)
  expect(ready({ days: '-1' })).toBe(false)
  expect(ready({ time: 'date' })).toBe(false)
  expect(ready({ time: 'date', days: '7' })).toBe(false)
  expect(ready({ time: 'date', date: '2030-01-01' })).toBe(true)
  expect(ready({ deleteMarkers: true })).toBe(true)
  expect(ready({ noncurrentDays: '3' })).toBe(true)
  expect(ready({ days: 'x', noncurrentDays: '3' })).toBe(false)
  expect(ready({ abortUploadDays: '3' })).toBe(true)
  expect(ready({ days: '1', abortUploadDays: 'x' })).toBe(false)
})

test('tags that the request could not separate are not saved, unless they are stored', () => {
  for (const [pair, expected] of [
    [['k', 'v=1'], true],
    [['k', 'a&b'], false],
    [['k=', 'v'], false],
    [['k&', 'v'], false],
  ] as const) {
    const values = { ...NEW_LIFECYCLE_RULE, days: '1', tags: [[...pair]] as [string, string][] }
    expect([pair, isLifecycleRuleReady(values), isLifecycleRuleReady(values, values)]).toEqual([pair, expected, true])
  }
})

test('a transition also needs a tier [LCY-08]', () => {
  const transition = { kind: 'transition' as const }
  expect(ready({ ...transition, days: '1' })).toBe(false)
  expect(ready({ ...transition, days: '0', tier: 'COLD' })).toBe(false)
  expect(ready({ ...transition, days: '1', tier: 'COLD' })).toBe(true)
  expect(ready({ ...transition, time: 'date', tier: 'COLD' })).toBe(false)
  expect(ready({ ...transition, days: '1', tier: 'COLD', noncurrentDays: '2' })).toBe(false)
  expect(ready({ ...transition, noncurrentDays: '2', noncurrentTier: 'COLD' })).toBe(true)
})

test('the request has the fields of the kind, and the last second of the day [LCY-12]', () => {
  const tags: [string, string][] = [
    ['a', '1'],
    ['b', ''],
    ['c', '2'],
  ]
  expect(lifecycleRuleBody({ ...NEW_LIFECYCLE_RULE, time: 'date', date: '2030-03-31', tags, prefix: 'p/' })).toEqual({
    type: 'expiry',
    prefix: 'p/',
    tags: 'a=1&c=2',
    disable: false,
    expired_object_delete_marker: false,
    expiry_date: '2030-03-31T23:59:59Z',
    noncurrentversion_expiration_days: 0,
    newer_noncurrentversion_expiration_versions: 0,
    abort_upload_days: 0,
  })
  const moves = { ...NEW_LIFECYCLE_RULE, enabled: false, kind: 'transition' as const, days: '9', tier: 'COLD' }
  expect(lifecycleRuleBody({ ...moves, noncurrentDays: '4', noncurrentTier: 'ICE' })).toEqual({
    type: 'transition',
    prefix: '',
    tags: '',
    disable: true,
    transition_days: 9,
    storage_class: 'COLD',
    noncurrentversion_transition_days: 4,
    noncurrentversion_transition_storage_class: 'ICE',
  })
  const onDay = lifecycleRuleBody({ ...moves, time: 'date', date: '2030-03-31' })
  expect(onDay).toMatchObject({ transition_date: '2030-03-31T23:59:59Z', storage_class: 'COLD' })
  expect(onDay).not.toHaveProperty('transition_days')
})

test('only calendar dates are accepted [LCY-09]', () => {
  expect(formatDay(2030, 2, 28)).toBe('2030-02-28')
  expect(formatDay(2030, 2, 29)).toBeUndefined()
  expect(formatDay(2032, 2, 29)).toBe('2032-02-29')
  expect(formatDay(2030, 4, 31)).toBeUndefined()
})

test('an unset date is blank [LCY-16], and a saved rule is read back unchanged', () => {
  expect(toDay('0001-01-01T00:00:00Z')).toBe('')
  expect(toDay('2030-03-31T23:59:59Z')).toBe('2030-03-31')
  const NONE = '0001-01-01T00:00:00Z'
  const read = lifecycleRuleValues({
    id: 'r',
    prefix: 'p/',
    status: 'Disabled',
    tags: [{ key: 'k', value: 'v' }],
    expiration: {
      date: NONE,
      days: 5,
      delete_marker: false,
      delete_all: false,
      noncurrent_expiration_days: 2,
      newer_noncurrent_expiration_versions: 3,
      delete_marker_days: 0,
      abort_upload_days: 6,
    },
    transition: { date: NONE, days: 0, storage_class: '', noncurrent_transition_days: 0, noncurrent_storage_class: '' },
    size_greater_than: 0,
    size_less_than: 0,
  })
  expect(lifecycleRuleBody(read)).toMatchObject({
    disable: true,
    tags: 'k=v',
    expiry_days: 5,
    prefix: 'p/',
    abort_upload_days: 6,
  })
})

test('an edit sends only what differs, and a rule with actions that the form does not show can be saved', () => {
  const stored = { ...NEW_LIFECYCLE_RULE, days: '5', prefix: 'p/', tags: [['k', '']] as [string, string][] }
  expect(lifecycleRuleChanges({ ...stored, enabled: false }, stored)).toEqual({ disable: true })
  expect(lifecycleRuleChanges({ ...stored, time: 'date', date: '2030-01-01' }, stored)).toEqual({
    expiry_date: '2030-01-01T23:59:59Z',
  })
  const atOnce = { ...NEW_LIFECYCLE_RULE, kind: 'transition' as const, days: '0', tier: 'COLD' }
  expect([isLifecycleRuleReady(atOnce), isLifecycleRuleReady({ ...atOnce, enabled: false }, atOnce)]).toEqual([
    false,
    true,
  ])
  expect(isLifecycleRuleReady({ ...atOnce, days: 'x' }, atOnce)).toBe(false)
  expect(isLifecycleRuleReady({ ...stored, days: '0' }, stored)).toBe(false)
})
