import { type ActionName, type Dialect, parseBucketPolicy, parsePolicy, S3_OPERATIONS } from '@stowage/iam-policy'
import fc from 'fast-check'
import { ADMIN_PROBES } from './admin-probes.ts'

/** The policies of one case, and what asks with them. `USER` and `BUCKET` in the texts stand for names of the run. */
export interface DecisionCase {
  subject: 'user' | 'access-key' | 'session' | 'anonymous' | 'root'
  user: PolicyText[]
  group: PolicyText | undefined
  /** The policy of the access key or session; undefined: none of its own. */
  own: PolicyText | undefined
  bucket: PolicyText | undefined
  /** Headers of all requests. */
  referer: string | undefined
}

type PolicyText = { Version: string; Statement: object[] }

const S3_ACTION_NAMES: readonly ActionName[] = [
  ...new Set(Object.values(S3_OPERATIONS).flatMap((row) => [row.action, ...('version' in row ? [row.version] : [])])),
  's3:HeadBucket',
]
const ADMIN_ACTION_NAMES: readonly ActionName[] = [
  ...new Set(Object.values(ADMIN_PROBES).flatMap((probe) => (typeof probe === 'string' ? [] : [probe.action]))),
]

const wildcard = fc.constantFrom(
  's3:*',
  's3:Get*',
  's3:*Object',
  's3:*Object*',
  's3:*Version*',
  's3:List*',
  's3:*Bucket*',
  's3:Put*',
  's3:?etObject',
  's3:Delete*',
)
const s3Actions: fc.Arbitrary<string[]> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.uniqueArray(fc.constantFrom<string[]>(...S3_ACTION_NAMES), { minLength: 1, maxLength: 6 }),
  },
  { weight: 3, arbitrary: fc.uniqueArray(wildcard, { minLength: 1, maxLength: 2 }) },
  { weight: 1, arbitrary: fc.constant<string[]>(['*']) },
)
/** A variable of policies, which is no placeholder of ours. */
const variable = (key: string) => `\${${key}}`
const arn = (text: string) => `arn:aws:s3:::${text}`
const resource = fc.constantFrom(
  ...[
    'BUCKET',
    'BUCKET/*',
    '*',
    'BUCKE?',
    'BUCKE?/*',
    'BUCKET/a/*',
    'BUCKET/a*',
    'BUCKET/dir/?',
    'BUCKET/a/x',
    'BUCKET/dir/y',
    'other',
    'other/*',
    'BUCKET*',
    `BUCKET/${variable('aws:username')}/*`,
    `BUCKET/${variable('aws:Referer')}/*`,
    `BUCKET/a${variable('*')}`,
    `BUCKET/${variable('?')}ir/y`,
    'BUCKET/*/x',
  ].map(arn),
)
const bothResources = fc.constantFrom([arn('BUCKET'), arn('BUCKET/*')], ['*'], [arn('*')])
const resources = fc.oneof(
  { weight: 2, arbitrary: bothResources },
  { weight: 3, arbitrary: fc.uniqueArray(resource, { minLength: 1, maxLength: 3 }) },
)
const texts = (...values: string[]) => fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 2 })
const textOperator = fc.constantFrom(
  'StringEquals',
  'StringNotEquals',
  'StringLike',
  'StringNotLike',
  'StringEqualsIgnoreCase',
  'ForAnyValue:StringEquals',
  'ForAllValues:StringLike',
)
const onText = (key: string, ...values: string[]) =>
  fc.tuple(textOperator, texts(...values)).map(([operator, list]) => ({ [operator]: { [key]: list } }))
const onOther = (operators: readonly string[], key: string, ...values: string[]) =>
  fc
    .tuple(fc.constantFrom(...operators), fc.constantFrom(...values))
    .map(([operator, value]) => ({ [operator]: { [key]: [value] } }))
const NUMERIC = ['NumericEquals', 'NumericNotEquals', 'NumericLessThan', 'NumericGreaterThanEquals']
const condition = fc.oneof(
  onText('aws:Referer', 'x', 'a', 'https://*', variable('*')),
  onText('aws:username', 'USER', 'nobody', 'U*'),
  onText('aws:UserAgent', 'probe', 'p*e'),
  onText('aws:groups', 'GROUP', 'none'),
  onText('s3:prefix', 'a/', 'dir/', '', 'a*', `${variable('aws:username')}/`),
  onText('s3:delimiter', '/'),
  onText('s3:ExistingObjectTag/env', 'prod', 'test'),
  onText('s3:RequestObjectTag/env', 'prod'),
  onText('s3:authType', 'REST-HEADER', 'POST'),
  onText('s3:signatureversion', 'AWS4-HMAC-SHA256'),
  onOther(['IpAddress', 'NotIpAddress'], 'aws:SourceIp', '127.0.0.0/8', '10.0.0.0/8'),
  onOther(['Bool'], 'aws:SecureTransport', 'true', 'false'),
  onOther(['Null'], 'aws:Referer', 'true', 'false'),
  onOther(['Null'], 's3:prefix', 'true', 'false'),
  onOther(['Null'], 's3:versionid', 'true', 'false'),
  onOther(NUMERIC, 's3:max-keys', '5', '10'),
  onOther(['DateLessThan', 'DateGreaterThan'], 'aws:CurrentTime', '2001-01-01T00:00:00Z', '2101-01-01T00:00:00Z'),
)
const maybeCondition = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  { weight: 2, arbitrary: condition.map((Condition) => ({ Condition })) },
)
const effect = fc.oneof({ weight: 3, arbitrary: fc.constant('Allow') }, { weight: 2, arbitrary: fc.constant('Deny') })
const actionPart = fc
  .tuple(fc.integer({ min: 0, max: 5 }), s3Actions)
  .map(([n, list]) => (n === 0 && list[0] !== '*' ? { NotAction: list } : { Action: list }))
