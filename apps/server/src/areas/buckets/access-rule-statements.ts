import type { RuleAccess } from '@stowage/contract/buckets/access-rules'
import { type ActionName, bucketPolicyFromJson, compileBucketPolicy, evaluate } from '@stowage/iam-policy'
import {
  BUCKET_ACTIONS,
  isForEveryone,
  OBJECT_ACTIONS,
  type PolicyStatement,
  policyStatements,
  stringList,
} from './bucket-access.ts'

/* Access rules: the statements of a bucket policy that let everyone read or write below a prefix, as `mc anonymous` writes them. */

const LOCATION = 's3:GetBucketLocation'
const LIST = 's3:ListBucket'
const LIST_UPLOADS = 's3:ListBucketMultipartUploads'
const READ = ['s3:GetObject']
const WRITE = OBJECT_ACTIONS.filter((action) => !READ.includes(action))

interface PrefixRule {
  /** Empty for the whole bucket. */
  prefix: string
  access: RuleAccess | 'none'
}

/**
 * Returns the access rules in a policy, by prefix. Statements with a condition are not access rules. @param policy as JSON, or
 * empty
 */
export function policyAccessRules(policy: string, bucket: string): PrefixRule[] {
  const open = policyStatements(policy).filter(isForEveryone)
  const prefixes = new Set(
    open.flatMap(({ Resource }) => stringList(Resource)).flatMap((arn) => resourcePrefixes(arn, bucket)),
  )
  return [...prefixes].sort().map((prefix) => ({ prefix, access: accessBelow(open, bucket, prefix) }))
}

/** Returns the prefix in a resource such as `arn:aws:s3:::photos/public/*`. */
function resourcePrefixes(arn: string, bucket: string): string[] {
  const start = `${bucketArn(bucket)}/`
  return arn.startsWith(start) ? [arn.slice(start.length).replace(/\*$/, '')] : []
}

const bucketArn = (bucket: string) => `arn:aws:s3:::${bucket}`

function accessBelow(open: readonly PolicyStatement[], bucket: string, prefix: string): PrefixRule['access'] {
  const below = open
    .map((statement) => ({
      ...statement,
      Resource: stringList(statement.Resource).filter((arn) => resourcePrefixes(arn, bucket).includes(prefix)),
    }))
    .filter(({ Resource }) => Resource.length > 0)
    // What the statements allow below the prefix, even if it contains wildcard characters.
    .map((statement) => ({ ...statement, Resource: [`${bucketArn(bucket)}/*`] }))
  const bucketPolicy = compileBucketPolicy(bucketPolicyFromJson({ Version: '2012-10-17', Statement: below }))
  const allows = (action: ActionName) =>
    evaluate({ policies: [] }, { action, bucket, object: 'x', bucketPolicy }).decision === 'allow'
  const reads = allows('s3:GetObject')
  const writes = allows('s3:PutObject') || allows('s3:DeleteObject')
  if (reads) return writes ? 'readwrite' : 'readonly'
  return writes ? 'writeonly' : 'none'
}

/** Returns the policy without the rule of a prefix; empty if nothing remains. Statements that belong to no rule stay. */
export function policyWithoutRule(policy: string, bucket: string, prefix: string): string {
  return withStatements(policy, withoutRule(policyStatements(policy), bucket, prefix))
}

/** Returns the policy with the rule of a prefix added or replaced. */
export function policyWithRule(policy: string, bucket: string, prefix: string, access: RuleAccess): string {
  const others = withoutRule(policyStatements(policy), bucket, prefix)
  const reads = access !== 'writeonly'
  const writes = access !== 'readonly'
  const has = (action: string) =>
    others.some(
      (statement) =>
        isForEveryone(statement) &&
        stringList(statement.Action).includes(action) &&
        stringList(statement.Resource).includes(bucketArn(bucket)),
    )
  const allow = (Action: string[], Resource: string, Condition?: object): PolicyStatement => ({
    Effect: 'Allow',
    Principal: { AWS: ['*'] },
    Action,
    Resource: [Resource],
    ...(Condition ? { Condition } : {}),
  })
  const ofBucket = [
    ...(has(LOCATION) ? [] : [LOCATION]),
    ...(writes && !has(LIST_UPLOADS) ? [LIST_UPLOADS] : []),
    ...(reads && prefix === '' ? [LIST] : []),
  ]
  const added = [
    ...(ofBucket.length > 0 ? [allow(ofBucket, bucketArn(bucket))] : []),
    ...(reads && prefix !== '' ? [allow([LIST], bucketArn(bucket), { StringEquals: { 's3:prefix': [prefix] } })] : []),
    allow([...(reads ? READ : []), ...(writes ? WRITE : [])], `${bucketArn(bucket)}/${prefix}*`),
  ]
  return withStatements(policy, [...others, ...added])
}

