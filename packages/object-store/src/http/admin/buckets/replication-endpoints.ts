import { setImmediate } from 'node:timers/promises'
import type { ObjectInfo, ReplicationTask } from '../../../engine/interface/types.ts'
import type { StoredRemoteTarget } from '../../../replication/remote-target-store.ts'
import type { StoreCall } from '../../call/call.ts'
import type { AdminEndpoint } from '../endpoint/admin-endpoint.ts'
import { queryParameter, wireTime, ZERO_TIME } from '../endpoint/payload.ts'
import { requireRemoteTarget } from './remote-targets.ts'

/** Number of versions processed before other requests get a turn. */
const PAGE = 250
/** Maximum number of refused changes that one call queues again. */
const RETRIES = 10_000

export const adminReplicationEndpoints: AdminEndpoint[] = [
  {
    name: 'ReplicationDiff',
    method: 'POST',
    path: 'replication/diff',
    query: ['bucket'],
    async handle(call) {
      const bucket = queryParameter(call, 'bucket')
      call.engine.getBucket(bucket)
      const arn = queryParameter(call, 'arn')
      const verbose = queryParameter(call, 'verbose') === 'true'
      const targets = call.store.replication.targets.list(bucket).filter((one) => arn === '' || one.arn === arn)
      call.head(200, { 'Content-Type': 'application/json' })
      let next: { key: string; versionId?: string | undefined } | undefined
      do {
        const page = call.engine.listVersions(bucket, {
          prefix: queryParameter(call, 'prefix'),
          delimiter: '',
          after: next?.key ?? '',
          limit: PAGE,
          ...(next?.versionId !== undefined && { versionMarker: next.versionId }),
        })
        const lines = page.entries
          .flatMap((entry) => ('object' in entry ? wireDiff(entry.object, targets, verbose) : []))
          .map((line) => `${JSON.stringify(line)}\n`)
        if (lines.length > 0 && !call.response.write(lines.join(''))) await waitForDrain(call)
        next = page.next
        await setImmediate()
      } while (next && !call.response.destroyed && !call.store.closing.aborted)
      call.response.end()
    },
  },
  {
    name: 'ReplicationMRF',
    method: 'GET',
    path: 'replication/mrf',
    query: ['bucket'],
    async handle(call) {
      const bucket = queryParameter(call, 'bucket')
      if (bucket !== '') call.engine.getBucket(bucket)
      // Only this store has the parameter `arn` here.
      const arn = queryParameter(call, 'arn')
      const targets = call.store.replication.targets
        .list(bucket === '' ? undefined : bucket)
        .filter((one) => arn === '' || one.arn === arn)
      call.head(200, { 'Content-Type': 'application/json' })
      for (const target of targets) {
        for (let after: number | undefined; !call.response.destroyed; ) {
          const page = listFailures(call, target, after)
          if (page.length === 0) break
          const lines = page.map((change) => `${JSON.stringify(wireFailure(target, change))}\n`)
          if (!call.response.write(lines.join(''))) await waitForDrain(call)
          after = page.at(-1)?.entry
          await setImmediate()
        }
      }
      call.response.end()
    },
  },
  {
    // Only this store has this call. On MinIO the scanner retries failed objects.
    name: 'RetryReplication',
    method: 'POST',
    path: 'replication/retry',
    query: ['bucket', 'arn'],
    async handle(call) {
      const bucket = queryParameter(call, 'bucket')
      call.engine.getBucket(bucket)
      const target = requireRemoteTarget(call, bucket, queryParameter(call, 'arn'))
      let retried = 0
      for (let more = 1; more > 0 && retried < RETRIES; retried += more) {
        more = await call.engine.retryFailedReplication(bucket, target.id, RETRIES - retried)
      }
      call.store.replication.wake(bucket)
      call.json({ retried })
    },
  },
]

function listFailures(
  call: StoreCall,
  { sourceBucket, id }: StoredRemoteTarget,
  after: number | undefined,
): ReplicationTask[] {
  const query = { bucket: sourceBucket, target: id, state: 'FAILED', limit: PAGE } as const
  return call.engine.listReplicationBacklog({ ...query, ...(after !== undefined && { after }) })
}

function wireFailure({ sourceBucket }: StoredRemoteTarget, change: ReplicationTask): object {
  const { key, versionId, attempts, reason } = change
  return { nodeName: '', bucket: sourceBucket, object: key, versionId, retryCount: attempts, error: reason }
}

/** Returns replications of a version that are not complete; with `verbose` all of them. */
function wireDiff(info: ObjectInfo, targets: readonly StoredRemoteTarget[], verbose: boolean): object[] {
  const { key, versionId, replication, deleteMarker, lastModified } = info
  if (!replication || replication.status === 'REPLICA') return []
  const statuses = targets.flatMap(({ id, arn }) => {
    const status = replication.targets[id]
    return status === undefined || (status === 'COMPLETED' && !verbose) ? [] : [[arn, status] as const]
  })
  if (statuses.length === 0) return []
  const ofTarget = (status: string) => (deleteMarker ? { drStatus: status } : { rStatus: status })
  return [
    {
      object: key,
      versionId,
      targets: Object.fromEntries(statuses.map(([arn, status]) => [arn, ofTarget(status)])),
      ...(deleteMarker ? { dStatus: replication.status } : { rStatus: replication.status }),
      replTimestamp: ZERO_TIME,
      lastModified: wireTime(lastModified),
      deletemarker: deleteMarker,
    },
  ]
}

/** Resolves when the client has read the written data, or has disconnected. */
function waitForDrain({ response }: StoreCall): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done)
      resolve()
    }
    response.once('drain', done).once('close', done)
  })
}
