import { expect, test } from 'vitest'
import { LockClock } from '../core/lock-clock.ts'
import type { GovernanceBypass, VersionRetention } from '../interface/types.ts'
import { TestEngine } from '../testing/test-engine.ts'

const DAY = 86_400_000
const NOW = Date.UTC(2026, 0, 1)
const object = { bucket: 'b', key: 'k' }

/** A store with a locked bucket, and a clock that the test sets. */
async function locking() {
  const clock = { now: NOW, steady: NOW }
  const store = await TestEngine.start(2, { now: () => clock.now, steadyNow: () => clock.steady })
  await store.engine.createBucket('b', { objectLock: true })
  const pass = (ms: number) => {
    clock.now += ms
    clock.steady += ms
  }
  const remove = (versionId: string, bypassGovernance?: GovernanceBypass) =>
    store.engine.deleteObject('b', 'k', { versionId, bypassGovernance })
  return { store, engine: store.engine, clock, pass, remove, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() }
}

const locked = { code: 'InvalidRequest', message: 'Object is WORM protected and cannot be overwritten' }
const governance = (days: number): VersionRetention => ({ mode: 'GOVERNANCE', until: NOW + days * DAY })
const compliance = (days: number): VersionRetention => ({ mode: 'COMPLIANCE', until: NOW + days * DAY })

test('a version is not removed before its retention ends, also not after a restart or by a new version', async () => {
  await using t = await locking()
  const { versionId } = await t.store.put('b', 'k', 'kept', { lock: { retention: compliance(10) } })
  await expect(t.remove(versionId)).rejects.toMatchObject(locked)
  await expect(t.remove(versionId, 'allowed')).rejects.toMatchObject(locked)
  // A write that names the version, as a replica would.
  await expect(t.store.put('b', 'k', 'other', { versionId })).rejects.toMatchObject(locked)
  expect(await t.engine.deleteObject('b', 'k')).toMatchObject({ deleteMarker: true })
  await t.store.reopen()
  await expect(t.store.engine.deleteObject('b', 'k', { versionId })).rejects.toMatchObject(locked)
  await expect(t.store.engine.deleteBucket('b', { force: true })).rejects.toMatchObject({ code: 'BucketNotEmpty' })
  expect(await t.store.text('b', 'k', versionId)).toBe('kept')
  t.pass(10 * DAY)
  await t.store.engine.deleteObject('b', 'k', { versionId })
  expect(() => t.store.engine.getObject('b', 'k', versionId)).toThrow('version does not exist')
})

test('of several deletions only the locked ones fail', async () => {
  await using t = await locking()
  const { versionId } = await t.store.put('b', 'locked', 'x', { lock: { legalHold: 'ON' } })
  const free = await t.store.put('b', 'free', 'x')
  const results = await t.engine.deleteObjects('b', [
    { key: 'locked', versionId },
    { key: 'free', versionId: free.versionId },
  ])
  expect(results).toEqual([expect.objectContaining(locked), expect.objectContaining({ key: 'free' })])
  expect(t.engine.bucketUsage('b').versions).toBe(1)
})

test('governance gives way to a bypass that is allowed, compliance to nothing', async () => {
  await using t = await locking()
  const { versionId } = await t.store.put('b', 'k', 'x', { lock: { retention: governance(10) } })
  await expect(t.remove(versionId)).rejects.toMatchObject(locked)
  await expect(t.remove(versionId, 'denied')).rejects.toMatchObject({ code: 'AccessDenied' })
  expect((await t.remove(versionId, 'allowed')).versionId).toBe(versionId)
})

