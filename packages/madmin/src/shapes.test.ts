// Answers of three families of servers, reduced to their differences: MinIO of 2021 and of October 2025, and RustFS.
import { describe, expect, test } from 'vitest'
import { readAccountInfo } from './buckets/account-info.ts'
import { readQuota } from './buckets/bucket-quota.ts'
import { readDataUsage } from './buckets/data-usage.ts'
import { readAdminPolicy } from './iam/policies.ts'
import { readServiceAccount } from './iam/service-accounts.ts'
import { readServerInfo } from './servers/server-info.ts'
import { readStorageInfo } from './servers/storage-info.ts'
import { asNumber, asTime } from './transport/json-values.ts'
import { parseFailure } from './transport/parse-failure.ts'

const document = { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: ['s3:*'] }] }
const empty = { Version: '', Statement: null }

describe('account info', () => {
  test('of MinIO 2025', () => {
    const info = readAccountInfo({
      AccountName: 'alice',
      Server: { Type: 2, TotalSets: [1] },
      Policy: document,
      Buckets: [
        {
          name: 'photos',
          size: 12,
          objects: 3,
          objectHistogram: { LESS_THAN_1024_B: 1, BETWEEN_1024_B_AND_64_KB: 2, BETWEEN_1024B_AND_1_MB: 2 },
          objectsVersionsHistogram: { UNVERSIONED: 3 },
          details: {
            versioning: true,
            versioningSuspended: false,
            locking: false,
            replication: false,
            quota: { quota: 7, size: 8, quotatype: 'hard' },
          },
          created: '2026-11-21T12:00:00Z',
          access: { read: true, write: false },
        },
      ],
    })
    expect(info).toEqual({
      name: 'alice',
      policy: document,
      buckets: [
        {
          name: 'photos',
          created: '2026-11-21T12:00:00Z',
          size: 12,
          objects: 3,
          objectsBySize: { LESS_THAN_1024_B: 1, BETWEEN_1024_B_AND_64_KB: 2 },
          objectsByVersions: { UNVERSIONED: 3 },
          access: { read: true, write: false },
          details: {
            versioning: true,
            versioningSuspended: false,
            locking: false,
            replication: false,
            quota: { quota: 8, type: 'hard' },
          },
        },
      ],
    })
  })

  test('of MinIO 2021: no buckets are null, and one coarse range of sizes is kept', () => {
    expect(readAccountInfo({ AccountName: 'a', Policy: document, Buckets: null }).buckets).toEqual([])
    const [bucket] = readAccountInfo({
      Buckets: [{ name: 'b', objectHistogram: { BETWEEN_1024B_AND_1_MB: 2 }, details: null, access: {} }],
    }).buckets
    expect(bucket?.objectsBySize).toEqual({ BETWEEN_1024B_AND_1_MB: 2 })
    expect(bucket).not.toHaveProperty('details')
  })

  test('an empty policy means root in 2021, and a user without policies in 2025', () => {
    expect(readAccountInfo({ Server: { Type: 2 }, Policy: empty }).policy).toMatchObject({
      Statement: expect.arrayContaining([{ Effect: 'Allow', Action: ['admin:*'] }]),
    })
    expect(readAccountInfo({ Server: { Type: 2, TotalSets: [1] }, Policy: empty }).policy).toMatchObject({
      Statement: [],
    })
  })

  test('of RustFS: snake case, the policy as a text', () => {
    const info = readAccountInfo({
      account_name: 'alice',
      policy: JSON.stringify(document),
      server: { TotalSets: [1] },
      buckets: [
        {
          name: 'b',
          object_sizes_histogram: { LESS_THAN_1024_B: 1 },
          details: { versioning_suspended: true },
          expiration: '2026-01-01T00:00:00Z',
          access: { read: true },
        },
      ],
    })
    expect(info).toMatchObject({ name: 'alice', policy: document })
    expect(info.buckets[0]).toMatchObject({
      created: '2026-01-01T00:00:00Z',
      size: 0,
      objectsBySize: { LESS_THAN_1024_B: 1 },
      details: { versioning: false, versioningSuspended: true },
      access: { read: true, write: false },
    })
  })
})

