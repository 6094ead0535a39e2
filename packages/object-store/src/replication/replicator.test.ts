import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { TestEngine } from '../engine/testing/test-engine.ts'
import type { StoredRemoteTarget } from './remote-target-store.ts'
import { Replicator } from './replicator.ts'

const target = (sourceBucket: string, bucketCreatedAt: number): StoredRemoteTarget => {
  const id = randomUUID()
  return {
    id,
    arn: `arn:minio:replication::${id}:b`,
    sourceBucket,
    bucketCreatedAt,
    endpoint: '127.0.0.1:9000',
    secure: false,
    targetBucket: 'b',
    accessKey: 'user',
    secretKey: 'secret',
    sessionToken: '',
    region: '',
    path: 'auto',
    storageClass: '',
    bandwidth: 0,
    sync: false,
    healthCheckSeconds: 60,
    disableProxy: false,
    deploymentId: '',
    resetId: '',
    resetBefore: 0,
    addedAt: 1,
  }
}

test('at the start the targets of buckets that are gone are removed with their keys and resyncs, others stay', async () => {
  await using store = await TestEngine.start(1)
  const { createdAt } = await store.engine.createBucket('b')
  const current = target('b', createdAt)
  const stale = [target('gone', createdAt), target('b', createdAt - 1)]
  const put = (collection: string, { id, ...rest }: StoredRemoteTarget) =>
    store.engine.putDocuments([{ collection, name: id, value: JSON.stringify({ id, ...rest }) }])
  for (const each of [current, ...stale]) {
    await put('remote-targets', each)
    await put('replication-resyncs', each)
  }
  const replication = new Replicator({ engine: store.engine, log: pino({ level: 'silent' }) })
  const names = (collection: string) => store.engine.listDocuments(collection).map(({ name }) => name)
  await expect.poll(() => names('remote-targets')).toEqual([current.id])
  expect(names('replication-resyncs')).toEqual([current.id])
  expect(replication.targets.list()).toEqual([current])
  await replication.stop()
})
