import { PutBucketLifecycleConfigurationCommand } from '@aws-sdk/client-s3'
import { pino } from 'pino'
import { afterEach, expect, test, vi } from 'vitest'
import { setSettingDocument } from '../bucket-settings/testing.ts'
import type { StoreChange } from '../engine/interface/types.ts'
import { bodyStream, TestEngine } from '../engine/testing/test-engine.ts'
import { startTestStore } from '../http/testing/test-store.ts'
import { LifecycleScanner } from './lifecycle-scanner.ts'

const DAY = 24 * 60 * 60 * 1000
let now = Date.parse('2030-03-01T12:00:00Z')
const clock = () => now
const scanners: LifecycleScanner[] = []
const pace = { share: 1, transitions: 4, expirations: 2 }
afterEach(async () => {
  for (const scanner of scanners.splice(0)) await scanner.stop()
  now = Date.parse('2030-03-01T12:00:00Z')
})

function startScanner(store: TestEngine, log = pino({ level: 'silent' })): LifecycleScanner {
  const scanner = new LifecycleScanner(store.engine, log, () => pace)
  scanners.push(scanner)
  return scanner
}

const rule = (content: string, filter = '<Filter/>', id = 'r') =>
  `<Rule><ID>${id}</ID><Status>Enabled</Status>${filter}${content}</Rule>`
const setRules = (store: TestEngine, bucket: string, ...rules: string[]) =>
  setSettingDocument(
    store.engine,
    bucket,
    'lifecycle',
    `<LifecycleConfiguration>${rules.join('')}</LifecycleConfiguration>`,
  )
const expireIn = (days: number) => `<Expiration><Days>${days}</Days></Expiration>`
const noncurrentIn = (days: number) =>
  `<NoncurrentVersionExpiration><NoncurrentDays>${days}</NoncurrentDays></NoncurrentVersionExpiration>`
const versions = (store: TestEngine, bucket: string) =>
  store.engine
    .listVersions(bucket, { prefix: '', delimiter: '', after: '', limit: 1000 })
    .entries.flatMap((entry) => ('object' in entry ? [entry.object] : []))
const enable = (store: TestEngine, bucket: string) =>
  setSettingDocument(
    store.engine,
    bucket,
    'versioning',
    '<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>',
  )

test('objects go at the midnight after their days, by prefix, tags and size; the removals are events', async () => {
  await using store = await TestEngine.start(2, { now: clock })
  await store.engine.createBucket('b')
  const tagged = `<Filter><And><Prefix>t/</Prefix><Tag><Key>k</Key><Value>v</Value></Tag></And></Filter>`
  await setRules(
    store,
    'b',
    rule(expireIn(1), '<Filter><Prefix>a/</Prefix></Filter>', 'a'),
    rule(expireIn(1), tagged, 'b'),
    rule(expireIn(1), '<Filter><ObjectSizeGreaterThan>5</ObjectSizeGreaterThan></Filter>', 'c'),
  )
  await store.put('b', 'a/1', '1')
  await store.put('b', 'b/1', '1')
  await store.put('b', 'large', '123456')
  await store.put('b', 't/1', '1', { tags: { k: 'v' } })
  await store.put('b', 't/2', '1', { tags: { k: 'w' } })
  const scanner = startScanner(store)
  now = Date.parse('2030-03-02T23:59:59Z')
  expect(await scanner.run()).toMatchObject({ scanned: 5, removed: 0 })
  now = Date.parse('2030-03-03T00:00:00Z')
  const changes: StoreChange[] = []
  store.engine.subscribe((change) => changes.push(change))
  expect(await scanner.run()).toMatchObject({ scanned: 5, removed: 3, bytes: 8 })
  expect(store.list('b')).toEqual(['b/1', 't/2'])
  expect(changes.filter(({ type }) => type === 'object-delete')).toMatchObject(
    ['a/1', 'large', 't/1'].map((key) => ({ key, requester: { userAgent: 'Internal: [ILM-Expiry]' } })),
  )
})