test('a legal hold keeps a version whatever its retention, until it is released', async () => {
  await using t = await locking()
  const { versionId } = await t.store.put('b', 'k', 'x')
  await t.engine.setObjectLegalHold({ ...object, versionId }, 'ON')
  t.pass(1000 * DAY)
  await expect(t.remove(versionId, 'allowed')).rejects.toMatchObject(locked)
  await t.engine.setObjectTags(object, { a: '1' })
  await expect(t.remove(versionId)).rejects.toMatchObject(locked)
  await t.engine.setObjectLegalHold(object, 'OFF')
  expect(t.engine.getObject('b', 'k').info).toMatchObject({ lock: { legalHold: 'OFF' }, tags: { a: '1' } })
  await t.remove(versionId)
})

// Present retention, bypass of the caller, new retention, and the result.
test.each<[string, VersionRetention, VersionRetention | undefined, GovernanceBypass | undefined, string]>([
  ['prolonged', governance(5), governance(6), undefined, 'ok'],
  ['shortened', governance(5), governance(4), undefined, 'InvalidRequest'],
  ['shortened with bypass', governance(5), governance(4), 'allowed', 'ok'],
  ['shortened without the right', governance(5), governance(4), 'denied', 'AccessDenied'],
  ['removed', governance(5), undefined, undefined, 'InvalidRequest'],
  ['removed with bypass', governance(5), undefined, 'allowed', 'ok'],
  ['made stricter', governance(5), compliance(5), undefined, 'InvalidRequest'],
  ['made stricter with bypass', governance(5), compliance(5), 'allowed', 'ok'],
  ['compliance prolonged', compliance(5), compliance(6), undefined, 'ok'],
  ['compliance shortened', compliance(5), compliance(4), 'allowed', 'InvalidRequest'],
  ['compliance loosened', compliance(5), governance(6), 'allowed', 'InvalidRequest'],
  ['compliance removed', compliance(5), undefined, 'allowed', 'InvalidRequest'],
  ['set in the past', governance(5), governance(-1), 'allowed', 'InvalidRequest'],
])('retention is %s', async (_, before, after, bypass, outcome) => {
  await using t = await locking()
  await t.store.put('b', 'k', 'x', { lock: { retention: before } })
  const code = await t.engine.setObjectRetention(object, after, bypass).then(
    () => 'ok',
    (error: { code: string }) => error.code,
  )
  expect(code).toBe(outcome)
  const { lock } = t.engine.getObject('b', 'k').info
  expect(lock?.retention).toEqual(outcome === 'ok' ? after : before)
})

test('retention that has ended may be changed at will', async () => {
  await using t = await locking()
  await t.store.put('b', 'k', 'x', { lock: { retention: compliance(5) } })
  t.pass(5 * DAY)
  await t.engine.setObjectRetention(object, governance(6))
  t.pass(DAY)
  await t.engine.setObjectRetention(object, undefined)
  expect(t.engine.getObject('b', 'k').info.lock).toEqual({})
})

test('new versions have the retention of the bucket unless they bring one, completed uploads too', async () => {
  await using t = await locking()
  const rule = { mode: 'GOVERNANCE', unit: 'Years', count: 1 } as const
  await t.engine.setBucketSettings('b', { 'object-lock': { defaultRetention: rule } })
  const year = { mode: 'GOVERNANCE', until: Date.UTC(2027, 0, 1) }
  expect((await t.store.put('b', 'k')).lock).toEqual({ retention: year })
  expect((await t.store.put('b', 'k', 'x', { lock: { legalHold: 'ON' } })).lock).toEqual({
    retention: year,
    legalHold: 'ON',
  })
  expect((await t.store.put('b', 'k', 'x', { lock: { retention: compliance(1) } })).lock).toEqual({
    retention: compliance(1),
  })
  const source = t.engine.getObject('b', 'k')
  expect((await t.engine.copyObject(source, 'b', 'copy', {})).lock).toEqual({ retention: year })
  const upload = await t.engine.createUpload('b', 'parts', {})
  const { etag } = await t.engine.copyPart({ handle: source }, upload, 1)
  t.pass(DAY)
  const completed = await t.engine.completeUpload(upload, [{ part: 1, etag }], {})
  expect(completed.lock?.retention?.until).toBe(Date.UTC(2027, 0, 2))
  expect((await t.engine.deleteObject('b', 'k')).deleteMarker).toBe(true)
})

