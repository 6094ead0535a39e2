import { type ActionName, actionFamily, actionInfo, type FamilyWildcard } from '../actions/catalogue.ts'
import { type ConditionLookup, NO_CONDITION_VALUES } from '../language/condition-values.ts'
import { ResourceTargets } from '../match/resource-target.ts'
import type { CompiledBucketPolicy, PolicyQuestion } from './compiled-policy.ts'

/** A request with all its values. */
export interface AccessRequest {
  action: ActionName
  bucket?: string | undefined
  /** Key of the object. */
  object?: string | undefined
  /** Name of the key, for kms actions. */
  kmsKey?: string | undefined
  /** Policy of the bucket, if any. */
  bucketPolicy?: CompiledBucketPolicy | undefined
  /** Condition values; a missing key is absent from the request. */
  conditions?: ConditionLookup | undefined
  /** Only checks denials: what a caller may do unless it is forbidden, e.g. with its own service accounts. */
  denyOnly?: boolean | undefined
}

/** A question before there is a request: could the caller do this? */
export interface CapabilityQuestion {
  /** A wildcard asks whether a statement covers the whole family. */
  action: ActionName | FamilyWildcard
  /** Absent: any bucket. */
  bucket?: string | undefined
  /** Absent: any key. */
  object?: string | undefined
  /** Without an object: only keys that start with this prefix. */
  prefix?: string | undefined
  /** The policy of `bucket`, if it has one and it is known. */
  bucketPolicy?: CompiledBucketPolicy | undefined
  /** Values that are already known, e.g. `aws:username`; a missing key may have any value. */
  known?: ConditionLookup | undefined
}

export function requestQuestion(request: AccessRequest): PolicyQuestion {
  const { action } = request
  const family = actionFamily(action)
  return {
    action,
    family,
    targets: new ResourceTargets({
      level: actionInfo(action)?.level,
      family,
      bucket: request.kmsKey ?? request.bucket,
      object: request.object,
      prefix: undefined,
      anyBucket: false,
    }),
    bucketPolicy: request.bucketPolicy,
    values: request.conditions ?? NO_CONDITION_VALUES,
    open: false,
  }
}

export function capabilityQuestion(question: CapabilityQuestion): PolicyQuestion {
  const { action, bucket, object, prefix = '', bucketPolicy, known } = question
  const family = actionFamily(action)
  return {
    action,
    family,
    targets: new ResourceTargets({
      level: actionInfo(action)?.level,
      family,
      bucket,
      object,
      prefix: object === undefined ? prefix : undefined,
      anyBucket: bucket === undefined,
    }),
    bucketPolicy,
    values: known ?? NO_CONDITION_VALUES,
    open: true,
  }
}