test('the log has one line per batch of removals, each with its counts and without keys', async () => {
  await using store = await TestEngine.start(1, { now: clock })
  await store.engine.createBucket('b')
  await setRules(store, 'b', rule(expireIn(1)))
  await Promise.all(Array.from({ length: 250 }, (_, i) => store.put('b', `key-${i}`, 'x')))
  const lines: string[] = []
  const scanner = startScanner(store, pino({ level: 'debug' }, { write: (line) => void lines.push(line) }))
  now += 3 * DAY
  await scanner.confirmClock()
  await vi.waitFor(() => expect(scanner.status.pass).toMatchObject({ endedAt: now, removed: 250 }), 30_000)
  const batches = lines.filter((line) => line.includes('lifecycle rules removed objects'))
  expect(batches.length).toBeLessThanOrEqual(25)
  const counts = batches.map((line) => JSON.parse(line) as { bucket: string; removed: number; bytes: number })
  expect(counts.reduce((sum, { removed }) => sum + removed, 0)).toBe(250)
  expect(counts[0]).toMatchObject({ bucket: 'b', bytes: counts[0]?.removed })
  expect(lines.filter((line) => line.includes('key-'))).toEqual([])
})

test('with versioning objects get a delete marker, versions expire after their successor, and a last marker is removed', async () => {
  await using store = await TestEngine.start(2, { now: clock })
  await store.engine.createBucket('b')
  await enable(store, 'b')
  await setRules(store, 'b', rule(expireIn(1) + noncurrentIn(3)))
  await store.put('b', 'k', 'one')
  now += DAY
  await store.put('b', 'k', 'two')
  const scanner = startScanner(store)
  now = Date.parse('2030-03-04T00:00:00Z')
  expect(await scanner.run()).toMatchObject({ markers: 1, removed: 0 })
  expect(versions(store, 'b').map(({ deleteMarker }) => deleteMarker)).toEqual([true, false, false])
  // The first became noncurrent on the 2nd, the second on the 4th at midnight.
  now = Date.parse('2030-03-06T00:00:00Z')
  expect(await scanner.run()).toMatchObject({ markers: 0, removed: 1 })
  now = Date.parse('2030-03-08T00:00:00Z')
  expect(await scanner.run()).toMatchObject({ removed: 1 })
  expect(versions(store, 'b').map(({ deleteMarker }) => deleteMarker)).toEqual([true])
  expect(await scanner.run()).toMatchObject({ removed: 1 })
  expect(versions(store, 'b')).toEqual([])
  expect(store.engine.bucketUsage('b')).toMatchObject({ objects: 0, versions: 0, deleteMarkers: 0, size: 0 })
})

test('the newest noncurrent versions stay, and a marker can take everything with it', async () => {
  await using store = await TestEngine.start(2, { now: clock })
  for (const bucket of ['newer', 'all', 'whole']) {
    await store.engine.createBucket(bucket)
    await enable(store, bucket)
    for (const text of ['1', '2', '3', '4']) await store.put(bucket, 'k', text)
  }
  await store.engine.deleteObject('all', 'k')
  const newer =
    '<NoncurrentVersionExpiration><NoncurrentDays>1</NoncurrentDays><NewerNoncurrentVersions>2</NewerNoncurrentVersions>' +
    '</NoncurrentVersionExpiration>'
  await setRules(store, 'newer', rule(newer))
  await setRules(store, 'all', rule('<DelMarkerExpiration><Days>1</Days></DelMarkerExpiration>'))
  const whole = '<Expiration><Days>1</Days><ExpiredObjectAllVersions>true</ExpiredObjectAllVersions></Expiration>'
  await setRules(store, 'whole', rule(whole))
  const scanner = startScanner(store)
  now += 2 * DAY
  expect(await scanner.run()).toMatchObject({ removed: 1 + 5 + 4 })
  expect(versions(store, 'newer').length).toBe(3)
  expect(versions(store, 'all')).toEqual([])
  expect(versions(store, 'whole')).toEqual([])
})

