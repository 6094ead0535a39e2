import { randomUUID } from 'node:crypto'
import {
  CreateBucketCommand,
  GetObjectRetentionCommand,
  GetObjectTaggingCommand,
  HeadObjectCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3'
import { beforeAll, expect } from 'vitest'
import { ownStore } from '../support/console/own-store.ts'
import { sharedConsole } from '../support/console/shared-console.ts'
import type { TestCredentials, TestTarget } from '../support/console/test-target.ts'
import { type AttackRequest, sendAttack } from './signed-request.ts'

/*
 * A user poses as another store. Replication headers need rights of their own, and they are not meant to reach further than
 * these: if a hole were open, a user with s3:ReplicateObject could end the lock of an object, or take off the tags on which
 * policies depend.
 */

let c: TestTarget
let Bucket: string
beforeAll(async () => {
  c = await sharedConsole()
  Bucket = c.freshName('replicas')
  await c.s3.send(new CreateBucketCommand({ Bucket, ObjectLockEnabledForBucket: true }))
})

const WRITE = [
  's3:GetObject',
  's3:GetObjectVersion',
  's3:GetObjectVersionTagging',
  's3:PutObject',
  's3:ReplicateObject',
]
const DAY = 86_400_000
const REPLICA = { 'x-amz-replication-status': 'REPLICA', 'x-minio-source-replication-request': 'true' }
const isoTime = (ms: number) => new Date(ms).toISOString()

async function userWith(actions: string[], ...denied: object[]): Promise<TestCredentials> {
  const Resource = ['arn:aws:s3:::*']
  return await c.newUser({
    Version: '2012-10-17',
    Statement: [
      { Effect: 'Allow', Action: actions, Resource },
      ...denied.map((one) => ({ Effect: 'Deny', Resource, ...one })),
    ],
  })
}

const lockHeaders = (mode: string, until: number) => ({
  'x-amz-object-lock-mode': mode,
  'x-amz-object-lock-retain-until-date': isoTime(until),
})

/** Writes a version as root, a day old. */
async function newVersion(more: Record<string, unknown> = {}) {
  const Key = c.freshName('key')
  const { VersionId = '' } = await c.s3.send(new PutObjectCommand({ Bucket, Key, Body: 'x', ...more }))
  return { Bucket, Key, VersionId }
}
type Version = Awaited<ReturnType<typeof newVersion>>

const send = (request: AttackRequest) => sendAttack(c.serverUrl, request)

/** The ways in which a replica of an existing version arrives. */
const WAYS = {
  async put({ Key, VersionId }: Version, headers: Record<string, string>, credentials: TestCredentials) {
    const path = `/${Bucket}/${Key}`
    return await send({ method: 'PUT', path, query: `versionId=${VersionId}`, headers, body: 'x', credentials })
  },
  async copy({ Key, VersionId }: Version, headers: Record<string, string>, credentials: TestCredentials) {
    const source = {
      'x-amz-copy-source': `/${Bucket}/${Key}?versionId=${VersionId}`,
      'x-amz-metadata-directive': 'REPLACE',
      'x-amz-tagging-directive': 'REPLACE',
    }
    const request = { method: 'PUT', path: `/${Bucket}/${Key}`, query: `versionId=${VersionId}`, credentials }
    return await send({ ...request, headers: { ...headers, ...source } })
  },
  async multipart({ Key, VersionId }: Version, headers: Record<string, string>, credentials: TestCredentials) {
    const path = `/${Bucket}/${Key}`
    const query = `uploads=&versionId=${VersionId}`
    const begun = await send({ method: 'POST', path, query, headers, credentials })
    const uploadId = /<UploadId>(.*)<\/UploadId>/.exec(begun.text)?.[1]
    if (uploadId === undefined) return begun
    const upload = `uploadId=${uploadId}`
    const part = await send({ method: 'PUT', path, query: `partNumber=1&${upload}`, body: 'x', credentials })
    const etag = String(part.headers.etag)
    const body = `<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>${etag}</ETag></Part></CompleteMultipartUpload>`
    return await send({ method: 'POST', path, query: upload, headers: REPLICA, body, credentials })
  },
}
const NEW = () => ({
  ...REPLICA,
  'x-minio-source-mtime': isoTime(Date.now() + 3_600_000),
  'x-minio-source-etag': '9dd4e461268c8034f5c8564e155c67a6',
  'x-minio-source-replication-tagging-timestamp': isoTime(Date.now() + 3_600_000),
})
const ways = Object.entries(WAYS)

const retention = async (version: Version) =>
  (await c.s3.send(new GetObjectRetentionCommand(version))).Retention as { Mode: string; RetainUntilDate: Date }
const tags = async (version: Version) =>
  Object.fromEntries(
    ((await c.s3.send(new GetObjectTaggingCommand(version))).TagSet ?? []).map(({ Key, Value }) => [Key, Value]),
  )

const governance = (until: number) => ({ ObjectLockMode: 'GOVERNANCE', ObjectLockRetainUntilDate: new Date(until) })

for (const [way, replicate] of ways) {
  ownStore.test(`a ${way} of a replica cannot shorten retention by naming a stricter mode`, async () => {
    const user = await userWith([...WRITE, 's3:PutObjectRetention', 's3:DeleteObject', 's3:DeleteObjectVersion'], {
      Action: ['s3:BypassGovernanceRetention'],
    })
    const until = Date.now() + 30 * DAY
    const version = await newVersion(governance(until))
    const headers = {
      ...NEW(),
      ...lockHeaders('COMPLIANCE', Date.now() + 6_000),
      'x-amz-bypass-governance-retention': 'true',
    }
    expect((await replicate(version, headers, user)).status).toBe(200)
    expect((await retention(version)).RetainUntilDate.getTime()).toBeGreaterThanOrEqual(Math.floor(until / 1000) * 1000)
  })

  ownStore.test(`a ${way} of a replica without tags does not take off tags without the right to`, async () => {
    const deny = { Action: ['s3:GetObject'], Condition: { StringEquals: { 's3:ExistingObjectTag/secret': 'yes' } } }
    const user = await userWith(WRITE, deny)
    const version = await newVersion({ Tagging: 'secret=yes' })
    expect((await replicate(version, NEW(), user)).code).toBe('AccessDenied')
    expect(await tags(version)).toEqual({ secret: 'yes' })
    const path = `/${version.Bucket}/${version.Key}`
    expect((await send({ path, credentials: user })).code).toBe('AccessDenied')

    // With the right of a change it is removed: only that makes this test one of the right, not of replication.
    const replicator = await userWith([...WRITE, 's3:ReplicateTags'])
    expect((await replicate(version, NEW(), replicator)).status).toBe(200)
    expect(await tags(version)).toEqual({})
  })
}

ownStore.test('a right to tags that depends on the tag holds for a replica too', async () => {
  const user = await userWith([...WRITE, 's3:ReplicateTags', 's3:PutObjectTagging', 's3:DeleteObjectTagging'], {
    Action: ['s3:ReplicateTags', 's3:PutObjectTagging', 's3:DeleteObjectTagging'],
    Condition: { StringEquals: { 's3:ExistingObjectTag/secret': 'yes' } },
  })
  for (const headers of [NEW(), { ...NEW(), 'x-amz-tagging': 'secret=no' }]) {
    const version = await newVersion({ Tagging: 'secret=yes' })
    expect((await WAYS.put(version, headers, user)).code).toBe('AccessDenied')
    expect(await tags(version)).toEqual({ secret: 'yes' })
  }
})

ownStore.test('an upload that began before the version existed cannot take off its tags at its end', async () => {
  const user = await userWith(WRITE)
  const Key = c.freshName('key')
  const VersionId = randomUUID()
  const path = `/${Bucket}/${Key}`
  const begun = await send({
    method: 'POST',
    path,
    query: `uploads=&versionId=${VersionId}`,
    headers: NEW(),
    credentials: user,
  })
  const upload = `uploadId=${/<UploadId>(.*)<\/UploadId>/.exec(begun.text)?.[1]}`
  const part = await send({ method: 'PUT', path, query: `partNumber=1&${upload}`, body: 'x', credentials: user })
  const root = { accessKey: c.rootUser, secretKey: c.rootPassword }
  const tagged = { ...REPLICA, 'x-minio-source-etag': NEW()['x-minio-source-etag'], 'x-amz-tagging': 'secret=yes' }
  await WAYS.put({ Bucket, Key, VersionId }, { ...tagged, 'x-minio-source-mtime': isoTime(Date.now() - DAY) }, root)
  const body = `<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>${part.headers.etag}</ETag></Part></CompleteMultipartUpload>`
  const ended = await send({ method: 'POST', path, query: upload, headers: REPLICA, body, credentials: user })
  expect(ended.code).toBe('AccessDenied')
  expect(await tags({ Bucket, Key, VersionId })).toEqual({ secret: 'yes' })
})

ownStore.test('longer retention of a weaker mode does not make a limit of the policy void', async () => {
  const user = await userWith([...WRITE, 's3:PutObjectRetention'], {
    Action: ['s3:PutObjectRetention'],
    Condition: { NumericGreaterThan: { 's3:object-lock-remaining-retention-days': '10' } },
  })
  const until = Date.now() + 30 * DAY
  const version = await newVersion(governance(until))
  expect((await WAYS.put(version, { ...NEW(), ...lockHeaders('COMPLIANCE', Date.now() + DAY) }, user)).status).toBe(200)
  expect((await retention(version)).Mode).toBe('GOVERNANCE')
})

ownStore.test('with the right to bypass governance, and asking for it, a replica may shorten it', async () => {
  const user = await userWith([...WRITE, 's3:PutObjectRetention', 's3:BypassGovernanceRetention'])
  const version = await newVersion(governance(Date.now() + 30 * DAY))
  const headers = { ...NEW(), ...lockHeaders('GOVERNANCE', Date.now() + DAY) }
  await WAYS.put(version, headers, user)
  expect((await retention(version)).RetainUntilDate.getTime()).toBeGreaterThan(Date.now() + 2 * DAY)
  await WAYS.put(version, { ...headers, 'x-amz-bypass-governance-retention': 'true' }, user)
  expect((await retention(version)).RetainUntilDate.getTime()).toBeLessThan(Date.now() + 2 * DAY)
})

ownStore.test('a replica takes off neither a hold nor retention in compliance mode', async () => {
  const user = await userWith(['s3:*'])
  const until = Date.now() + 3_000
  const version = await newVersion({
    ...governance(until),
    ObjectLockMode: 'COMPLIANCE',
    ObjectLockLegalHoldStatus: 'ON',
  })
  for (const [, replicate] of ways) {
    const lock = lockHeaders('COMPLIANCE', Date.now() + 1_000)
    const weaker = { 'x-amz-bypass-governance-retention': 'true', 'x-amz-object-lock-legal-hold': 'OFF' }
    await replicate(version, { ...NEW(), ...lock, ...weaker }, user)
  }
  const head = await c.s3.send(new HeadObjectCommand(version))
  expect(head.ObjectLockLegalHoldStatus).toBe('ON')
  expect(head.ObjectLockMode).toBe('COMPLIANCE')
  expect(head.ObjectLockRetainUntilDate?.getTime()).toBeGreaterThanOrEqual(Math.floor(until / 1000) * 1000)
})
