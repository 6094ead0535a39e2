import { type ActionFamily, actionInfo, familyOf } from '../actions/catalogue.ts'
import { type ConditionLookup, NO_VALUES } from '../condition/values.ts'
import { everythingIn, exactly, type Target } from '../match/target.ts'

/** A request whose every circumstance is known. */
export interface AccessRequest {
  /** With its family, without wildcards: `s3:GetObject`, `admin:ListUsers`. */
  action: string
  bucket?: string | undefined
  /** The key of the object. */
  object?: string | undefined
  /** The name of the key, for kms actions. */
  kmsKey?: string | undefined
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
  /** What is known already, e.g. `aws:username`; a key that is not found here may get any value. */
  known?: ConditionLookup | undefined
}

/** What statements are asked. */
export interface Question {
  readonly action: string
  readonly family: ActionFamily
  /** As IAM policies see it: `bucket/key`, `bucket/`, or `/` when the request is about no bucket. */
  readonly target: Target
  /** As bucket policies see it: `bucket/key` or `bucket`. */
  readonly bucketTarget: Target
  readonly values: ConditionLookup
  /** Keys without a value are unknown rather than absent. */
  readonly open: boolean
}

export function questionOf(request: AccessRequest): Question {
  const bucket = request.kmsKey ?? request.bucket ?? ''
  const object = request.object ?? ''
  const path = object === '' || object.startsWith('/') ? object : `/${object}`
  return {
    action: request.action,
    family: familyOf(request.action),
    target: exactly(bucket + (path === '' ? '/' : path)),
    bucketTarget: exactly(bucket + path),
    values: request.conditions ?? NO_VALUES,
    open: false,
  }
}

export function openQuestionOf({ action, bucket, object, prefix, known }: CapabilityQuestion): Question {
  const targets = bucket === undefined ? targetsOfAny(action) : targetsIn(bucket, object, action, prefix)
  return { action, family: familyOf(action), ...targets, values: known ?? NO_VALUES, open: true }
}

type Targets = Pick<Question, 'target' | 'bucketTarget'>

function targetsOfAny(action: string): Targets {
  const anywhere: Targets = { target: everythingIn(''), bucketTarget: everythingIn('') }
  const aboutNoBucket = familyOf(action) !== 's3' || actionInfo(action)?.level === 'account'
  return aboutNoBucket ? { target: exactly('/'), bucketTarget: exactly('') } : anywhere
}

function targetsIn(bucket: string, object: string | undefined, action: string, prefix = ''): Targets {
  if (object !== undefined) {
    const { target, bucketTarget } = questionOf({ action, bucket, object })
    return { target, bucketTarget }
  }
  if (actionInfo(action)?.level === 'object') {
    const keys = everythingIn(`${bucket}/${prefix}`)
    return { target: keys, bucketTarget: keys }
  }
  return { target: exactly(`${bucket}/`), bucketTarget: exactly(bucket) }
}
