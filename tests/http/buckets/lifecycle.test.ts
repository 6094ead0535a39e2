import {
  CreateBucketCommand,
  GetBucketLifecycleConfigurationCommand,
  PutBucketLifecycleConfigurationCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3'
import { beforeAll, describe, expect, test } from 'vitest'
import { callFailure } from '../../support/console/caller.ts'
import { isMinio2021 } from '../../support/console/server-release.ts'
import { sharedConsole } from '../../support/console/shared-console.ts'
import type { TestTarget } from '../../support/console/test-target.ts'
import { putReplica } from '../../support/data/objects.ts'
import { allowS3 } from '../../support/data/policies.ts'

let c: TestTarget
beforeAll(async () => {
  c = await sharedConsole()
})

const NONE = '0001-01-01T00:00:00Z'
const listRules = async (bucket: string) => (await c.call('listLifecycleRules', { params: { bucket } })).lifecycle
const stored = async (Bucket: string) =>
  (await c.s3.send(new GetBucketLifecycleConfigurationCommand({ Bucket }))).Rules ?? []

describe('lifecycle rules', () => {
  test('are added, listed with their defaults, switched off and deleted [LCY-10] [LCY-11] [LCY-13] [LCY-15]', async () => {
    const bucket = await c.newBucket('life')
    const params = { bucket }
    const none = await callFailure(c.call('listLifecycleRules', { params }))
    expect([none.status, none.body]).toMatchObject([
      404,
      {
        message: 'The lifecycle configuration does not exist',
        detailedMessage: 'error bucket life cycle configuration not found',
      },
    ])
    const add = { prefix: 'tmp/', tags: 'k1=v1&k2=v=2', expired_object_delete_marker: false, expiry_days: 7 }
    await c.call('addLifecycleRule', { params, body: add })
    await c.call('addLifecycleRule', { params, body: { prefix: '', tags: '', expired_object_delete_marker: true } })
    const [first, second] = await listRules(bucket)
    expect(first).toMatchObject({
      id: expect.stringMatching(/./),
      prefix: 'tmp/',
      status: 'Enabled',
      tags: [
        { key: 'k1', value: 'v1' },
        { key: 'k2', value: 'v=2' },
      ],
      expiration: { days: 7, date: NONE, delete_marker: false, noncurrent_expiration_days: 0 },
      transition: { days: 0, date: NONE, storage_class: '' },
    })
    expect(second).toMatchObject({ prefix: '', tags: [], expiration: { days: 0, delete_marker: true } })
    const id = first?.id ?? ''
    await c.call('setLifecycleRule', { params: { bucket, id }, body: { disable: true, tags: 'k3=v3' } })
    expect((await listRules(bucket))[0]).toMatchObject({
      id,
      status: 'Disabled',
      prefix: 'tmp/',
      tags: [{ key: 'k3', value: 'v3' }],
      expiration: { days: 7 },
    })
    await c.call('deleteLifecycleRule', { params: { bucket, id } })
    await c.call('deleteLifecycleRule', { params: { bucket, id: second?.id ?? '' } })
    expect((await callFailure(listRules(bucket))).status).toBe(404)
    expect((await callFailure(c.call('deleteLifecycleRule', { params: { bucket, id } }))).status).toBe(404)
  })

  test('a date is the end of the chosen day, stored as the midnight after it [LCY-12]', async () => {
    const bucket = await c.newBucket('life')
    const params = { bucket }
    await c.call('addLifecycleRule', { params, body: { expiry_date: '2035-12-31T23:59:59Z' } })
    expect((await stored(bucket))[0]?.Expiration?.Date).toEqual(new Date('2036-01-01T00:00:00Z'))
    const [rule] = await listRules(bucket)
    expect(rule?.expiration.date).toBe('2035-12-31T23:59:59Z')
    const wrong = ['2035-02-31T23:59:59Z', '2035-13-01', 'tomorrow', '2020-01-01T23:59:59Z']
    for (const expiry_date of wrong) {
      const failure = await callFailure(c.call('addLifecycleRule', { params, body: { expiry_date } }))
      expect([expiry_date, failure.status, failure.body.field]).toEqual([expiry_date, 400, 'expiry_date'])
    }
  })

  test('invalid combinations are refused with their field [LCY-08]', async () => {
    const bucket = await c.newBucket('life')
    for (const [body, field] of [
      [{}, 'expiry_days'],
      [{ expiry_days: 0 }, 'expiry_days'],
      [{ expiry_days: 5, transition_days: 5, storage_class: 'COLD' }, 'type'],
      [{ transition_days: 5 }, 'storage_class'],
      [{ expiry_days: 5, expired_object_delete_marker: true }, 'expiry_days'],
      [{ expiry_days: 1, noncurrentversion_transition_days: 3 }, 'noncurrentversion_transition_storage_class'],
      [{ expiry_days: 1, tags: '=v' }, 'tags'],
      [{ expiry_days: -1 }, 'expiry_days'],
    ] as const) {
      const failure = await callFailure(c.call('addLifecycleRule', { params: { bucket }, body }))
      expect([body, failure.status, failure.body.field]).toEqual([body, 400, field])
    }
  })

  test('every form of a filter is read, and unknown elements survive an edit', async () => {
    const bucket = await c.newBucket('life')
    const Rules = [
      { ID: 'old', Status: 'Enabled' as const, Prefix: 'a/', Expiration: { Days: 3 } },
      { ID: 'tag', Status: 'Enabled' as const, Filter: { Tag: { Key: 'k', Value: 'v' } }, Expiration: { Days: 3 } },
      {
        ID: 'and',
        Status: 'Enabled' as const,
        Filter: { And: { Prefix: 'b/', Tags: [{ Key: 'k', Value: 'v' }], ObjectSizeGreaterThan: 5 } },
        Expiration: { Days: 3 },
        NoncurrentVersionExpiration: { NoncurrentDays: 2, NewerNoncurrentVersions: 4 },
      },
    ]
    await c.s3.send(new PutBucketLifecycleConfigurationCommand({ Bucket: bucket, LifecycleConfiguration: { Rules } }))
    expect(await listRules(bucket)).toMatchObject([
      { id: 'old', prefix: 'a/' },
      { id: 'tag', tags: [{ key: 'k', value: 'v' }] },
      { id: 'and', prefix: 'b/', size_greater_than: 5, expiration: { newer_noncurrent_expiration_versions: 4 } },
    ])
    const params = { bucket, id: 'and' }
    await c.call('setLifecycleRule', { params, body: { prefix: 'c/', expiry_days: 9 } })
    expect((await listRules(bucket))[2]).toMatchObject({
      prefix: 'c/',
      size_greater_than: 5,
      tags: [{ key: 'k', value: 'v' }],
      expiration: { days: 9, noncurrent_expiration_days: 2, newer_noncurrent_expiration_versions: 4 },
    })
  })

  test('a date in the past stays when the rule is switched off, and a rule keeps at least one action', async () => {
    const bucket = await c.newBucket('life')
    const Expiration = { Date: new Date('2020-01-01T00:00:00Z') }
    const Rules = [{ ID: 'past', Status: 'Enabled' as const, Filter: { Prefix: 'a/' }, Expiration }]
    await c.s3.send(new PutBucketLifecycleConfigurationCommand({ Bucket: bucket, LifecycleConfiguration: { Rules } }))
    const params = { bucket, id: 'past' }
    await c.call('setLifecycleRule', { params, body: { disable: true, expiry_date: '2019-12-31T23:59:59Z' } })
    expect(await listRules(bucket)).toMatchObject([
      { status: 'Disabled', expiration: { date: '2019-12-31T23:59:59Z' } },
    ])
    const other = await callFailure(
      c.call('setLifecycleRule', { params, body: { expiry_date: '2019-12-30T23:59:59Z' } }),
    )
    expect([other.status, other.body.field]).toEqual([400, 'expiry_date'])
    const empty = await callFailure(c.call('setLifecycleRule', { params, body: { expiry_days: 0 } }))
    expect([empty.status, empty.body.field]).toEqual([400, 'expiry_days'])
  })

  test('the simulation of an edit has what the edit leaves unchanged, such as sizes and all versions', async () => {
    const bucket = await c.newBucket('life')
    await c.call('setBucketVersioning', { params: { bucket }, body: { versioning: true } })
    const put = (Key: string, Body: string) => c.s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body }))
    await put('small', '1')
    await put('large', '12345')
    await put('large', '123456')
    const params = { bucket }
    const body = { expiry_days: 3, expired_object_delete_all: true, size_greater_than: 2, disable: true }
    await c.call('addLifecycleRule', { params, body })
    const [rule] = await listRules(bucket)
    const edit = { id: rule?.id ?? '', expiry_days: 9 }
    expect(await c.call('simulateLifecycleRule', { params, body: edit })).toMatchObject({
      matched: { versions: 2, bytes: 11 },
      first: [{ key: 'large', action: 'remove-all' }, { key: 'large' }],
    })
    expect((await listRules(bucket))[0]).toMatchObject({ status: 'Disabled', expiration: { days: 3 } })
    const missing = c.call('simulateLifecycleRule', { params, body: { ...edit, id: 'other' } })
    expect((await callFailure(missing)).status).toBe(404)
  })

  test('that two administrators add and edit at the same time are all there', async () => {
    const bucket = await c.newBucket('life')
    const params = { bucket }
    const prefixes = Array.from({ length: 8 }, (_, i) => `p${i}/`)
    await Promise.all(
      prefixes.map((prefix) => c.call('addLifecycleRule', { params, body: { prefix, expiry_days: 1 } })),
    )
    const rules = await listRules(bucket)
    expect(rules.map(({ prefix }) => prefix).sort()).toEqual(prefixes)
    await Promise.all(
      rules.map(({ id }) => c.call('setLifecycleRule', { params: { bucket, id }, body: { expiry_days: 7 } })),
    )
    expect((await listRules(bucket)).map(({ expiration }) => expiration.days)).toEqual(prefixes.map(() => 7))
    // Editing a rule that was deleted meanwhile is an error.
    const id = rules[0]?.id ?? ''
    await c.call('deleteLifecycleRule', { params: { bucket, id } })
    const late = c.call('setLifecycleRule', { params: { bucket, id }, body: { expiry_days: 9 } })
    expect((await callFailure(late)).status).toBe(404)
    expect(await listRules(bucket)).toHaveLength(7)
  })

  test('a simulation of a rule with tags counts objects with these tags; a server that does not list tags is named as the reason', async () => {
    const bucket = await c.newBucket('life')
    await c.s3.send(new PutObjectCommand({ Bucket: bucket, Key: 'a', Body: '1', Tagging: 'kind=draft' }))
    await c.s3.send(new PutObjectCommand({ Bucket: bucket, Key: 'b', Body: '1' }))
    const body = { prefix: '', tags: 'kind=draft', expiry_days: 3 }
    const simulation = c.call('simulateLifecycleRule', { params: { bucket }, body })
    if (await isMinio2021(c)) expect((await callFailure(simulation)).status).toBe(501)
    else expect(await simulation).toMatchObject({ matched: { versions: 1 }, first: [{ key: 'a' }] })
  })

  test('a simulation and the forecast list what a rule would affect, and change nothing', async () => {
    const bucket = await c.newBucket('life')
    const put = (Key: string, Body: string) => c.s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body }))
    await put('tmp/1', '12345')
    await put('tmp/2', '123')
    await put('other', '1')
    const body = { prefix: 'tmp/', expiry_days: 3 }
    const found = await c.call('simulateLifecycleRule', { params: { bucket }, body })
    // A rule that is still disabled is simulated as if it was enabled.
    const disabled = { ...body, disable: true }
    expect(await c.call('simulateLifecycleRule', { params: { bucket }, body: disabled })).toEqual(found)
    expect(found).toMatchObject({
      due: { versions: 0, bytes: 0 },
      matched: { versions: 2, bytes: 8 },
      first: [
        { key: 'tmp/1', bytes: 5, action: 'expire', locked: false },
        { key: 'tmp/2', bytes: 3 },
      ],
      scanned: 2,
      complete: true,
    })
    expect((await c.call('getLifecycleForecast', { params: { bucket } })).next).toBeNull()
    await c.call('addLifecycleRule', { params: { bucket }, body })
    const [rule] = await listRules(bucket)
    expect(await c.call('getLifecycleForecast', { params: { bucket } })).toMatchObject({
      next: {
        rule_id: rule?.id,
        action: 'expire',
        versions: 2,
        bytes: 8,
        due: expect.stringMatching(/T00:00:00.000Z$/),
      },
      complete: true,
      waiting: null,
    })
  })

  test('the forecast of a rule for all versions of an object counts each of them', async () => {
    const bucket = await c.newBucket('life')
    await c.call('setBucketVersioning', { params: { bucket }, body: { versioning: true } })
    for (const Body of ['1', '22', '333']) await c.s3.send(new PutObjectCommand({ Bucket: bucket, Key: 'k', Body }))
    const body = { expiry_days: 3, expired_object_delete_all: true }
    const first = await c.call('simulateLifecycleRule', { params: { bucket }, body })
    expect(first).toMatchObject({ matched: { versions: 3, bytes: 6 }, first: [{}, {}, {}] })
    expect(new Set(first.first.map(({ version_id }) => version_id)).size).toBe(3)
    await c.call('addLifecycleRule', { params: { bucket }, body })
    const { next } = await c.call('getLifecycleForecast', { params: { bucket } })
    expect(next).toMatchObject({ action: 'remove-all', versions: 3, bytes: 6 })
  })

  test('a simulation counts the due versions that a lock protects, and says how many locks it did not read', async () => {
    const bucket = c.freshName('life')
    await c.s3.send(new CreateBucketCommand({ Bucket: bucket, ObjectLockEnabledForBucket: true }))
    const put = (Key: string, days: number, lock: object = {}) =>
      putReplica(c.s3, { Bucket: bucket, Key, Body: 'x', ...lock }, Date.now() - days * 86_400_000)
    const until = { ObjectLockMode: 'GOVERNANCE', ObjectLockRetainUntilDate: new Date(Date.now() + 3_600_000) }
    await put('held', 9, { ObjectLockLegalHoldStatus: 'ON' })
    await put('kept', 9, until)
    const free = Array.from({ length: 51 }, (_, i) => `z${i}`)
    await Promise.all(free.map((key) => put(key, 9)))
    await Promise.all(['held', 'kept', ...free].map((key) => put(key, 5)))
    const body = { prefix: '', expiry_days: 3650, noncurrentversion_expiration_days: 2 }
    const found = await c.call('simulateLifecycleRule', { params: { bucket }, body })
    expect(found).toMatchObject({ due: { versions: 53 }, locked: 2, locks_unchecked: 3 })
    expect(found.first.map(({ key, locked }) => [key, locked]).slice(0, 3)).toEqual([
      ['held', true],
      ['kept', true],
      ['z0', false],
    ])
    const few = await c.call('simulateLifecycleRule', { params: { bucket }, body: { ...body, prefix: 'held' } })
    expect(few).toMatchObject({ due: { versions: 1 }, locked: 1, locks_unchecked: 0 })
  })

  test('need the right to the rules of this bucket', async () => {
    const bucket = await c.newBucket('life')
    const other = await c.signInWith(allowS3(['s3:ListAllMyBuckets']))
    const params = { bucket }
    const body = { expiry_days: 1 }
    const calls = [
      () => other.call('listLifecycleRules', { params }),
      () => other.call('addLifecycleRule', { params, body }),
      () => other.call('simulateLifecycleRule', { params, body }),
      () => other.call('getLifecycleForecast', { params }),
    ]
    for (const [n, call] of calls.entries()) expect([n, (await callFailure(call())).status]).toEqual([n, 403])
    // Other servers do not have this call.
    const confirm = await callFailure(other.call('confirmLifecycleClock', { body: {} }))
    expect(confirm.status).toBe(c.embedded ? 403 : 501)
    expect((await callFailure(listRules(bucket))).status).toBe(404)
  })
})
