import {
  CreateBucketCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandOutput,
  PutBucketLifecycleConfigurationCommand,
  PutBucketReplicationCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
  RestoreObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { createMadmin } from '@stowage/madmin'
import { presign } from '@stowage/sigv4'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { ownStore } from '../../support/console/own-store.ts'
import { type StandaloneStore, startStore } from '../../support/console/start-store.ts'
import { pseudoRandomBytes as patternOf } from '../../support/data/bytes.ts'
import { type GateProxy, type GateRequest, type HoldMoment, startGate } from '../../support/network/gate-proxy.ts'

/* A store that is killed while it moves, restores, removes or replicates objects. */

const ROOT = { accessKey: 'rootuser', secretKey: 'rootpassword' }
const SIZE = 50_000
const MOMENTS: HoldMoment[] = ['arrives', 'is done']

let store: StandaloneStore
let other: StandaloneStore
let gate: GateProxy
beforeAll(async () => {
  if (process.env.STOWAGE_TEST_SERVER !== undefined) return
  ;[store, other] = await Promise.all([startStore({ STOWAGE_EGRESS_ALLOW: '127.0.0.1' }), startStore()])
  gate = await startGate(other.url)
  await s3Client(other).send(new CreateBucketCommand({ Bucket: 'cold' }))
  await madmin().addTier({
    type: 's3',
    name: 'COLD',
    endpoint: gate.url,
    bucket: 'cold',
    prefix: 'p',
    region: 'us-east-1',
    storageClass: '',
    ...ROOT,
  })
})
afterAll(async () => {
  await gate?.[Symbol.asyncDispose]()
  await Promise.all([store, other].map((each) => each?.[Symbol.asyncDispose]()))
})

const madmin = () => createMadmin({ endpoint: store.url, credentials: ROOT })
const s3Client = ({ url }: { url: string }) =>
  new S3Client({
    endpoint: url,
    region: 'us-east-1',
    forcePathStyle: true,
    maxAttempts: 1,
    credentials: { accessKeyId: ROOT.accessKey, secretAccessKey: ROOT.secretKey },
  })
const send: S3Client['send'] = ((command: never) => s3Client(store).send(command)) as never

async function newBucket(Bucket: string, versioned = false): Promise<void> {
  await send(new CreateBucketCommand({ Bucket }))
  const VersioningConfiguration = { Status: 'Enabled' } as const
  if (versioned) await send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration }))
}
const put = (Bucket: string, Key: string) => send(new PutObjectCommand({ Bucket, Key, Body: patternOf(Key, SIZE) }))

/** The scanner begins a pass at once. */
function setRule(Bucket: string, rule: object): Promise<unknown> {
  const Rules = [{ ID: 'r', Status: 'Enabled' as const, Filter: { Prefix: '' }, ...rule }]
  return send(new PutBucketLifecycleConfigurationCommand({ Bucket, LifecycleConfiguration: { Rules } }))
}
const MOVE = { Transitions: [{ Days: 0, StorageClass: 'COLD' as never }] }
const EXPIRE = { Expiration: { Date: new Date('2020-01-01') } }

async function onTier(): Promise<string[]> {
  const { Contents = [] } = await s3Client(other).send(new ListObjectsV2Command({ Bucket: 'cold' }))
  return Contents.map(({ Key = '' }) => Key)
}
async function keysWithClass(Bucket: string): Promise<string[]> {
  const { Contents = [] } = await send(new ListObjectsV2Command({ Bucket }))
  return Contents.map(({ Key, StorageClass }) => `${Key} ${StorageClass}`)
}
async function expectWhole(Bucket: string, Key: string): Promise<void> {
  const { Body } = await send(new GetObjectCommand({ Bucket, Key }))
  expect([Key, Buffer.from((await Body?.transformToByteArray()) ?? []).equals(patternOf(Key, SIZE))]).toEqual([
    Key,
    true,
  ])
}

/** Kills the store when a request to the other one reaches this moment, and starts it again. */
async function killAt(moment: HoldMoment, fits: (request: GateRequest) => boolean, act: () => Promise<unknown>) {
  const reached = gate.hold(moment, fits)
  await act()
  await reached
  await store.stop('SIGKILL')
  gate.open()
  await store.start()
}
const isTo = (method: string) => (request: GateRequest) =>
  request.method === method && request.path.startsWith('/cold/')

function setReplication(Bucket: string, arn: string): Promise<unknown> {
  const on = { Status: 'Enabled' } as const
  const rule = { ID: 'r', Priority: 1, Filter: { Prefix: '' }, ...on, ExistingObjectReplication: on }
  const Rules = [{ ...rule, DeleteMarkerReplication: on, Destination: { Bucket: arn } }]
  return send(new PutBucketReplicationCommand({ Bucket, ReplicationConfiguration: { Role: '', Rules } }))
}

async function startResync(bucket: string, arn: string): Promise<void> {
  const query = `arn=${encodeURIComponent(arn)}&replication-reset=`
  const request = { method: 'PUT', path: `/${bucket}`, query, headers: { host: new URL(store.url).host } }
  const signed = presign(request, { credentials: ROOT, region: 'us-east-1', expiresSeconds: 60 })
  expect((await fetch(`${store.url}/${bucket}?${signed}`, { method: 'PUT' })).status).toBe(200)
}

