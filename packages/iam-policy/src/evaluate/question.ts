import { actionInfo, familyOf } from '../actions/catalogue.ts'
import { type ConditionLookup, NO_VALUES } from '../condition/values.ts'
import { Targets } from '../match/target.ts'
import type { CompiledBucketPolicy, Question } from './compiled.ts'

/** A request whose every circumstance is known. */
export interface AccessRequest {
  /** With its family, without wildcards: `s3:GetObject`, `admin:ListUsers`. */
  action: string
  bucket?: string | undefined
  /** The key of the object. */
  object?: string | undefined
  /** The name of the key, for kms actions. */
  kmsKey?: string | undefined
  /** The policy of the bucket, if it has one. */
  bucketPolicy?: CompiledBucketPolicy | undefined
  /** A key that is not found here is absent from the request. */
  conditions?: ConditionLookup | undefined
  /** Ask for denials only: what a caller may do unless somebody forbids it, e.g. with its own service accounts. */
  denyOnly?: boolean | undefined
}

/** A question before there is a request: could the caller do this? */
export interface CapabilityQuestion {
  action: string
  /** Absent: in any bucket. */
  bucket?: string | undefined
  /** Absent: for any key. */
  object?: string | undefined
  /** Without an object: only keys of the bucket that begin with this. */
  prefix?: string | undefined
  /** The policy of `bucket`, if it has one and it is known. */
  bucketPolicy?: CompiledBucketPolicy | undefined
  /** What is known already, e.g. `aws:username`; a key that is not found here may get any value. */
  known?: ConditionLookup | undefined
}

export function questionOf(request: AccessRequest): Question {
  const { action } = request
  const family = familyOf(action)
  return {
    action,
    family,
    targets: new Targets({
      level: actionInfo(action)?.level,
      family,
      bucket: request.kmsKey ?? request.bucket,
      object: request.object,
      prefix: undefined,
      anyBucket: false,
    }),
    bucketPolicy: request.bucketPolicy,
    values: request.conditions ?? NO_VALUES,
    open: false,
  }
}

export function openQuestionOf(question: CapabilityQuestion): Question {
  const { action, bucket, object, prefix = '', bucketPolicy, known } = question
  const family = familyOf(action)
  return {
    action,
    family,
    targets: new Targets({
      level: actionInfo(action)?.level,
      family,
      bucket,
      object,
      prefix: object === undefined ? prefix : undefined,
      anyBucket: bucket === undefined,
    }),
    bucketPolicy,
    values: known ?? NO_VALUES,
    open: true,
  }
}
