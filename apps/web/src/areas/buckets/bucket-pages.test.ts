import type { Bucket, Session } from '@stowage/contract'
import { expect, test } from 'vitest'
import {
  bucketAccessText,
  bucketFeatures,
  isNearQuota,
  isPublicBucket,
  quotaShare,
  sumBuckets,
} from './bucket/bucket-facts.ts'
import { brokenNameRules } from './create/bucket-name-rules.ts'
import { bucketPages } from './pages.ts'

const bucket = (o: Partial<Bucket> & { quota?: number; versioning?: boolean; locking?: boolean }): Bucket => ({
  name: 'b',
  creation_date: '2026-01-01T00:00:00Z',
  size: 0,
  objects: 0,
  details: {
    versioning: o.versioning ?? false,
    versioningSuspended: false,
    locking: o.locking ?? false,
    replication: false,
    ...(o.quota === undefined ? {} : { quota: { quota: o.quota, type: 'hard' as const } }),
  },
  ...o,
})

test.each([
  [{ size: 90, quota: 100 }, 0.9, true],
  [{ size: 89, quota: 100 }, 0.89, false],
  [{ size: 150, quota: 100 }, 1.5, true],
  [{ size: 5 }, undefined, false],
  [{ size: 5, quota: 0 }, undefined, false],
])('%j uses %s of its quota, near it: %s', (o, share, near) => {
  expect(quotaShare(bucket(o))).toBe(share)
  expect(isNearQuota(bucket(o))).toBe(near)
})

test('lists the features of a bucket', () => {
  expect(bucketFeatures(bucket({ versioning: true, locking: true }))).toBe('Versioned, Locked')
  expect(bucketFeatures(bucket({}))).toBe('')
})

test('the totals of all buckets', () => {
  const list = [bucket({ size: 10, objects: 2, access: 'PUBLIC' }), bucket({ size: 95, objects: 1, quota: 100 })]
  expect(sumBuckets(list)).toEqual({ buckets: 2, objects: 3, bytes: 105, open: 1, near: 1 })
})

const nothing = { list: false, read: false, write: false }
test.each([
  [{ access: 'PRIVATE', anonymous: nothing }, false, 'Private'],
  [{ access: 'PUBLIC', anonymous: { list: true, read: true, write: true } }, true, 'Public'],
  [{ access: 'CUSTOM', anonymous: nothing }, false, 'Custom'],
  [{ access: 'CUSTOM', anonymous: { ...nothing, read: true } }, true, 'Public, read only'],
  [{ access: 'CUSTOM', anonymous: { ...nothing, read: true, partly: true } }, true, 'Partly public, read only'],
  [{ access: 'CUSTOM', anonymous: { ...nothing, write: true } }, true, 'Custom, public'],
  [{ access: 'CUSTOM', anonymous: { ...nothing, write: true, partly: true } }, true, 'Custom, partly public'],
  [{ access: 'PUBLIC' }, true, 'Public'],
] as const)('a bucket with %j is open to everyone: %s, and called %s', (access, open, word) => {
  expect([isPublicBucket(bucket(access)), bucketAccessText(bucket(access))]).toEqual([open, word])
})

test.each([
  ['', []],
  ['my-bucket.2026', []],
  ['ab', ['3 to 63 characters']],
  ['My_Bucket', ['Only lowercase letters, digits, hyphens and dots']],
  ['-ab', ['Starts and ends with a letter or digit']],
  ['a..b', ['No two dots in a row, no hyphen next to a dot']],
  ['192.168.0.1', ['Does not look like an IP address']],
])('the name "%s" violates %j', (name, rules) => expect(brokenNameRules(name)).toEqual(rules))

test('the lifecycle page exists in a distributed setup only [LCY-01]', () => {
  const page = bucketPages.find(({ path }) => path === '/buckets/$bucket/lifecycle')
  const isThere = (distributedMode: boolean) => page?.when?.({ distributedMode } as Session)
  expect([isThere(true), isThere(false)]).toEqual([true, false])
})
