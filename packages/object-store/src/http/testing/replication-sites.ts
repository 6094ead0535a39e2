import { once } from 'node:events'
import { type AddressInfo, createServer, connect as dial, type Server, type Socket } from 'node:net'
import {
  CreateBucketCommand,
  HeadObjectCommand,
  ListObjectVersionsCommand,
  PutBucketVersioningCommand,
  type S3Client,
} from '@aws-sdk/client-s3'
import { sealAdminBody } from '@stowage/madmin/sealing'
import { expect, vi } from 'vitest'
import { type HttpTestStore, type RawAnswer, ROOT_CREDENTIALS, startTestStore } from './test-store.ts'

/* Shared parts of the replication tests. */

/** A replication target: another store of the test, or a real server. */
export interface TestSite {
  port: number
  accessKey?: string
  secretKey?: string
}

/** Waits for a worker, but for a fraction of the time. */
export const waitShortly = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => delay(Math.min(ms / 20, 100), signal, resolve))

/** Starts a store whose replication workers use short waits. */
export const startSite = (options: Parameters<typeof startTestStore>[0] = {}): Promise<HttpTestStore> =>
  startTestStore({
    replication: { wait: waitShortly },
    ...options,
  })

function delay(ms: number, signal: AbortSignal, resolve: () => void): void {
  const done = () => {
    clearTimeout(timer)
    signal.removeEventListener('abort', done)
    resolve()
  }
  const timer = setTimeout(done, ms)
  signal.addEventListener('abort', done)
}

export async function createVersionedBucket(
  s3: S3Client,
  Bucket: string,
  ObjectLockEnabledForBucket = false,
): Promise<void> {
  await s3.send(new CreateBucketCommand({ Bucket, ObjectLockEnabledForBucket }))
  await enableVersioning(s3, Bucket)
}

export async function enableVersioning(s3: S3Client, Bucket: string): Promise<void> {
  const VersioningConfiguration = { Status: 'Enabled' } as const
  await s3.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration }))
}

export async function setReplicationTarget(
  store: HttpTestStore,
  bucket: string,
  to: TestSite & { bucket: string },
  more: Record<string, unknown> = {},
  query = '',
): Promise<RawAnswer> {
  const { accessKey = ROOT_CREDENTIALS.accessKey, secretKey = ROOT_CREDENTIALS.secretKey } = to
  const target = {
    endpoint: `127.0.0.1:${to.port}`,
    credentials: { accessKey, secretKey },
    targetbucket: to.bucket,
    type: 'replication',
    secure: false,
    ...more,
  }
  return store.send({
    method: 'PUT',
    path: '/minio/admin/v3/set-remote-target',
    query: `bucket=${bucket}${query}`,
    body: await sealAdminBody(JSON.stringify(target), ROOT_CREDENTIALS.secretKey),
  })
}

interface RuleOptions {
  prefix?: string
  deletes?: boolean
  existing?: boolean
  priority?: number
}

/** Sets up the complete replication of a bucket to another one. @returns the ARN of the target */
export async function setUpReplication(
  store: HttpTestStore,
  bucket: string,
  to: TestSite & { bucket: string },
  rule: RuleOptions = {},
  target: Record<string, unknown> = {},
): Promise<string> {
  const answer = await setReplicationTarget(store, bucket, to, target)
  expect(answer.text).toContain('arn:minio:replication:')
  const arn = JSON.parse(answer.text) as string
  await setRule(store, bucket, arn, rule)
  return arn
}

async function setRule(store: HttpTestStore, bucket: string, arn: string, rule: RuleOptions): Promise<void> {
  const body = replicationRuleXml(arn, rule)
  const answer = await store.send({ method: 'PUT', path: `/${bucket}`, query: 'replication=', body })
  expect(answer.text).toBe('')
}

export function replicationRuleXml(arn: string, rule: RuleOptions): string {
  const { prefix = '', deletes = true, existing = true, priority = 1 } = rule
  const on = (yes: boolean) => `<Status>${yes ? 'Enabled' : 'Disabled'}</Status>`
  return (
    `<ReplicationConfiguration><Rule><ID>r</ID>${on(true)}<Priority>${priority}</Priority>` +
    `<DeleteMarkerReplication>${on(deletes)}</DeleteMarkerReplication><DeleteReplication>${on(deletes)}</DeleteReplication>` +
    `<Destination><Bucket>${arn}</Bucket></Destination><Filter><Prefix>${prefix}</Prefix></Filter>` +
    `<ExistingObjectReplication>${on(existing)}</ExistingObjectReplication></Rule></ReplicationConfiguration>`
  )
}

/** Returns every version of a bucket, which must be equal on two sites. */
export async function listVersionLines(s3: S3Client, Bucket: string): Promise<string[]> {
  const { Versions = [], DeleteMarkers = [] } = await s3.send(new ListObjectVersionsCommand({ Bucket }))
  return [
    ...Versions.map(({ Key, VersionId, ETag, IsLatest }) => `${Key} ${VersionId} ${ETag} ${IsLatest}`),
    ...DeleteMarkers.map(({ Key, VersionId, IsLatest }) => `${Key} ${VersionId} marker ${IsLatest}`),
  ]
}

/** Waits for the same versions in both places, in the same order. */
export async function waitForSameVersions(
  from: S3Client,
  bucket: string,
  to: S3Client,
  target: string,
): Promise<string[]> {
  return vi.waitFor(
    async () => {
      const versions = await listVersionLines(from, bucket)
      expect(await listVersionLines(to, target)).toEqual(versions)
      return versions
    },
    { timeout: 60_000, interval: 50 },
  )
}

export async function replicationStatus(
  s3: S3Client,
  Bucket: string,
  Key: string,
  VersionId?: string,
): Promise<string> {
  const { ReplicationStatus } = await s3.send(new HeadObjectCommand({ Bucket, Key, VersionId }))
  return String(ReplicationStatus)
}

export const waitForStatus = (s3: S3Client, bucket: string, key: string, status: string) =>
  vi.waitFor(async () => expect(await replicationStatus(s3, bucket, key)).toBe(status), {
    timeout: 60_000,
    interval: 50,
  })

/**
 * Starts a proxy to a port. Its connections can be cut in the middle of requests, and restored.
 * @param change modifies the bytes that are sent to the port
 */
export async function startProxy(port: number, change?: (bytes: Buffer) => Buffer) {
  const sockets = new Set<Socket>()
  const server: Server = createServer((near) => {
    const far = dial(port, '127.0.0.1')
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
      if (change && one === near) one.on('data', (bytes: Buffer) => other.write(change(bytes)))
      else one.pipe(other)
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port: own } = server.address() as AddressInfo
  const cut = async () => {
    server.close()
    for (const socket of sockets) socket.destroy()
    await once(server, 'close')
  }
  const mend = async () => {
    server.listen(own, '127.0.0.1')
    await once(server, 'listening')
  }
  return { port: own, cut, mend, [Symbol.asyncDispose]: async () => (server.listening ? cut() : undefined) }
}
