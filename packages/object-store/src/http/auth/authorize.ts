import { type CallerAccess, type CompiledBucketPolicy, evaluate, evaluateCapability } from '@stowage/iam-policy'
import type { Engine } from '../../engine/interface/types.ts'
import { S3Error } from '../../lib/errors.ts'
import type { TagMap } from '../call/authentication-result.ts'
import type { StoreCall } from '../call/call.ts'
import type { S3Operation } from '../call/s3-operation.ts'
import { isForeignPage, isRebindingPossible } from './foreign-page.ts'
import { type ActionResource, RequestConditions, SOURCE_IP_KEY } from './request-conditions.ts'

/**
 * Checks after the authentication that the caller may do this operation on the resource of the URL or form, and may set the
 * tags in the request.
 * @throws S3Error AccessDenied, and what reading the tags throws
 */
export async function authorizeOperation(call: StoreCall, operation: S3Operation): Promise<void> {
  const { tags } = operation
  const action = typeof operation.action === 'function' ? operation.action(call) : operation.action
  if (tags?.in === 'head') call.requestTags = tags.read(call)
  else if (tags) {
    if (action !== undefined) requirePossibleAction(call, action, requestedResource(call))
    call.requestTags = await tags.read(call)
  }
  if (action !== undefined) requireAction(call, action)
  if (tags?.in === 'head' && hasTags(call.requestTags)) {
    requireAction(call, operation.tagging?.(call) ?? 's3:PutObjectTagging')
  }
}

/**
 * Checks the right to set tags that only the handler knows, such as those that a copy inherits from its source. They need the
 * same right as tags in the request.
 * @throws S3Error AccessDenied
 */
export function requireTaggingAction(call: StoreCall, action: string, tags: TagMap): void {
  if (!hasTags(tags)) return
  call.requestTags = tags
  requireAction(call, action)
  requireAction(call, 's3:PutObjectTagging')
}

function hasTags(tags: TagMap): boolean {
  for (const _ in tags) return true
  return false
}

/** Returns the bucket or object in the URL or form. */
export function requestedResource(call: StoreCall): ActionResource {
  const { bucket, key, query } = call
  if (query.size === 0) return { bucket, key }
  return { bucket, key, versionId: query.get('versionId') ?? undefined }
}

/** Whether the policies of the caller or the bucket allow an action, and neither denies it. */
export function isActionAllowed(
  call: StoreCall,
  action: string,
  resource: ActionResource = requestedResource(call),
): boolean {
  return decide(call, action, resource, false)
}

/** Like `isActionAllowed`, for actions on the caller's own entities that are allowed unless a policy denies them. */
export function isActionNotDenied(call: StoreCall, action: string, resource: ActionResource = {}): boolean {
  return decide(call, action, resource, true)
}

/** @throws S3Error AccessDenied */
export function requireAction(call: StoreCall, action: string, resource?: ActionResource): void {
  if (!isActionAllowed(call, action, resource)) throw new S3Error('AccessDenied', 'Access Denied.')
}

/** Refuses callers that cannot have the right for any body. For operations that must read the body to check the right. */
export function requirePossibleAction(call: StoreCall, action: string, { bucket, key }: ActionResource): void {
  const question = { action, bucket, ...(key ? { object: key } : {}), bucketPolicy: bucketPolicyFor(call, bucket) }
  if (evaluateCapability(callerAccess(call), question).decision !== 'deny') return
  throw new S3Error('AccessDenied', 'Access Denied.')
}

/** Whether no policy can restrict the caller here: root without a session policy, in a bucket without a policy. */
export function isUnrestricted(call: StoreCall, bucket: string | undefined): boolean {
  const access = callerAccess(call)
  return access.owner === true && access.policies.length === 0 && !access.sessions && !bucketPolicyFor(call, bucket)
}

function decide(call: StoreCall, action: string, resource: ActionResource, denyOnly: boolean): boolean {
  if (isUnrestricted(call, resource.bucket)) return true
  const access = callerAccess(call)
  const { bucket, key: object } = resource
  const bucketPolicy = bucketPolicyFor(call, bucket)
  const conditions = new RequestConditions(call, resource)
  const request = { action, bucket, object, bucketPolicy }
  if (evaluate(access, { ...request, conditions, denyOnly }).decision !== 'allow') return false
  // Without rights based on the address: a foreign page, opened inside a trusted network, would call from a trusted address.
  if (call.identity || !conditions.addressAsked || !(isForeignPage(call) || isRebindingPossible(call))) return true
  const known = { get: (key: string) => (key === SOURCE_IP_KEY ? undefined : conditions.get(key)) }
  return evaluateCapability(access, { ...request, known }).decision === 'allow'
}

const ANONYMOUS: CallerAccess = { policies: [] }

const callerAccess = (call: StoreCall): CallerAccess => call.identity?.access ?? ANONYMOUS

const bucketPolicyFor = (call: StoreCall, bucket: string | undefined): CompiledBucketPolicy | undefined =>
  bucket ? findBucketPolicy(call.engine, bucket) : undefined

/** Undefined for a bucket without a policy or a missing one: callers without rights must not be able to tell them apart. */
export function findBucketPolicy(engine: Engine, bucket: string): CompiledBucketPolicy | undefined {
  try {
    return engine.getBucketSetting(bucket, 'policy')?.value.compiled
  } catch (error) {
    if (error instanceof S3Error && error.code === 'NoSuchBucket') return undefined
    throw error
  }
}
