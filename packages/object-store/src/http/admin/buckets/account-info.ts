import type { BucketInfo } from '../../../engine/interface/types.ts'
import { effectivePolicy } from '../../../iam/effective-policy.ts'
import { isActionAllowed } from '../../auth/authorize.ts'
import type { StoreCall } from '../../call/call.ts'
import type { AdminEndpoint } from '../endpoint/admin-endpoint.ts'
import { queryParameter, requireIdentity, wireTime } from '../endpoint/payload.ts'
import { backendInfo } from '../server/erasure-layout.ts'
import { wireSizeHistogram } from '../server/usage-totals.ts'
import { wireQuota } from './bucket-quota.ts'
import { prefixUsage } from './prefix-usage.ts'

/**
 * Returns the caller, its policy, and the buckets it can access with their usage, which `buckets=false` leaves out. Needs no
 * admin action.
 */
export const accountInfoEndpoint: AdminEndpoint = {
  name: 'AccountInfo',
  method: 'GET',
  path: 'accountinfo',
  handle(call) {
    const identity = requireIdentity(call)
    const { narrowedBy, access } = identity
    const [own] = narrowedBy
    const policy = effectivePolicy(call.store.iam, identity)
    const withPrefixes = queryParameter(call, 'prefix-usage') === 'true'
    const listed = queryParameter(call, 'buckets') === 'false' ? [] : call.engine.listBuckets()
    const buckets = listed.flatMap((bucket) => {
      const may = bucketAccess(call, bucket.name)
      return may.read || may.write ? [wireBucket(call, bucket, may, withPrefixes)] : []
    })
    call.json({
      AccountName: identity.user,
      Server: backendInfo(call.engine),
      Policy: own === undefined ? policy : JSON.parse(own),
      // MinIO does not have this member: all that decides. `Policy` contains only the innermost policy of a session.
      Rights: {
        owner: access.owner === true,
        policy: access.suspended ? { ...policy, Statement: [] } : policy,
        sessions: narrowedBy.map((text) => JSON.parse(text)),
      },
      Buckets: buckets,
    })
  },
}

/** Whether a bucket has replication rules. Must not fail: a setting that cannot be read counts as set. */
function hasReplication(call: StoreCall, bucket: string): boolean {
  try {
    return call.engine.getBucketSetting(bucket, 'replication') !== undefined
  } catch {
    return true
  }
}

interface BucketAccess {
  read: boolean
  write: boolean
}

function bucketAccess(call: StoreCall, bucket: string): BucketAccess {
  return {
    read:
      isActionAllowed(call, 's3:ListBucket', { bucket }) || isActionAllowed(call, 's3:GetBucketLocation', { bucket }),
    write: isActionAllowed(call, 's3:PutObject', { bucket }),
  }
}

function wireBucket(call: StoreCall, bucket: BucketInfo, access: BucketAccess, withPrefixes: boolean): object {
  const { name, createdAt, versioning, objectLock } = bucket
  const usage = call.engine.bucketUsage(name)
  const quota = wireQuota(call, name)
  return {
    name,
    size: usage.size,
    objects: usage.objects,
    objectHistogram: wireSizeHistogram(usage.sizeHistogram),
    objectsVersionsHistogram: usage.versionsHistogram,
    details: {
      versioning: versioning === 'Enabled',
      versioningSuspended: versioning === 'Suspended',
      locking: objectLock,
      replication: hasReplication(call, name),
      tags: null,
      ...(quota.size > 0 ? { quota } : {}),
    },
    ...(withPrefixes ? { prefixUsage: prefixUsage(call.engine, name) } : {}),
    created: wireTime(createdAt),
    access,
  }
}
