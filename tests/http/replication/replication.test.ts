import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import type { Input } from '@stowage/contract'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { callFailure } from '../../support/console/caller.ts'
import { ownStore } from '../../support/console/own-store.ts'
import { startConsole, type TestConsole } from '../../support/console/start-console.ts'

/* Two consoles, each with its store: buckets of the first are replicated to the second. */

let here: TestConsole
let there: TestConsole
beforeAll(async () => {
  // The targets are on this machine, and the second is never the server under test.
  const env = { STOWAGE_EGRESS_ALLOW: '127.0.0.1' }
  ;[here, there] = await Promise.all([startConsole({ env }), startConsole({ env: { ...env, STOWAGE_SERVER: '' } })])
})
afterAll(() => Promise.all([here, there].map((c) => c[Symbol.asyncDispose]())))

async function versioned(c: TestConsole): Promise<string> {
  const bucket = await c.newBucket('repl')
  await c.call('setBucketVersioning', { params: { bucket }, body: { versioning: true } })
  return bucket
}

type Body = Input<'setReplication'>['body']

const remote = () => ({ accessKey: there.rootUser, secretKey: there.rootPassword, targetURL: there.serverUrl })

async function replicate(more: Partial<Body> = {}): Promise<{ bucket: string; target: string }> {
  const [bucket, target] = await Promise.all([versioned(here), versioned(there)])
  const bucketsRelation = [{ originBucket: bucket, destinationBucket: target }]
  const { replicationState } = await here.call('setReplication', { body: { ...remote(), bucketsRelation, ...more } })
  expect(replicationState).toEqual([{ originBucket: bucket, targetBucket: target }])
  return { bucket, target }
}

const listRules = async (bucket: string) => (await here.call('listReplicationRules', { params: { bucket } })).rules
const listTargets = async (bucket: string) =>
  (await here.call('listReplicationTargets', { params: { bucket } })).targets

test('a bucket without replication has no rules [REP-06]', async () => {
  const bucket = await here.newBucket('repl')
  expect(await listRules(bucket)).toEqual([])
  expect(await listTargets(bucket)).toEqual([])
})

test('a rule for one bucket has its prefix, tags and switches, and replicates [REP-06] [REP-13] [REP-14]', async () => {
  const { bucket, target } = await replicate({
    prefix: 'docs/',
    tags: 'team=a%2Bb&empty=',
    replicateDeleteMarkers: false,
    replicateDeletes: false,
    replicateMetadata: false,
    bandwidth: 200_000_000,
    healthCheckPeriod: 90,
    region: 'eu-central-1',
  })
  const [rule, ...others] = await listRules(bucket)
  expect(others).toEqual([])
  expect(rule).toMatchObject({
    status: 'Enabled',
    priority: 1,
    prefix: 'docs/',
    tags: 'team=a%2Bb',
    destination: { bucket: `arn:aws:s3:::${target}` },
    delete_marker_replication: false,
    deletes_replication: false,
    metadata_replication: false,
    existing_objects_replication: true,
  })
  expect(rule?.target_arn).toMatch(/^arn:minio:replication:eu-central-1:/)
  expect(await listTargets(bucket)).toMatchObject([
    { arn: rule?.target_arn, bucket: target, sync_mode: 'async', bandwidth: 200_000_000, health_check_period: 90 },
  ])
  await here.s3.send(new PutObjectCommand({ Bucket: bucket, Key: 'docs/a', Body: 'x', Tagging: 'team=a%2Bb' }))
  await here.s3.send(new PutObjectCommand({ Bucket: bucket, Key: 'docs/b', Body: 'x' }))
  const arrived = () => there.s3.send(new GetObjectCommand({ Bucket: target, Key: 'docs/a' }))
  await vi.waitFor(arrived, { timeout: 30_000, interval: 50 })
  await expect(there.s3.send(new GetObjectCommand({ Bucket: target, Key: 'docs/b' }))).rejects.toThrow('key')
})

test('options missing in a bulk rule are on: markers, deletes and metadata', async () => {
  const { bucket } = await replicate()
  expect(await listRules(bucket)).toMatchObject([
    { delete_marker_replication: true, deletes_replication: true, metadata_replication: true },
  ])
})

test('a synchronous target has no bandwidth limit [REP-17]', async () => {
  const { bucket } = await replicate({ syncMode: 'sync', bandwidth: 500_000_000 })
  expect(await listTargets(bucket)).toMatchObject([{ sync_mode: 'sync', bandwidth: 0 }])
})