const resourcePart = fc
  .tuple(fc.integer({ min: 0, max: 6 }), resources)
  .map(([n, list]) => (n === 0 ? { NotResource: list } : { Resource: list }))
const s3Statement = fc
  .tuple(effect, actionPart, resourcePart, maybeCondition)
  .map(([Effect, action, on, when]) => ({ Effect, ...action, ...on, ...when }))
const adminStatement = fc
  .tuple(
    effect,
    fc.oneof(
      { weight: 4, arbitrary: fc.uniqueArray(fc.constantFrom(...ADMIN_ACTION_NAMES), { minLength: 1, maxLength: 8 }) },
      { weight: 1, arbitrary: fc.constant(['admin:*']) },
    ),
    maybeCondition,
  )
  .map(([Effect, Action, when]) => ({ Effect, Action, ...when }))
const statement = fc.oneof({ weight: 4, arbitrary: s3Statement }, { weight: 1, arbitrary: adminStatement })
/** Most cases begin with a statement that allows much, because the others would only ever show denials. */
const broad = fc.constantFrom<object[]>(
  [],
  [{ Effect: 'Allow', Action: ['s3:*'], Resource: ['arn:aws:s3:::*'] }],
  [{ Effect: 'Allow', Action: ['s3:*'], Resource: [arn('BUCKET'), arn('BUCKET/*')] }],
  [{ Effect: 'Allow', Action: ['admin:*'] }],
)
const policy = fc
  .tuple(broad, fc.array(statement, { minLength: 1, maxLength: 3 }))
  .map(([first, more]): PolicyText => ({ Version: '2012-10-17', Statement: [...first, ...more] }))
const principal = fc.constantFrom('*', 'arn:aws:iam:::user/USER', 'arn:aws:iam:::user/nobody')
const bucketStatement = fc
  .tuple(
    effect,
    s3Actions,
    fc.constantFrom([arn('BUCKET'), arn('BUCKET/*')], [arn('BUCKET/a/*')]),
    maybeCondition,
    principal,
  )
  .map(([Effect, Action, Resource, when, AWS]) => ({ Effect, Action, Resource, ...when, Principal: { AWS: [AWS] } }))
const bucketPolicy = fc
  .array(bucketStatement, { minLength: 1, maxLength: 2 })
  .map((Statement): PolicyText => ({ Version: '2012-10-17', Statement }))
const rarely = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 1 })

export const decisionCase: fc.Arbitrary<DecisionCase> = fc.record({
  subject: fc.constantFrom<DecisionCase['subject']>('user', 'user', 'access-key', 'session', 'anonymous', 'root'),
  user: fc.array(policy, { minLength: 1, maxLength: 2 }),
  group: rarely(policy),
  own: rarely(policy),
  bucket: rarely(bucketPolicy),
  referer: fc.constantFrom(undefined, 'x', 'a'),
})

/** Replaces the names, and leaves out the statements that the server would refuse. */
export function acceptedPolicy(
  text: PolicyText | undefined,
  names: Readonly<Record<'USER' | 'GROUP' | 'BUCKET', string>>,
  dialect: Dialect,
  ofBucket?: string,
): PolicyText | undefined {
  if (!text) return undefined
  const statements = text.Statement.map((one) =>
    JSON.parse(
      JSON.stringify(one).replaceAll(/USER|GROUP|BUCKE(?=\?)|BUCKET/g, (name) =>
        name === 'BUCKE' ? names.BUCKET.slice(0, -1) : names[name as keyof typeof names],
      ),
    ),
  ).filter((one) => {
    // MinIO cannot report a policy with NotAction.
    if (dialect !== 'stowage' && 'NotAction' in one) return false
    const single = JSON.stringify({ ...text, Statement: [one] })
    return ofBucket === undefined
      ? parsePolicy(single, { dialect }).ok
      : parseBucketPolicy(single, ofBucket, { dialect }).ok
  })
  return statements.length === 0 ? undefined : { ...text, Statement: statements }
}
