import type { S3RequestPart } from '@stowage/iam-policy'
import type { PutObjectOptions, ReplicaRights, ReplicationTimes } from '../../../engine/interface/types.ts'
import { S3Error } from '../../../lib/errors.ts'
import { isActionAllowed, requirePart } from '../../auth/authorize.ts'
import type { StoreCall } from '../../call/call.ts'
import { parseVersionId } from '../../call/version-id.ts'
import { governanceBypass, isRetentionAllowed } from './object-lock-calls.ts'

/* Replication requests from another store. The names of the headers are MinIO's. */

const REQUEST = 'x-minio-source-replication-request'
const STATUS = 'x-amz-replication-status'
const CHECK = 'x-minio-source-replication-check'
const MODIFIED = 'x-minio-source-mtime'
const ETAG = 'x-minio-source-etag'
const TIME_HEADERS = {
  tags: 'x-minio-source-replication-tagging-timestamp',
  retention: 'x-minio-source-replication-retention-timestamp',
  legalHold: 'x-minio-source-replication-legalhold-timestamp',
} as const
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/
const ETAG_FORM = /^[0-9a-f]{32}(-\d{1,5})?$/i

/** Whether a request claims to come from another store. Headers of a form are ignored, because they are not signed. */
export function isReplica(call: StoreCall): boolean {
  if (call.authentication.form) return false
  return call.header(STATUS) === 'REPLICA' || call.header(REQUEST) === 'true'
}

/** Returns what tags in the request are: of a replica or of another write. */
export const replicaTagging = (call: StoreCall): S3RequestPart => (isReplica(call) ? 'replica-tags' : 'tags')

type ReplicaOptions = Pick<PutObjectOptions, 'versionId' | 'lastModified' | 'replica' | 'replicaRights'>

/** Returns what the caller may change of existing versions, if the request turns out to be a replica of one. */
export function replicaRights(call: StoreCall): ReplicaRights {
  const { bucket, key } = call
  return {
    mayTag(versionId, tags) {
      const resource = { bucket, key, versionId }
      const { requestTags } = call
      call.requestTags = tags
      const isRemoval = Object.keys(tags).length === 0
      const allowed =
        isActionAllowed(call, 's3:ReplicateTags', resource) ||
        isActionAllowed(call, isRemoval ? 's3:DeleteObjectTagging' : 's3:PutObjectTagging', resource)
      call.requestTags = requestTags
      return allowed
    },
    mayRetain: (versionId, retention) => isRetentionAllowed(call, retention, { bucket, key, versionId }),
    bypassesGovernance: governanceBypass(call) === 'allowed',
  }
}

/**
 * Returns the replication data of a write from another store; empty for other writes, whose replication headers are ignored.
 * @throws S3Error AccessDenied (no right to s3:ReplicateObject), InvalidArgument, ReplicationPermissionCheck
 */
export function requestedReplica(call: StoreCall): ReplicaOptions {
  if (!isReplica(call)) return {}
  requirePart(call, 'replica')
  refuseCheck(call)
  const versionId = parseVersionId(call.query.get('versionId') ?? undefined)
  if (versionId !== undefined && versionId !== 'null') requireVersioning(call)
  const lastModified = timeHeader(call, MODIFIED)
  const etag = call.header(ETAG)?.replaceAll('"', '')
  if (etag && !ETAG_FORM.test(etag)) throw new S3Error('InvalidArgument', `The ${ETAG} header is not an ETag.`)
  const times: ReplicationTimes = {}
  for (const part of ['tags', 'retention', 'legalHold'] as const) {
    const changed = timeHeader(call, TIME_HEADERS[part])
    if (changed !== undefined) times[part] = changed
  }
  return {
    ...(versionId !== undefined && { versionId }),
    ...(lastModified !== undefined && { lastModified }),
    replica: { times, ...(etag && { etag: etag.toLowerCase() }) },
    replicaRights: replicaRights(call),
  }
}

/** Returns a replicated deletion or delete marker; undefined for other deletes. @throws as `requestedReplica` */
export function requestedReplicaDelete(call: StoreCall): { marker?: { lastModified: number } } | undefined {
  if (!isReplica(call)) return undefined
  requirePart(call, 'replica-delete')
  refuseCheck(call)
  if (call.header('x-minio-source-deletemarker') !== 'true') return {}
  requireVersioning(call)
  return { marker: { lastModified: timeHeader(call, MODIFIED) ?? Date.now() } }
}

/** Refuses a mere check of rights. @throws S3Error ReplicationPermissionCheck, which means that the caller has the rights */
function refuseCheck(call: StoreCall): void {
  if (call.header(CHECK) === undefined) return
  const text = 'X-Minio-Source-Replication-Check cannot be specified in request. Request cannot be completed'
  throw new S3Error('ReplicationPermissionCheck', text)
}

function requireVersioning(call: StoreCall): void {
  if (call.engine.getBucket(call.bucket).versioning === 'Enabled') return
  throw new S3Error('InvalidArgument', 'A version ID is specified, but versioning is not enabled on the bucket.')
}

function timeHeader(call: StoreCall, name: string): number | undefined {
  const text = call.header(name)?.trim()
  if (text === undefined || text === '') return undefined
  const ms = TIME.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(ms)) throw new S3Error('InvalidArgument', `The ${name} header is not a time.`)
  return ms
}
