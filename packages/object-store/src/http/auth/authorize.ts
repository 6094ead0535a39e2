import {
  type ActionByVersion,
  type ActionName,
  type CallerAccess,
  type CompiledBucketPolicy,
  evaluate,
  evaluateCapability,
  S3_OPERATIONS,
  S3_REQUEST_PARTS,
  type S3ActionName,
  type S3OperationRights,
  type S3RequestPart,
} from '@stowage/iam-policy'
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
  const rights = operationRights(operation)
  const action =
    rights && (rights.checked ?? 'first') === 'first' ? versionedAction(rights, requestedResource(call)) : undefined
  if (tags?.in === 'head') call.requestTags = tags.read(call)
  else if (tags) {
    if (action !== undefined) requirePossibleAction(call, [action], requestedResource(call))
    call.requestTags = await tags.read(call)
  }
  if (action !== undefined) requireAction(call, action)
  if (rights?.also) requireAction(call, versionedAction(rights.also, requestedResource(call)))
  if (tags?.in === 'head' && hasTags(call.requestTags)) requirePart(call, operation.tagging?.(call) ?? 'tags')
}

function operationRights({ name }: S3Operation): S3OperationRights | undefined {
  // Names with a space are those of refused operations, which change and return nothing.
  return Object.hasOwn(S3_OPERATIONS, name) ? S3_OPERATIONS[name as keyof typeof S3_OPERATIONS] : undefined
}

/** Returns the action for a resource: for a named version that of the version, if it is another one. */
export function versionedAction({ action, version }: ActionByVersion, { versionId }: ActionResource): S3ActionName {
  return version !== undefined && versionId ? version : action
}

/**
 * Checks the right to something that a request has in addition, such as a lock.
 * @param resource default: the resource of the URL or form
 * @throws S3Error AccessDenied
 */
export function requirePart(
  call: StoreCall,
  part: S3RequestPart,
  resource: ActionResource = requestedResource(call),
): void {
  requireAction(call, versionedAction(S3_REQUEST_PARTS[part], resource), resource)
}

/**
 * Checks the right to set tags that only the handler knows, such as those that a copy inherits from its source. They need the
 * same right as tags in the request.
 * @throws S3Error AccessDenied
 */
export function requireTaggingAction(call: StoreCall, action: ActionName, tags: TagMap): void {
  if (!hasTags(tags)) return
  call.requestTags = tags
  requireAction(call, action)
  requirePart(call, 'tags')
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
  action: ActionName,
  resource: ActionResource = requestedResource(call),
): boolean {
  return decide(call, action, resource, false)
}

/** Like `isActionAllowed`, for actions on the caller's own entities that are allowed unless a policy denies them. */
export function isActionNotDenied(call: StoreCall, action: ActionName, resource: ActionResource = {}): boolean {
  return decide(call, action, resource, true)
}

/** @throws S3Error AccessDenied */
export function requireAction(call: StoreCall, action: ActionName, resource?: ActionResource): void {
  if (!isActionAllowed(call, action, resource)) throw new S3Error('AccessDenied', 'Access Denied.')
}

/**
 * Refuses callers that cannot have one of these rights for any body. For operations that must read the body to check the right.
 */
export function requirePossibleAction(
  call: StoreCall,
  actions: readonly ActionName[],
  { bucket, key }: ActionResource,
): void {
  const question = { bucket, ...(key ? { object: key } : {}), bucketPolicy: bucketPolicyFor(call, bucket) }
  const isPossible = (action: ActionName) =>
    evaluateCapability(callerAccess(call), { ...question, action }).decision !== 'deny'
  if (actions.some(isPossible)) return
  throw new S3Error('AccessDenied', 'Access Denied.')
}

/** Whether no policy can restrict the caller here: root without a session policy, in a bucket without a policy. */
export function isUnrestricted(call: StoreCall, bucket: string | undefined): boolean {
  const access = callerAccess(call)
  return access.owner === true && access.policies.length === 0 && !access.sessions && !bucketPolicyFor(call, bucket)
}

function decide(call: StoreCall, action: ActionName, resource: ActionResource, denyOnly: boolean): boolean {
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