test('a bucket without object lock refuses locks and a default retention', async () => {
  await using t = await locking()
  await t.engine.createBucket('plain')
  const missing = { code: 'InvalidRequest', message: 'Bucket is missing ObjectLockConfiguration' }
  const lock = { retention: compliance(1) }
  await expect(t.store.put('plain', 'k', 'x', { lock })).rejects.toMatchObject(missing)
  await expect(t.engine.createUpload('plain', 'k', { lock })).rejects.toMatchObject(missing)
  await t.store.put('plain', 'k')
  await expect(t.engine.setObjectLegalHold({ bucket: 'plain', key: 'k' }, 'ON')).rejects.toMatchObject(missing)
  const change = t.engine.setBucketSettings('plain', { 'object-lock': {} })
  await expect(change).rejects.toMatchObject({ code: 'InvalidBucketState' })
})

test('a wall clock that is set forward ends no retention', async () => {
  await using t = await locking()
  const { versionId } = await t.store.put('b', 'k', 'x', { lock: { retention: compliance(1) } })
  t.clock.now += 2 * DAY
  await expect(t.remove(versionId)).rejects.toMatchObject(locked)
  t.pass(DAY / 2)
  await expect(t.remove(versionId)).rejects.toMatchObject(locked)
  t.pass(DAY / 2)
  await t.remove(versionId)
})

test('a clock that was set forward ends no retention after a restart, until it is confirmed or set back', async () => {
  await using t = await locking()
  const { versionId } = await t.store.put('b', 'k', 'x', { lock: { retention: compliance(3) } })
  const remove = async () => await t.store.engine.deleteObject('b', 'k', { versionId })
  // While the store runs, with changes behind it.
  t.clock.now += 10 * DAY
  await t.store.put('b', 'other')
  await t.store.reopen()
  await expect(remove()).rejects.toMatchObject(locked)
  t.clock.now -= 10 * DAY
  await t.store.reopen()
  // While the store is stopped.
  await t.store.reopen(() => (t.clock.now += 30 * DAY))
  await expect(remove()).rejects.toMatchObject(locked)
  t.pass(DAY)
  await expect(remove()).rejects.toMatchObject(locked)
  await t.store.engine.confirmClock()
  await t.store.reopen()
  await remove()
})

test('retention ends in its time over restarts and a night in which the store was stopped', async () => {
  await using t = await locking()
  const { versionId } = await t.store.put('b', 'k', 'x', { lock: { retention: compliance(2) } })
  t.pass(DAY)
  await t.store.put('b', 'other')
  await t.store.reopen(() => t.pass(DAY - 1000))
  await expect(t.store.engine.deleteObject('b', 'k', { versionId })).rejects.toMatchObject(locked)
  t.pass(2000)
  await t.store.engine.deleteObject('b', 'k', { versionId })
})

test('days without a change before a restart are no leap of the clock', async () => {
  await using t = await locking()
  const { versionId } = await t.store.put('b', 'k', 'x', { lock: { retention: compliance(4) } })
  t.pass(3 * DAY)
  await t.store.reopen()
  t.pass(DAY + 1000)
  await t.store.engine.deleteObject('b', 'k', { versionId })
})

test('the lock clock follows corrections of the wall clock, and no leap', () => {
  let wall = NOW
  let steady = 0
  const clock = new LockClock(
    () => wall,
    () => steady,
  )
  for (let minute = 0; minute < 1000; minute++) {
    wall += 60_100
    steady += 60_000
    clock.now()
  }
  expect(clock.now()).toBe(wall)
  wall += 3_600_000
  for (let minute = 0; minute < 1000; minute++) {
    wall += 60_000
    steady += 60_000
    expect(clock.now()).toBeLessThan(wall - 3_600_000 + 3000)
  }
  wall -= 7_200_000
  expect(clock.now()).toBe(wall)
})