describe('server info', () => {
  const bare = {
    mode: 'online',
    buckets: { count: 2 },
    objects: { count: 0, error: 'no scan yet' },
    usage: { size: 10 },
    backend: { backendType: 'Erasure', onlineDisks: 4, standardSCParity: 2 },
    servers: [
      {
        endpoint: 'a:9000',
        poolNumber: 1,
        network: { 'b:9000': 'online' },
        drives: [{ state: 'ok', totalspace: 5, pool_index: -1, set_index: 0 }],
      },
    ],
  }
  test.each([
    ['bare', bare],
    ['wrapped', { info: bare, admin_discovery: {} }],
  ])('%s', (_name, answer) => {
    const info = readServerInfo(answer)
    expect(info).toMatchObject({
      buckets: { count: 2 },
      usage: { size: 10 },
      backend: { onlineDrives: 4, standardParity: 2 },
    })
    expect(info.objects.count).toBeUndefined()
    expect(info.servers[0]).toMatchObject({ poolNumbers: [1], network: { 'b:9000': 'online' } })
    expect(info.servers[0]?.drives[0]).toMatchObject({ state: 'ok', totalspace: 5, pool: undefined, set: 0 })
  })
  test('a server of several pools sends a list, and a number that JavaScript cannot represent', () => {
    const text = '{"servers":[{"poolNumber":9223372036854775807,"poolNumbers":[1,2]}]}'
    expect(readServerInfo(JSON.parse(text)).servers[0]?.poolNumbers).toEqual([1, 2])
  })
  test('sets of all pools are in one list', () => {
    const sets = readServerInfo({ pools: { 0: { 0: { rawUsage: 1 }, 1: {} }, 1: { 0: { healDisks: 2 } } } }).sets
    expect(sets.map(({ pool, set }) => [pool, set])).toEqual([
      [0, 0],
      [0, 1],
      [1, 0],
    ])
    expect(sets[0]?.rawUsage).toBe(1)
    expect(sets[2]?.healingDrives).toBe(2)
  })
})

test('storage info: usable capacity is without parity', () => {
  const Disks = Array.from({ length: 4 }, () => ({ totalspace: 100, usedspace: 10, state: 'ok' }))
  const minio = { Disks, Backend: { StandardSCParity: 1, DrivesPerSet: [4] } }
  expect(readStorageInfo(minio)).toMatchObject({
    rawCapacity: 400,
    usableCapacity: 300,
    rawUsage: 40,
    standardParity: 1,
  })
  const rustfs = { info: { disks: Disks, backend: { standardSCParity: 2, drivesPerSet: [4] } } }
  expect(readStorageInfo(rustfs)).toMatchObject({ usableCapacity: 200 })
  expect(readStorageInfo({ Disks: null, Backend: {} })).toMatchObject({ drives: [], usableCapacity: 0 })
})

test('data usage in both spellings', () => {
  const minio = {
    lastUpdate: '0001-01-01T00:00:00Z',
    objectsCount: 3,
    bucketsUsageInfo: { b: { size: 5, objectsCount: 3 } },
  }
  expect(readDataUsage(minio)).toMatchObject({
    lastUpdate: undefined,
    objects: 3,
    bucketUsage: { b: { size: 5, objects: 3 } },
  })
  const rustfs = {
    last_update: { secs_since_epoch: 1_000 },
    objects_total_count: 3,
    buckets_usage: { b: { objects_count: 3 } },
  }
  expect(readDataUsage(rustfs)).toMatchObject({
    lastUpdate: '1970-01-01T00:16:40.000Z',
    objects: 3,
    bucketUsage: { b: { objects: 3 } },
  })
})

test.each([
  [
    { quota: 5, size: 6, quotatype: 'hard' },
    { size: 6, type: 'hard' },
  ],
  [
    { quota: 5, size: 0 },
    { size: 5, type: 'hard' },
  ],
  [
    { quota: 5, quotatype: 'fifo' },
    { size: 5, type: 'fifo' },
  ],
  [
    { quota: 0, size: 0, rate: 0, requests: 0 },
    { size: 0, type: 'hard' },
  ],
  [null, { size: 0, type: 'hard' }],
])('quota %j', (wire, quota) => {
  expect(readQuota(wire)).toEqual(quota)
})