test('what is locked stays, and goes when the lock has ended', async () => {
  await using store = await TestEngine.start(2, { now: clock })
  await store.engine.createBucket('b', { objectLock: true })
  await setRules(store, 'b', rule(noncurrentIn(1)))
  const held = await store.put('b', 'held', '1', { lock: { legalHold: 'ON' } })
  await store.put('b', 'held', '2')
  await store.put('b', 'kept', '1', { lock: { retention: { mode: 'GOVERNANCE', until: now + 10 * DAY } } })
  await store.put('b', 'kept', '2')
  await store.put('b', 'free', '1')
  await store.put('b', 'free', '2')
  const scanner = startScanner(store)
  now += 5 * DAY
  expect(await scanner.run()).toMatchObject({ removed: 1 })
  now += 10 * DAY
  expect(await scanner.run()).toMatchObject({ removed: 1 })
  expect(versions(store, 'b').map(({ key }) => key)).toEqual(['free', 'held', 'held', 'kept'])
  await store.engine.setObjectLegalHold({ bucket: 'b', key: 'held', versionId: held.versionId }, 'OFF')
  expect(await scanner.run()).toMatchObject({ removed: 1 })
})

test('a noncurrent version that a replication target still waits for stays, and goes when it has arrived', async () => {
  await using store = await TestEngine.start(2, { now: clock })
  await store.engine.createBucket('b')
  await enable(store, 'b')
  const target = '0f6c7a52-5f0b-4a3c-8f0e-6b1a2f4d9c11'
  await setSettingDocument(
    store.engine,
    'b',
    'replication',
    `<ReplicationConfiguration><Role></Role><Rule><ID>all</ID><Status>Enabled</Status><Priority>1</Priority>
      <DeleteMarkerReplication><Status>Disabled</Status></DeleteMarkerReplication><Filter><Prefix></Prefix></Filter>
      <Destination><Bucket>arn:minio:replication::${target}:b</Bucket></Destination></Rule></ReplicationConfiguration>`,
  )
  await setRules(store, 'b', rule(noncurrentIn(1)))
  await store.put('b', 'k', 'one')
  await store.put('b', 'k', 'two')
  const scanner = startScanner(store)
  now += 5 * DAY
  await scanner.run()
  expect(versions(store, 'b')).toHaveLength(2)
  const waiting = store.engine.listReplicationBacklog({ bucket: 'b', target, state: 'PENDING', limit: 10 })
  expect(waiting).toHaveLength(2)
  await store.engine.settleReplicationTasks(
    'b',
    target,
    waiting.map(({ entry }) => ({ entry, status: 'COMPLETED' as const })),
  )
  await scanner.run()
  expect(versions(store, 'b')).toHaveLength(1)
})

test('each commit decides anew: an object that was written again meanwhile stays', async () => {
  await using store = await TestEngine.start(2, { now: clock })
  await store.engine.createBucket('b')
  await setRules(store, 'b', rule(expireIn(1)))
  await store.put('b', 'k', 'old')
  await store.put('b', 'other', 'old')
  now += 3 * DAY
  const { due } = store.engine.scanLifecycle('b', '', 1000)
  await store.put('b', 'k', 'new')
  const keys = due.map(({ key }) => key)
  expect(keys).toEqual(['k', 'other'])
  expect(await store.engine.applyLifecycle('b', keys)).toMatchObject({ removed: 1 })
  expect(await store.text('b', 'k')).toBe('new')
  await setRules(store, 'b', rule(expireIn(9)))
  await store.put('b', 'again', 'x')
  expect(await store.engine.applyLifecycle('b', ['again'])).toMatchObject({ removed: 0 })
})

