import { type Access, can, evaluate } from '@stowage/iam-policy'
import { S3Error } from '../errors.ts'
import type { Call } from './call.ts'
import { RequestConditions } from './request-conditions.ts'

/** What an action is done to; empty for the service. */
export interface Resource {
  bucket?: string | undefined
  key?: string | undefined
  versionId?: string | undefined
}

/** The bucket or object of the URL. */
export function requestedResource(call: Call): Resource {
  const { bucket, key, query } = call.target
  if (query.size === 0) return { bucket, key }
  return { bucket, key, versionId: query.get('versionId') ?? undefined }
}

/** Whether the caller may do this, by its own policies and that of the bucket: a denial in either counts, and an allowance in either. */
export function isAllowed(call: Call, action: string, resource: Resource = requestedResource(call)): boolean {
  return decide(call, action, resource, false)
}

/** As `isAllowed`, for what everybody may do to their own unless a policy denies it. */
export function isNotDenied(call: Call, action: string): boolean {
  return decide(call, action, {}, true)
}

/** @throws S3Error AccessDenied */
export function requireAllowed(call: Call, action: string, resource?: Resource): void {
  if (!isAllowed(call, action, resource)) throw new S3Error('AccessDenied', 'Access Denied.')
}

/**
 * For operations that decide about each of many objects: lets nobody in who has not signed and whom no object of the
 * bucket is open to.
 * @throws S3Error AccessDenied
 */
export function requirePossible(call: Call, action: string, bucket: string): void {
  // Whoever has signed is told for each entry, as S3 does.
  if (call.identity) return
  const bucketPolicy = call.store.bucketPolicies.get(bucket)
  if (can(ANONYMOUS, { action, bucket, bucketPolicy }).decision !== 'deny') return
  throw new S3Error('AccessDenied', 'Access Denied.')
}

function decide(call: Call, action: string, resource: Resource, denyOnly: boolean): boolean {
  const access = call.identity?.access ?? ANONYMOUS
  const bucketPolicy = resource.bucket ? call.store.bucketPolicies.get(resource.bucket) : undefined
  // Root without a policy of its own, where the bucket has none either: nothing could deny, so nothing is asked.
  if (access.owner && access.policies.length === 0 && !access.session && !bucketPolicy) return true
  const verdict = evaluate(access, {
    action,
    bucket: resource.bucket,
    object: resource.key,
    bucketPolicy,
    conditions: new RequestConditions(call, resource),
    denyOnly,
  })
  return verdict.decision === 'allow'
}

const ANONYMOUS: Access = { policies: [] }