function withStatements(policy: string, statements: readonly PolicyStatement[]): string {
  if (statements.length === 0) return ''
  const document = policy.trim() === '' ? { Version: '2012-10-17' } : (JSON.parse(policy) as object)
  return JSON.stringify({ ...document, Statement: statements })
}

function withoutRule(statements: readonly PolicyStatement[], bucket: string, prefix: string): PolicyStatement[] {
  const closed = statements.flatMap((statement) =>
    isRuleStatement(statement) ? withoutPrefix(statement, bucket, prefix) : [statement],
  )
  const remaining = closed.filter(
    (statement) =>
      isRuleStatement(statement) &&
      stringList(statement.Resource).some((arn) => resourcePrefixes(arn, bucket).length > 0),
  )
  // Remove the statements shared by all rules together with the last rule that needs them.
  const unused = [
    ...(remaining.length === 0 ? [LOCATION] : []),
    ...(remaining.some(({ Action }) => stringList(Action).includes('s3:PutObject')) ? [] : [LIST_UPLOADS]),
  ]
  return closed.flatMap((statement) =>
    isRuleStatement(statement) && isForEveryone(statement)
      ? withoutBucketActions(statement, bucket, unused)
      : [statement],
  )
}

/** Whether a statement allows everyone only actions of rules; its only condition may be the one on the prefix. */
function isRuleStatement(statement: PolicyStatement): boolean {
  const { Condition, ...rest } = statement
  const actions = stringList(rest.Action)
  if (!isForEveryone(rest) || actions.length === 0) return false
  if (!actions.every((action) => BUCKET_ACTIONS.includes(action) || OBJECT_ACTIONS.includes(action))) return false
  return isForEveryone(statement) || (conditionPrefixes(Condition) !== undefined && actions.join() === LIST)
}

/** Returns the prefixes in the condition of a rule; undefined for any other condition. */
function conditionPrefixes(condition: unknown): string[] | undefined {
  const [operator, ...others] = Object.entries((condition ?? {}) as object)
  if (!operator || others.length > 0 || operator[0] !== 'StringEquals') return undefined
  const [key, ...otherKeys] = Object.entries((operator[1] ?? {}) as object)
  return key && otherKeys.length === 0 && key[0] === 's3:prefix' ? stringList(key[1]) : undefined
}

function withoutPrefix(statement: PolicyStatement, bucket: string, prefix: string): PolicyStatement[] {
  if (!isForEveryone(statement)) {
    const left = (conditionPrefixes(statement.Condition) ?? []).filter((one) => one !== prefix)
    return left.length > 0 ? [{ ...statement, Condition: { StringEquals: { 's3:prefix': left } } }] : []
  }
  const resource = `${bucketArn(bucket)}/${prefix}*`
  const left = { ...statement, Resource: stringList(statement.Resource).filter((arn) => arn !== resource) }
  return withoutBucketActions(left, bucket, prefix === '' ? [LIST] : [])
}

/** Returns the statement without these actions on the bucket itself, split if it also applies to objects. */
function withoutBucketActions(
  statement: PolicyStatement,
  bucket: string,
  removed: readonly string[],
): PolicyStatement[] {
  const resources = stringList(statement.Resource)
  const actions = stringList(statement.Action)
  const part = (Resource: string[], Action: string[]) =>
    Resource.length > 0 && Action.length > 0 ? [{ ...statement, Action, Resource }] : []
  const ofBucket = (arn: string) => arn === bucketArn(bucket)
  return [
    ...part(
      resources.filter(ofBucket),
      actions.filter((action) => BUCKET_ACTIONS.includes(action) && !removed.includes(action)),
    ),
    ...part(
      resources.filter((arn) => !ofBucket(arn)),
      actions.filter((action) => OBJECT_ACTIONS.includes(action)),
    ),
  ]
}