test('a slice ends in time, and the next one continues after it, also after a restart', async () => {
  await using store = await TestEngine.start(2, { now: clock })
  await store.engine.createBucket('b')
  await setRules(store, 'b', rule(expireIn(1)))
  for (const key of ['a', 'b', 'c']) await store.put('b', key)
  const slice = store.engine.scanLifecycle('b', '', 0)
  expect([slice.scanned, slice.next]).toEqual([1, 'a'])
  expect(store.engine.scanLifecycle('b', 'b', 1000)).toMatchObject({ scanned: 1, next: undefined })
  const cursor = { collection: 'lifecycle', name: 'cursor', value: JSON.stringify({ bucket: 'b', after: 'b' }) }
  await store.engine.putDocuments([cursor])
  await store.reopen()
  const scanner = startScanner(store)
  expect(await scanner.run()).toMatchObject({ scanned: 1 })
  expect(await scanner.run()).toMatchObject({ scanned: 3 })
})

test('of 1,000 rules those that fit a key act, and of overlapping ones the earliest', async () => {
  await using store = await TestEngine.start(2, { now: clock })
  await store.engine.createBucket('b')
  const below = (prefix: string) => `<Filter><Prefix>${prefix}</Prefix></Filter>`
  const each = Array.from({ length: 997 }, (_, i) => rule(expireIn(i + 1), below(`p${i}/`), `r${i}`))
  const tag = '<Filter><Tag><Key>k</Key><Value>v</Value></Tag></Filter>'
  const overlapping = [
    rule(expireIn(30), below('o/'), 'late'),
    rule(expireIn(2), below('o/early/'), 'early'),
    rule(expireIn(1), tag, 'tag'),
  ]
  await setRules(store, 'b', ...each, ...overlapping)
  for (const key of ['p0/k', 'p1/k', 'p996/k', 'other', 'o/k', 'o/early/k']) await store.put('b', key)
  await store.put('b', 'o/tagged', 'x', { tags: { k: 'v' } })
  const scanner = startScanner(store)
  const removedBy: [Date: string, kept: string[]][] = [
    ['2030-03-03', ['o/early/k', 'o/k', 'other', 'p1/k', 'p996/k']],
    ['2030-03-04', ['o/k', 'other', 'p996/k']],
    ['2030-03-31', ['o/k', 'other', 'p996/k']],
  ]
  for (const [day, kept] of removedBy) {
    now = Date.parse(day)
    await scanner.confirmClock()
    await scanner.run()
    expect([day, store.list('b')]).toEqual([day, kept])
  }
  now = Date.parse('2030-04-01')
  await scanner.run()
  expect(store.list('b')).toEqual(['other', 'p996/k'])
})

test('unfinished uploads go by their rule', async () => {
  await using store = await TestEngine.start(2, { now: clock })
  await store.engine.createBucket('b')
  const abort =
    '<AbortIncompleteMultipartUpload><DaysAfterInitiation>2</DaysAfterInitiation></AbortIncompleteMultipartUpload>'
  await setRules(store, 'b', rule(abort, '<Filter><Prefix>tmp/</Prefix></Filter>'))
  const upload = await store.engine.createUpload('b', 'tmp/k', {})
  await store.engine.putPart(upload, 1, bodyStream('part'), {})
  await store.engine.createUpload('b', 'other', {})
  const scanner = startScanner(store)
  now += DAY
  expect(await scanner.run()).toMatchObject({ aborted: 0 })
  now += 2 * DAY
  expect(await scanner.run()).toMatchObject({ aborted: 1 })
  const { entries } = store.engine.listUploads('b', { prefix: '', delimiter: '', after: '', limit: 10 })
  expect(entries).toMatchObject([{ upload: { key: 'other' } }])
})