test('each bucket has its own result, and a failed one leaves no target behind [REP-15]', async () => {
  const [good, plain, target] = await Promise.all([versioned(here), here.newBucket('repl'), versioned(there)])
  const bucketsRelation = [
    { originBucket: plain, destinationBucket: target },
    { originBucket: good, destinationBucket: 'no-such-bucket' },
    { originBucket: good, destinationBucket: target },
  ]
  const { replicationState } = await here.call('setReplication', { body: { ...remote(), bucketsRelation } })
  expect(replicationState).toMatchObject([
    { originBucket: plain, errorString: expect.stringContaining('versioning') },
    // MinIO answers that the remote target does not exist, without its name.
    { originBucket: good, errorString: expect.stringMatching(/no-such-bucket|remote target does not exist/) },
    { originBucket: good, targetBucket: target },
  ])
  expect(replicationState[2]).not.toHaveProperty('errorString')
  expect(await listTargets(plain)).toEqual([])
  expect(await listTargets(good)).toHaveLength(1)

  // The target is accepted, and then its rule is refused: a key of a tag has at most 128 characters.
  const { replicationState: refused } = await here.call('setReplication', {
    body: {
      ...remote(),
      tags: `${'k'.repeat(200)}=v`,
      bucketsRelation: [{ originBucket: good, destinationBucket: await versioned(there) }],
    },
  })
  expect(refused).toMatchObject([{ originBucket: good, errorString: expect.stringMatching(/./) }])
  expect(await listTargets(good)).toHaveLength(1)
})

test('a rule is removed, and with the last one its target [REP-07]', async () => {
  const { bucket, target } = await replicate()
  const bucketsRelation = [{ originBucket: bucket, destinationBucket: target }]
  await here.call('setReplication', { body: { ...remote(), prefix: 'b/', bucketsRelation } })
  const [first, second] = await listRules(bucket)
  expect([first?.priority, second?.priority]).toEqual([1, 2])
  await here.call('deleteReplicationRule', { params: { bucket, ruleId: first?.id ?? '' } })
  expect(await listRules(bucket)).toEqual([second])
  expect(await listTargets(bucket)).toHaveLength(1)
  await here.call('deleteReplicationRules', { params: { bucket }, body: { rules: [second?.id ?? ''] } })
  expect(await listRules(bucket)).toEqual([])
  expect(await listTargets(bucket)).toEqual([])
  const gone = here.call('deleteReplicationRule', { params: { bucket, ruleId: 'gone' } })
  expect((await callFailure(gone)).status).toBe(404)
})

test('rules that are added to one bucket at the same time are all there', async () => {
  const [bucket, target] = await Promise.all([versioned(here), versioned(there)])
  const bucketsRelation = [{ originBucket: bucket, destinationBucket: target }]
  const prefixes = ['a/', 'b/', 'c/', 'd/']
  await Promise.all(
    prefixes.map((prefix) => here.call('setReplication', { body: { ...remote(), prefix, bucketsRelation } })),
  )
  const rules = await listRules(bucket)
  expect(rules.map(({ prefix }) => prefix).sort()).toEqual(prefixes)
  expect(new Set(rules.map(({ priority }) => priority)).size).toBe(4)
})

test('a rule and its target are edited', async () => {
  const { bucket } = await replicate()
  const [rule] = await listRules(bucket)
  const body = {
    ruleState: false,
    prefix: 'p/',
    replicateDeletes: false,
    syncMode: 'async',
    bandwidth: 300_000_000,
  } as const
  await here.call('updateReplicationRule', { params: { bucket, ruleId: rule?.id ?? '' }, body })
  expect(await listRules(bucket)).toMatchObject([
    { ...rule, status: 'Disabled', prefix: 'p/', deletes_replication: false },
  ])
  expect(await listTargets(bucket)).toMatchObject([{ bandwidth: 300_000_000 }])
})

test('with create_only a rule that exists is not added again, and an edit of an older rule is refused', async () => {
  const { bucket, target } = await replicate({ prefix: 'docs/' })
  const bucketsRelation = [{ originBucket: bucket, destinationBucket: target }]
  const again = { ...remote(), bucketsRelation, prefix: 'docs/', create_only: true }
  const [state] = (await here.call('setReplication', { body: again })).replicationState
  const [rule, ...others] = await listRules(bucket)
  expect(others).toEqual([])
  expect(state?.errorString).toContain(rule?.id)

  const params = { bucket, ruleId: rule?.id ?? '' }
  const before = { ...rule }
  await here.call('updateReplicationRule', { params, body: { replicateDeletes: false, before } })
  const stale = { params, body: { prefix: 'other/', before } }
  expect((await callFailure(here.call('updateReplicationRule', stale))).status).toBe(409)
  // A field that is not sent stays.
  await here.call('updateReplicationRule', { params, body: { priority: 7 } })
  expect(await listRules(bucket)).toMatchObject([{ prefix: 'docs/', deletes_replication: false, priority: 7 }])
})

