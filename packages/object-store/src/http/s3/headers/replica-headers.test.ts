import { randomUUID } from 'node:crypto'
import { HeadObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import type { SigningCredentials } from '@stowage/sigv4'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { setPolicy } from '../../../iam/policies.ts'
import { setPolicies } from '../../../iam/policy-mappings.ts'
import { setUser } from '../../../iam/users.ts'
import { createVersionedBucket, listVersionLines } from '../../testing/replication-sites.ts'
import { startWithBucket } from '../../testing/test-store.ts'

/* Writes by another store: the rights that they need, and what they must not change. */

const BUCKET = 'replicas'
const { store, s3 } = await startWithBucket('plain')
afterAll(() => store[Symbol.asyncDispose]())
beforeAll(() => createVersionedBucket(s3, BUCKET, true))

let users = 0
async function userWith(...Action: string[]): Promise<SigningCredentials> {
  const name = `user${users++}`
  const { iam } = store.server
  await setUser(iam, name, 'secret-of-user', 'enabled')
  const Statement = [{ Effect: 'Allow', Action, Resource: ['arn:aws:s3:::*'] }]
  await setPolicy(iam, name, JSON.stringify({ Version: '2012-10-17', Statement }))
  await setPolicies(iam, { kind: 'user', name }, [name])
  return { accessKey: name, secretKey: 'secret-of-user' }
}

const HOUR = 3_600_000
const at = (ms: number) => new Date(ms).toISOString()
const REPLICA = { 'x-amz-replication-status': 'REPLICA', 'x-minio-source-replication-request': 'true' }

interface Sent {
  key: string
  versionId?: string
  body?: string
  time?: number
  headers?: Record<string, string>
  credentials?: SigningCredentials
  method?: 'PUT' | 'DELETE'
}

async function send({ key, versionId, body = 'x', time, headers = {}, credentials, method = 'PUT' }: Sent) {
  return store.send({
    method,
    path: `/${BUCKET}/${key}`,
    query: versionId === undefined ? '' : `versionId=${versionId}`,
    headers: { ...REPLICA, ...(time !== undefined && { 'x-minio-source-mtime': at(time) }), ...headers },
    ...(method === 'PUT' && { body }),
    ...(credentials && { credentials }),
  })
}

test('only with s3:ReplicateObject and s3:ReplicateDelete are headers of another store followed', async () => {
  const versionId = randomUUID()
  const writer = await userWith('s3:PutObject', 's3:DeleteObject')
  expect((await send({ key: 'forged', versionId, credentials: writer })).code).toBe('AccessDenied')
  // Without the replica header, the other headers and the version ID have no effect.
  const headers = {
    'x-amz-replication-status': 'NONE',
    'x-minio-source-replication-request': 'no',
    'x-minio-source-etag': 'f'.repeat(32),
  }
  const plain = await send({ key: 'forged', versionId, time: Date.now() - HOUR, headers, credentials: writer })
  expect(plain.status).toBe(200)
  expect(plain.headers['x-amz-version-id']).not.toBe(versionId)
  expect(plain.headers.etag).not.toContain('fff')
  const marker = { 'x-minio-source-deletemarker': 'true' }
  expect((await send({ key: 'forged', versionId, method: 'DELETE', headers: marker, credentials: writer })).code).toBe(
    'AccessDenied',
  )

  const replicator = await userWith('s3:PutObject', 's3:ReplicateObject', 's3:DeleteObject', 's3:ReplicateDelete')
  const sent = await send({ key: 'sent', versionId, time: Date.now() - HOUR, credentials: replicator })
  expect(sent.headers['x-amz-version-id']).toBe(versionId)
  const head = await s3.send(new HeadObjectCommand({ Bucket: BUCKET, Key: 'sent' }))
  expect(head.ReplicationStatus).toBe('REPLICA')
  expect(head.LastModified?.getTime()).toBeLessThan(Date.now() - HOUR / 2)
})

test('a replica of an existing version cannot change its bytes, weaken its lock or bring older tags', async () => {
  const versionId = randomUUID()
  const time = Date.now() - HOUR
  const lock = {
    'x-amz-object-lock-legal-hold': 'ON',
    'x-amz-tagging': 'a=new',
    'x-minio-source-replication-tagging-timestamp': at(time + 10),
  }
  await send({ key: 'k', versionId, time, headers: lock })
  expect((await send({ key: 'k', versionId, time, body: 'other' })).code).toBe('InvalidRequest')
  const weaker = {
    'x-amz-object-lock-legal-hold': 'OFF',
    'x-amz-tagging': 'a=old',
    'x-minio-source-replication-tagging-timestamp': at(time + 5),
  }
  expect((await send({ key: 'k', versionId, time, headers: weaker })).status).toBe(200)
  expect((await s3.send(new HeadObjectCommand({ Bucket: BUCKET, Key: 'k' }))).ObjectLockLegalHoldStatus).toBe('ON')
  const tags = await store.send({ path: `/${BUCKET}/k`, query: 'tagging=' })
  expect(tags.text).toContain('<Value>new</Value>')
  const bypass = { 'x-amz-bypass-governance-retention': 'true' }
  expect((await send({ key: 'k', versionId, method: 'DELETE', headers: bypass })).code).toBe('InvalidRequest')
})

test('the default retention of the bucket counts from the arrival of a version', async () => {
  const mode = '<Mode>GOVERNANCE</Mode><Days>1</Days>'
  const rule = `<Rule><DefaultRetention>${mode}</DefaultRetention></Rule>`
  const body = `<ObjectLockConfiguration><ObjectLockEnabled>Enabled</ObjectLockEnabled>${rule}</ObjectLockConfiguration>`
  const set = (text: string) => store.send({ method: 'PUT', path: `/${BUCKET}`, query: 'object-lock=', body: text })
  expect((await set(body)).text).toBe('')
  const arrivedAt = Date.now()
  await send({ key: 'old', versionId: randomUUID(), time: arrivedAt - 100 * 24 * HOUR })
  const head = await s3.send(new HeadObjectCommand({ Bucket: BUCKET, Key: 'old' }))
  expect(head.ObjectLockRetainUntilDate?.getTime()).toBeGreaterThan(arrivedAt + 23 * HOUR)
  expect((await set(body.replace(rule, ''))).text).toBe('')
})

test('versions are sorted by their times, then by their IDs, whatever order they arrive in', async () => {
  const time = Date.now() - HOUR
  const ids = Array.from({ length: 6 }, () => randomUUID()).sort()
  for (const [i, versionId] of [...ids.entries()].sort(() => Math.random() - 0.5)) {
    await send({ key: 'ordered', versionId, time: time + Math.floor(i / 2) * 1000, body: String(i) })
  }
  await s3.send(new PutObjectCommand({ Bucket: BUCKET, Key: 'ordered', Body: 'mine' }))
  const late = randomUUID()
  await send({
    key: 'ordered',
    versionId: late,
    method: 'DELETE',
    time: time - 1000,
    headers: { 'x-minio-source-deletemarker': 'true' },
  })
  const listed = (await store.send({ path: `/${BUCKET}`, query: 'prefix=ordered&versions=' })).text.matchAll(
    /<VersionId>([^<]+)</g,
  )
  expect([...listed].map(([, id]) => id).slice(1)).toEqual([...ids.reverse(), late])
  expect(await listVersionLines(s3, BUCKET)).toContainEqual(expect.stringMatching(/^ordered .* true$/))
  for (const [i, versionId] of ids.reverse().entries()) {
    expect((await store.send({ path: `/${BUCKET}/ordered`, query: `versionId=${versionId}` })).text).toBe(String(i))
  }
})

test.each([
  ['a time more than a day ahead', { time: Date.now() + 30 * HOUR }, 'InvalidArgument'],
  ['a time that is none', { headers: { 'x-minio-source-mtime': 'yesterday' } }, 'InvalidArgument'],
  ['an ETag that is none', { headers: { 'x-minio-source-etag': '../../x' } }, 'InvalidArgument'],
  ['a check of the rights', { headers: { 'x-minio-source-replication-check': 'true' } }, 'ReplicationPermissionCheck'],
])('%s is refused', async (_, sent, code) => {
  expect((await send({ key: 'refused', versionId: randomUUID(), ...sent })).code).toBe(code)
})