test('a clock that jumped more than a day ahead removes nothing before an administrator confirms it', async () => {
  let steady = 0
  await using store = await TestEngine.start(2, { now: clock, steadyNow: () => steady })
  await store.engine.createBucket('b')
  await setRules(store, 'b', rule(expireIn(1)))
  await store.put('b', 'k')
  const before = startScanner(store)
  expect(await before.run()).toMatchObject({ removed: 0 })
  now += 3 * DAY
  await before.run()
  expect(before.status.clockJump).toMatchObject({ found: now })
  // Written with the wrong clock, then opened again: it is remembered.
  await store.put('b', 'l')
  await store.reopen()
  const after = startScanner(store)
  await after.run()
  expect(after.status.clockJump).toBeDefined()
  expect(store.list('b')).toEqual(['k', 'l'])
  await after.confirmClock()
  expect(await after.run()).toMatchObject({ endedAt: now })
  expect([after.status.clockJump, store.list('b')]).toEqual([undefined, ['l']])
  // Time that really passes is not a jump.
  now += 3 * DAY
  steady += 3 * DAY
  expect(await after.run()).toMatchObject({ removed: 1 })
})

test('a store that stood still for days asks too, whose journal says when it ended', async () => {
  await using store = await TestEngine.start(2, { now: clock, steadyNow: () => 0 })
  await store.engine.createBucket('b')
  await setRules(store, 'b', rule(expireIn(1)))
  await store.put('b', 'k')
  await store.close()
  now += 3 * DAY
  await store.open()
  const scanner = startScanner(store)
  await scanner.run()
  expect([scanner.status.clockJump?.found, store.list('b')]).toEqual([now, ['k']])
})

test('reads return when an object expires; the scanner applies new rules and reports its state', async () => {
  await using server = await startTestStore({ now: clock })
  await server.engine.createBucket('b')
  await server.engine.putObject('b', 'k', bodyStream('x'), {})
  now += 3 * DAY
  await server.engine.putObject('b', 'young', bodyStream('x'), {})
  const events: string[] = []
  server.server.events.listen(
    { bucket: 'b', events: ['s3:ObjectRemoved:*'], prefix: '', suffix: '' },
    ({ name, key }) => events.push(`${name} ${key}`),
  )
  const put = new PutBucketLifecycleConfigurationCommand({
    Bucket: 'b',
    LifecycleConfiguration: {
      Rules: [{ ID: 'a rule', Status: 'Enabled', Filter: { Prefix: '' }, Expiration: { Days: 2 } }],
    },
  })
  await server.s3().send(put)
  await expect.poll(() => events).toEqual(['s3:ObjectRemoved:Delete k'])
  const head = await server.send({ method: 'HEAD', path: '/b/young' })
  expect(head.headers['x-amz-expiration']).toBe('expiry-date="Thu, 07 Mar 2030 00:00:00 GMT", rule-id="a%20rule"')
  const status = (credentials?: 'anonymous') =>
    server.send({ path: '/minio/admin/v3/lifecycle-status', ...(credentials && { credentials }) })
  await expect
    .poll(async () => JSON.parse((await status()).text))
    .toMatchObject({ waiting: null, pass: { removed: 1, endedAt: expect.any(String) } })
  expect((await status('anonymous')).status).toBe(403)
  const confirm = { method: 'POST', path: '/minio/admin/v3/lifecycle-confirm-clock' }
  expect((await server.send({ ...confirm, credentials: 'anonymous' })).status).toBe(403)
  expect((await server.send(confirm)).status).toBe(204)
})

test('new rules are applied at once, not by the next regular pass', async () => {
  await using store = await TestEngine.start(2, { now: clock })
  await store.engine.createBucket('b')
  await store.put('b', 'old', '1')
  const scanner = startScanner(store)
  // No bucket has rules: the next pass begins after a minute.
  scanner.start()
  await setRules(store, 'b', rule('<Expiration><Date>2015-01-01T00:00:00Z</Date></Expiration>'))
  await expect.poll(() => versions(store, 'b')).toEqual([])
})
