import { createHash, randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { DeleteObjectCommand, PutBucketVersioningCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { createMadmin } from '@stowage/madmin'
import { afterAll, expect, test, vi } from 'vitest'
import { setPolicy } from '../../../iam/policies.ts'
import { setPolicies } from '../../../iam/policy-mappings.ts'
import { setUser } from '../../../iam/users.ts'
import { ENCRYPTION_KEY_FILE } from '../../../key-ring/key-file.ts'
import {
  createVersionedBucket,
  listVersionLines,
  setUpReplication,
  startProxy,
  startSite,
  waitForSameVersions,
  waitForStatus,
} from '../../testing/replication-sites.ts'
import { type HttpTestStore, ROOT_CREDENTIALS } from '../../testing/test-store.ts'

/* The calls that describe and check the replication of a bucket, and what the store keeps of its targets. */

const [a, b] = await Promise.all([startSite({ outgoing: '127.0.0.1' }), startSite()])
afterAll(() => Promise.all([a[Symbol.asyncDispose](), b[Symbol.asyncDispose]()]))
const [from, to] = [a.s3(), b.s3()]
const OWNER = { accessKey: 'replicator', secretKey: 'the-secret-key-of-the-replicator' }

const firstTarget = ({ server }: HttpTestStore, bucket: string) => server.replication.targets.list(bucket)[0]
const documents = (collection: string, bucket: string) =>
  a.engine.listDocuments(collection).filter(({ value }) => value.includes(`"${bucket}"`))

/** Creates the user `OWNER` at the second site, or changes the rights of that user. */
async function allowAt({ server: { iam } }: HttpTestStore, ...Action: string[]): Promise<void> {
  const Statement = [{ Effect: 'Allow', Action, Resource: ['arn:aws:s3:::*'] }]
  await setUser(iam, OWNER.accessKey, OWNER.secretKey, 'enabled')
  await setPolicy(iam, 'replicator', JSON.stringify({ Version: '2012-10-17', Statement }))
  await setPolicies(iam, { kind: 'user', name: OWNER.accessKey }, ['replicator'])
}

interface Diff {
  object: string
  deletemarker: boolean
  rStatus?: string
  dStatus?: string
  targets: Record<string, object>
}

test('replication/diff lists the versions that a target does not have, with their status', async () => {
  const Bucket = 'diff'
  await using line = await startProxy(b.port)
  await Promise.all([from, to].map((s3) => createVersionedBucket(s3, Bucket)))
  const arn = await setUpReplication(a, Bucket, { port: line.port, bucket: Bucket })
  await from.send(new PutObjectCommand({ Bucket, Key: 'x/sent', Body: 'x' }))
  await waitForStatus(from, Bucket, 'x/sent', 'COMPLETED')
  const key = randomBytes(32)
  const SSECustomerKeyMD5 = createHash('md5').update(key).digest('base64')
  const own = { SSECustomerAlgorithm: 'AES256', SSECustomerKey: key.toString('base64'), SSECustomerKeyMD5 }
  await from.send(new PutObjectCommand({ Bucket, Key: 'x/own-key', Body: 'x', ...own }))
  const counts = () => a.engine.replicationCounts(Bucket, firstTarget(a, Bucket)?.id ?? '')
  await vi.waitFor(() => expect(counts()).toMatchObject({ failed: 1, pending: 0 }), 60_000)
  await line.cut()
  await from.send(new PutObjectCommand({ Bucket, Key: 'later', Body: 'x' }))
  await from.send(new DeleteObjectCommand({ Bucket, Key: 'x/sent' }))
  const path = '/minio/admin/v3/replication/diff'
  const post = (query: string) => a.send({ method: 'POST', path, query })
  const diff = async (query = ''): Promise<Diff[]> => {
    const { text } = await post(`bucket=${Bucket}${query}`)
    return text.split('\n').flatMap((each) => (each === '' ? [] : [JSON.parse(each) as Diff]))
  }
  const sent = {
    object: 'x/sent',
    deletemarker: false,
    rStatus: 'COMPLETED',
    targets: { [arn]: { rStatus: 'COMPLETED' } },
  }
  const marker = {
    object: 'x/sent',
    deletemarker: true,
    dStatus: 'PENDING',
    targets: { [arn]: { drStatus: 'PENDING' } },
  }
  const failed = {
    object: 'x/own-key',
    deletemarker: false,
    rStatus: 'FAILED',
    targets: { [arn]: { rStatus: 'FAILED' } },
  }
  const later = { object: 'later', deletemarker: false, rStatus: 'PENDING', targets: { [arn]: { rStatus: 'PENDING' } } }
  expect(await diff()).toMatchObject([later, failed, marker])
  expect(await diff('&prefix=x/&verbose=true')).toMatchObject([failed, marker, sent])
  expect(await diff(`&arn=${encodeURIComponent(arn)}&prefix=later`)).toMatchObject([later])
  expect(await diff('&arn=arn:minio:replication::other:diff')).toEqual([])
  expect((await post('bucket=no-such-bucket')).code).toBe('NoSuchBucket')
  expect((await a.send({ method: 'POST', path, query: `bucket=${Bucket}`, credentials: 'anonymous' })).status).toBe(403)
})

test('replication-check names the missing right or setting of the target, and stores nothing there', async () => {
  const bucket = 'check'
  await Promise.all([from, to].map((s3) => createVersionedBucket(s3, bucket)))
  const check = () => a.send({ path: `/${bucket}`, query: 'replication-check=' })
  expect((await check()).code).toBe('ReplicationConfigurationNotFoundError')
  const read = ['s3:ListBucket', 's3:GetBucketVersioning', 's3:GetBucketObjectLockConfiguration']
  await allowAt(b, ...read)
  await setUpReplication(a, bucket, { port: b.port, bucket, ...OWNER })
  const writes = ['s3:PutObject', 's3:ReplicateObject']
  const deletions = ['s3:DeleteObject', 's3:ReplicateDelete']
  for (const [rights, missing] of [
    [deletions, 's3:ReplicateObject'],
    [['s3:PutObject', ...deletions], 's3:ReplicateObject'],
    [writes, 's3:ReplicateDelete'],
    [['s3:DeleteObject', ...writes], 's3:ReplicateDelete'],
  ] as const) {
    await allowAt(b, ...read, ...rights)
    const answer = await check()
    expect([answer.status, answer.code]).toEqual([400, 'InvalidRequest'])
    expect(answer.text).toContain(missing)
  }
  await allowAt(b, ...read, ...writes, ...deletions)
  expect((await check()).status).toBe(200)
  expect(await listVersionLines(to, bucket)).toEqual([])
  const VersioningConfiguration = { Status: 'Suspended' } as const
  await to.send(new PutBucketVersioningCommand({ Bucket: bucket, VersioningConfiguration }))
  expect((await check()).code).toBe('RemoteTargetNotVersionedError')
  await b.engine.deleteBucket(bucket)
  expect((await check()).code).toBe('RemoteDestinationNotFoundError')
})

test('no file of the store contains the keys of its targets and tiers', async () => {
  const bucket = 'sealed'
  await Promise.all([from, to].map((s3) => createVersionedBucket(s3, bucket)))
  await allowAt(b, 's3:*')
  await setUpReplication(a, bucket, { port: b.port, bucket, ...OWNER })
  await createVersionedBucket(to, 'sealed-tier')
  const place = { endpoint: b.url, bucket: 'sealed-tier', prefix: 'tier', region: 'us-east-1', storageClass: '' }
  await createMadmin({ endpoint: a.url, credentials: ROOT_CREDENTIALS }).addTier({
    type: 's3',
    name: 'SEALED',
    ...place,
    ...OWNER,
  })
  await from.send(new PutObjectCommand({ Bucket: bucket, Key: 'k', Body: 'text of an object' }))
  await waitForSameVersions(from, bucket, to, bucket)
  const filesWith = async (text: string) => {
    const entries = await readdir(a.folder, { recursive: true, withFileTypes: true })
    const files = entries.filter((entry) => entry.isFile() && entry.name !== ENCRYPTION_KEY_FILE)
    const found = await Promise.all(
      files.map(async ({ parentPath, name }) => {
        const content = await readFile(join(parentPath, name)).catch(() => '')
        return content.includes(text) ? [name] : []
      }),
    )
    return found.flat()
  }
  expect(documents('remote-targets', bucket)).toMatchObject([{ value: expect.stringContaining(OWNER.secretKey) }])
  expect(documents('tiers', 'sealed-tier')).toMatchObject([{ value: expect.stringContaining(OWNER.secretKey) }])
  expect(await filesWith('text of an object')).toEqual(expect.arrayContaining(['data.mdb']))
  expect(await filesWith(OWNER.secretKey)).toEqual([])
})

test('with a target goes its resync', async () => {
  const bucket = 'removed-target'
  await Promise.all([from, to].map((s3) => createVersionedBucket(s3, bucket)))
  const arn = encodeURIComponent(await setUpReplication(a, bucket, { port: b.port, bucket }))
  await a.send({ method: 'PUT', path: `/${bucket}`, query: `arn=${arn}&replication-reset=` })
  const resyncs = () => documents('replication-resyncs', bucket).map(({ value }) => JSON.parse(value) as object)
  await vi.waitFor(() => expect(resyncs()).toMatchObject([{ done: true }]))
  const remove = {
    method: 'DELETE',
    path: '/minio/admin/v3/remove-remote-target',
    query: `bucket=${bucket}&arn=${arn}`,
  }
  expect((await a.send(remove)).code).toBe('XMinioAdminRemoteRemoveDisallowed')
  await a.send({ method: 'DELETE', path: `/${bucket}`, query: 'replication=' })
  expect((await a.send(remove)).status).toBe(204)
  expect([documents('remote-targets', bucket), resyncs()]).toEqual([[], []])
})

test('the journal ends its old segments while a target is down for long', async () => {
  const bucket = 'journal'
  await using line = await startProxy(b.port)
  await Promise.all([from, to].map((s3) => createVersionedBucket(s3, bucket)))
  await setUpReplication(a, bucket, { port: line.port, bucket })
  await line.cut()
  const segments = () => readdir(join(a.folder, 'drive1', 'journal'))
  const before = await segments()
  const body = Buffer.alloc(16_000, 'x')
  const count = 1200
  for (let i = 0; i < count; i += 100) {
    const keys = Array.from({ length: 100 }, (_, n) => `k${i + n}`)
    await Promise.all(keys.map((key) => a.engine.putObject(bucket, key, Readable.from([body]), {})))
  }
  const target = firstTarget(a, bucket)
  await vi.waitFor(
    () => expect(target && a.server.replication.targetState(target)).toMatchObject({ online: false }),
    60_000,
  )
  expect(a.engine.replicationCounts(bucket, target?.id ?? '')).toMatchObject({ pending: count, failed: 0 })
  await expect.poll(async () => (await segments()).filter((name) => before.includes(name))).toEqual([])
})