test.each([
  ['bare', document, undefined],
  ['of MinIO', { PolicyName: 'p', Policy: document, CreateDate: '2026-01-01T00:00:00Z' }, '2026-01-01T00:00:00Z'],
  ['of RustFS', { policy_name: 'p', policy: document, create_date: [2026, 1] }, undefined],
])('a policy %s', (_name, answer, created) => {
  expect(readAdminPolicy('p', answer)).toMatchObject({ name: 'p', policy: document, created })
})

test('a service account as object and, in 2021, as a bare key', () => {
  expect(readServiceAccount('KEY')).toMatchObject({ accessKey: 'KEY', status: 'enabled', expiration: undefined })
  const wire = {
    accessKey: 'KEY',
    parentUser: 'alice',
    accountStatus: 'off',
    impliedPolicy: true,
    expiration: '1970-01-01T00:00:00Z',
  }
  expect(readServiceAccount(wire)).toMatchObject({
    parentUser: 'alice',
    status: 'disabled',
    impliedPolicy: true,
    expiration: undefined,
  })
})

describe('failures', () => {
  test.each([
    [
      404,
      '{"Code":"NoSuchBucket","Message":"m","RequestId":"1"}',
      { code: 'NoSuchBucket', message: 'm', requestId: '1' },
    ],
    [
      500,
      '\n<?xml version="1.0"?><Error><Code>InternalError</Code><Message>a &lt; b</Message><RequestId>12</RequestId></Error>',
      { code: 'InternalError', message: 'a < b', requestId: '12' },
    ],
    [
      400,
      '<ErrorResponse xmlns="x"><Error><Type/><Code>InvalidParameterValue</Code><Message>m</Message></Error><RequestId>2</RequestId></ErrorResponse>',
      { code: 'InvalidParameterValue', message: 'm', requestId: '2' },
    ],
    [426, '', { code: 'XMinioAdminVersionMismatch' }],
    [403, '', { code: 'AccessDenied' }],
    [502, '<html><body>Bad gateway', { code: 'WebPage' }],
    [403, '<!DOCTYPE html><p>Forbidden', { code: 'WebPage' }],
    [503, '<html><body>Busy', { code: 'SlowDown' }],
    [500, '{"Code":', { code: '' }],
  ])('%i %s', (status, body, failure) => {
    expect(parseFailure(status, body)).toMatchObject(failure)
  })
})

test('numbers and times that mean "no value"', () => {
  expect(asNumber(2 ** 63)).toBeUndefined()
  expect(asNumber(2 ** 60)).toBe(2 ** 60)
  expect(asTime('0001-01-01T00:00:00Z')).toBeUndefined()
  expect(asTime('2026-01-01T00:00:00Z')).toBe('2026-01-01T00:00:00Z')
})

test('a drive has its errors, latency and healing if the server reports them', () => {
  const drives = [
    {
      state: 'ok',
      metrics: { lastMinute: { ReadXL: { count: 3, acc_time_ns: 6e6 }, StatVol: { count: 1, acc_time_ns: 2e6 } } },
    },
    { state: 'ok', metrics: { lastMinute: {}, totalErrsAvailability: 2, totalErrsTimeout: 1 } },
    { state: 'ok', healing: true, heal_info: { objects_total_size: 200, bytes_done: 40, bytes_failed: 10 } },
    { state: 'ok', healing: true, heal_info: { objects_total_count: 4, items_healed: 1, items_skipped: 9 } },
    { state: 'ok', healing: true, heal_info: {} },
    { state: 'ok' },
  ]
  const read = readServerInfo({ servers: [{ drives }] }).servers[0]?.drives ?? []
  expect(read.map(({ errors, latencyMs, healed }) => [errors, latencyMs, healed])).toEqual([
    [0, 2, undefined],
    [3, undefined, undefined],
    [undefined, undefined, 0.25],
    [undefined, undefined, 1],
    [undefined, undefined, undefined],
    [undefined, undefined, undefined],
  ])
})