// MinIO takes keys of customers over TLS only.
ownStore.test('what a target refused is listed and tried again', async () => {
  const { bucket } = await replicate()
  const [rule] = await listRules(bucket)
  const arn = rule?.target_arn ?? ''
  const key = { SSECustomerAlgorithm: 'AES256', SSECustomerKey: Buffer.alloc(32, 1).toString('base64') }
  await here.s3.send(new PutObjectCommand({ Bucket: bucket, Key: 'secret', Body: 'x', ...key }))
  const failures = async (query: { arn?: string } = {}) =>
    (await here.call('listReplicationFailures', { params: { bucket }, query })).failures
  const failure = (object: string) => ({ object, error: expect.stringContaining('customer') })
  await vi.waitFor(async () => expect(await failures()).toMatchObject([failure('secret')]), 30_000)
  expect(await listTargets(bucket)).toMatchObject([{ failed: { count: 1, size: 1 }, pending: { count: 0 } }])
  expect(await here.call('retryReplication', { params: { bucket }, body: { arn } })).toEqual({ retried: 1 })

  // With a second target, each has its own list.
  const bucketsRelation = [{ originBucket: bucket, destinationBucket: await versioned(there) }]
  await here.call('setReplication', { body: { ...remote(), bucketsRelation } })
  const other = (await listRules(bucket)).find((one) => one.target_arn !== arn)?.target_arn ?? ''
  await here.s3.send(new PutObjectCommand({ Bucket: bucket, Key: 'second', Body: 'x', ...key }))
  const both = [failure('second'), failure('second'), failure('secret')]
  const sorted = async () => (await failures()).sort((a, b) => a.object.localeCompare(b.object))
  await vi.waitFor(async () => expect(await sorted()).toMatchObject(both), 30_000)
  expect(await failures({ arn: other })).toMatchObject([failure('second')])
  expect(await failures({ arn })).toHaveLength(2)
})

test('what was there before the rule is sent by a resync, for a target that exists', async () => {
  const [bucket, target] = await Promise.all([versioned(here), versioned(there)])
  await here.s3.send(new PutObjectCommand({ Bucket: bucket, Key: 'before', Body: 'x' }))
  const bucketsRelation = [{ originBucket: bucket, destinationBucket: target }]
  await here.call('setReplication', { body: { ...remote(), bucketsRelation } })
  const [rule] = await listRules(bucket)
  const arn = rule?.target_arn ?? ''
  await here.call('resyncReplication', { params: { bucket }, body: { arn } })
  const arrived = () => there.s3.send(new GetObjectCommand({ Bucket: target, Key: 'before' }))
  await vi.waitFor(arrived, { timeout: 60_000, interval: 50 })
  const unknown = here.call('resyncReplication', { params: { bucket }, body: { arn: `${arn}x` } })
  expect((await callFailure(unknown)).status).toBe(404)
})

describe('buckets of another server', () => {
  const list = (c: TestConsole, more: Partial<Input<'listExternalBuckets'>['body']> = {}) => {
    const targetURL = new URL(there.serverUrl).host
    return c.call('listExternalBuckets', { body: { ...remote(), targetURL, useTLS: false, ...more } })
  }

  test('are listed by its credentials [REP-10]', async () => {
    const bucket = await there.newBucket('repl')
    const { buckets, total } = await list(here)
    expect(buckets).toContainEqual({ name: bucket })
    expect(total).toBe(buckets.length)
  })

  test.each([
    ['wrong credentials do not end the session', { secretKey: 'wrong-secret' }, 'accessKey'],
    ['a secret key that is too short', { secretKey: 'short' }, 'secretKey'],
    ['TLS where the server has none', { useTLS: true }, 'targetURL'],
    ['a closed port', { targetURL: '127.0.0.1:9' }, 'targetURL'],
    ['the metadata service', { targetURL: '169.254.169.254' }, 'targetURL'],
    ['another user in the address', { targetURL: 'user@127.0.0.1' }, 'targetURL'],
  ])('%s: a 400 at the field', async (_, more, field) => {
    const failure = await callFailure(list(here, more))
    expect([failure.status, failure.body.field]).toEqual([400, field])
    await expect(here.call('getSession', {})).resolves.toBeDefined()
  })

  test('a connection to the console itself is refused', async () => {
    const failure = await callFailure(list(here, { targetURL: new URL(here.url).host }))
    expect(failure.status).toBe(400)
  })

  test('are not listed for a session without admin:SetBucketTarget', async () => {
    const Statement = [{ Effect: 'Allow', Action: ['s3:*'], Resource: ['arn:aws:s3:::*'] }]
    const caller = await here.signInWith({ Version: '2012-10-17', Statement })
    const body = { ...remote(), targetURL: '127.0.0.1:9', useTLS: false }
    const response = await caller.send('listExternalBuckets', { body })
    await response.body?.cancel()
    expect(response.status).toBe(403)
  })
})

test('a bandwidth below 100 MB per second is refused with its field', async () => {
  const bucketsRelation = [{ originBucket: 'a', destinationBucket: 'b' }]
  const call = here.call('setReplication', { body: { ...remote(), bandwidth: 99_999_999, bucketsRelation } })
  const failure = await callFailure(call)
  expect([failure.status, failure.body.field]).toEqual([400, 'bandwidth'])
})

test('the targets of all buckets are listed without secrets', async () => {
  const { bucket, target } = await replicate()
  const { buckets } = await here.call('listRemoteBuckets', {})
  expect(buckets).toContainEqual(expect.objectContaining({ sourceBucket: bucket, targetBucket: target }))
  expect(JSON.stringify(buckets)).not.toContain(there.rootPassword)
})