describe.each(MOMENTS)('kill -9 when a request to the tier %s', (moment) => {
  const name = moment.replace(' ', '-')

  ownStore.test('while an object is moved: it is whole, and on the tier once', async () => {
    const bucket = `move-${name}`
    await newBucket(bucket)
    await Promise.all(['a', 'b', 'c'].map((key) => put(bucket, key)))
    const before = (await onTier()).length
    await killAt(moment, isTo('PUT'), () => setRule(bucket, MOVE))
    // At any time it can be read, whether it is here or there.
    for (const key of ['a', 'b', 'c']) await expectWhole(bucket, key)
    await expect.poll(() => keysWithClass(bucket)).toEqual(['a COLD', 'b COLD', 'c COLD'])
    await expect.poll(async () => (await onTier()).length - before).toBe(3)
    for (const key of ['a', 'b', 'c']) await expectWhole(bucket, key)
  })

  ownStore.test(
    'while a copy is restored: the restore goes on by itself, and the object stays on the tier',
    async () => {
      const bucket = `restore-${name}`
      const Key = 'k'
      await newBucket(bucket)
      await put(bucket, Key)
      await setRule(bucket, MOVE)
      await expect.poll(() => keysWithClass(bucket)).toEqual(['k COLD'])
      const before = await onTier()
      const restore = new RestoreObjectCommand({ Bucket: bucket, Key, RestoreRequest: { Days: 3 } })
      await killAt(moment, isTo('GET'), () => send(restore))
      const state = async () => (await send(new HeadObjectCommand({ Bucket: bucket, Key }))).Restore
      await expect.poll(state).toMatch(/^ongoing-request="false"/)
      expect(await onTier()).toEqual(before)
      // The copy is here: it is read without the tier.
      const reads = gate.passed.length
      await expectWhole(bucket, Key)
      expect(gate.passed).toHaveLength(reads)
    },
  )

  ownStore.test('while the object of an expired version is removed: nothing is left on the tier', async () => {
    const bucket = `expire-${name}`
    await newBucket(bucket)
    const before = await onTier()
    await Promise.all(['a', 'b'].map((key) => put(bucket, key)))
    await setRule(bucket, MOVE)
    await expect.poll(() => keysWithClass(bucket)).toEqual(['a COLD', 'b COLD'])
    await killAt(moment, isTo('DELETE'), () => setRule(bucket, EXPIRE))
    await expect.poll(() => keysWithClass(bucket)).toEqual([])
    await expect.poll(async () => (await onTier()).sort()).toEqual(before.sort())
  })

  ownStore.test('while a resync runs: all versions arrive, each once', async () => {
    const Bucket = `resync-${name}`
    await newBucket(Bucket, true)
    const there = s3Client(other)
    await there.send(new CreateBucketCommand({ Bucket }))
    const VersioningConfiguration = { Status: 'Enabled' } as const
    await there.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration }))
    const keys = Array.from({ length: 40 }, (_, i) => `k${i}`)
    await Promise.all(keys.map((key) => put(Bucket, key)))
    const target = { endpoint: gate.host, secure: false, targetBucket: Bucket, region: '', ...ROOT }
    const settings = { sync: false, bandwidth: 0, healthCheckSeconds: 60 }
    const arn = await madmin().setRemoteTarget(Bucket, { ...target, ...settings })
    await setReplication(Bucket, arn)
    // Of a version that has arrived, tags and locks are sent again, without its bytes.
    const isPut = ({ method, path, size }: GateRequest) =>
      method === 'PUT' && size > 0 && path.startsWith(`/${Bucket}/`)
    let puts = 0
    await killAt(
      moment,
      (request) => isPut(request) && ++puts === 20,
      () => startResync(Bucket, arn),
    )
    const versionsAt = async (s3: S3Client) => {
      const { Versions = [] } = await s3.send(new ListObjectVersionsCommand({ Bucket }))
      return Versions.map(({ Key, VersionId, ETag }) => `${Key} ${VersionId} ${ETag}`)
    }
    const expected = await versionsAt(s3Client(store))
    expect(expected).toHaveLength(40)
    await expect.poll(() => versionsAt(there)).toEqual(expected)
    const sent = gate.passed.filter(isPut).map(({ path }) => path)
    expect(sent.sort()).toEqual(keys.map((key) => `/${Bucket}/${key}`).sort())
  })
})

ownStore.test('kill -9 while versions expire: each has one delete marker, and all versions are there', async () => {
  const Bucket = 'expire-many'
  await newBucket(Bucket, true)
  const keys = Array.from({ length: 900 }, (_, i) => `k${i}`)
  const s3 = s3Client(store)
  const next = keys.values()
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      for (const Key of next) await s3.send(new PutObjectCommand({ Bucket, Key, Body: Key }))
    }),
  )
  const REMOVED = 'lifecycle rules removed objects'
  await setRule(Bucket, EXPIRE)
  await expect.poll(() => store.output(), { interval: 1 }).toContain(REMOVED)
  await store.stop('SIGKILL')
  await store.start()
  // It was killed before the end: the rest goes now.
  await expect.poll(() => store.output()).toContain(REMOVED)
  const counts = async () => {
    const found = { versions: 0, markers: 0, keys: new Set<string>() }
    for (let page: { KeyMarker?: string; VersionIdMarker?: string } | undefined = {}; page; ) {
      const answer: ListObjectVersionsCommandOutput = await s3Client(store).send(
        new ListObjectVersionsCommand({ Bucket, ...page }),
      )
      found.versions += answer.Versions?.length ?? 0
      found.markers += answer.DeleteMarkers?.length ?? 0
      for (const { Key = '' } of answer.DeleteMarkers ?? []) found.keys.add(Key)
      const { NextKeyMarker: KeyMarker, NextVersionIdMarker: VersionIdMarker } = answer
      page = answer.IsTruncated
        ? { ...(KeyMarker && { KeyMarker }), ...(VersionIdMarker && { VersionIdMarker }) }
        : undefined
    }
    return { ...found, keys: found.keys.size }
  }
  await expect.poll(counts).toEqual({ versions: 900, markers: 900, keys: 900 })
})
