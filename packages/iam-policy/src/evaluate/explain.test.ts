import { expect, test } from 'vitest'
import { bucketPolicyFromJson, policyFromJson } from '../from-json.ts'
import { type Access, compileBucketPolicy, compilePolicy, conditionValues, explain, explainCan } from '../index.ts'

const policy = (name: string, ...Statement: unknown[]) => compilePolicy(policyFromJson({ Statement }), { name })
const team = policy(
  'team',
  { Effect: 'Allow', Action: 's3:PutObject', Resource: 'arn:aws:s3:::b/*' },
  { Effect: 'Allow', Action: 's3:GetObject', Resource: 'arn:aws:s3:::c/*' },
  {
    Sid: 'office',
    Effect: 'Allow',
    Action: 's3:GetObject',
    Resource: 'arn:aws:s3:::b/*',
    Condition: { IpAddress: { 'aws:SourceIp': '10.0.0.0/8' } },
  },
  {
    Effect: 'Allow',
    Action: 's3:GetObject',
    Resource: 'arn:aws:s3:::b/*',
    Condition: { ArnLike: { 'aws:username': 'x' } },
  },
)
const access: Access = { policies: [team] }

test('a denial by default says why each statement did not match', () => {
  const request = {
    action: 's3:GetObject',
    bucket: 'b',
    object: 'k',
    conditions: conditionValues({ 'aws:SourceIp': ['8.8.8.8'] }),
  }
  const { decision, reason, statements } = explain(access, request)
  expect([decision, reason]).toEqual(['deny', 'no-match'])
  expect(statements.map(({ matched, part, because }) => [matched, part, because])).toEqual([
    ['no', 'action', 'it does not speak of s3:GetObject'],
    ['no', 'resource', 'its resources do not match b/k'],
    ['no', 'condition', 'IpAddress on aws:SourceIp: "10.0.0.0/8" (the request has "8.8.8.8") does not hold'],
    ['no', 'condition', 'ArnLike on aws:username (unreadable: the operator ArnLike is unknown) does not hold'],
  ])
})

test('an allowance names its statement', () => {
  const request = {
    action: 's3:GetObject',
    bucket: 'b',
    object: 'k',
    conditions: conditionValues({ 'aws:SourceIp': ['10.1.1.1'] }),
  }
  const verdict = explain(access, request)
  expect(verdict.statement).toEqual({ policy: 'team', index: 2, sid: 'office', effect: 'Allow' })
  expect(verdict.statements[2]).toMatchObject({ matched: 'yes', session: false })
})

test('before there is a request it says what it depends on', () => {
  const { decision, dependsOn, statements } = explainCan(access, { action: 's3:GetObject' })
  expect([decision, dependsOn]).toEqual(['conditional', ['resource']])
  expect(statements.slice(1, 3).map(({ matched, because }) => [matched, because])).toEqual([
    ['depends', 'its resources match only a part of any bucket'],
    ['depends', 'it depends on aws:SourceIp'],
  ])
})

test('statements of a session come last and are marked', () => {
  const session = policy('session', { Effect: 'Allow', Action: 's3:PutObject', Resource: '*' })
  const { statements } = explain(
    { ...access, sessions: [session] },
    { action: 's3:PutObject', bucket: 'b', object: 'k' },
  )
  expect(statements.map((statement) => [statement.policy, statement.session])).toEqual([
    ...team.statements.map(() => ['team', false]),
    ['session', true],
  ])
})

test('the policy of a bucket is reported with whom it is about', () => {
  const document = bucketPolicyFromJson({
    Statement: [{ Effect: 'Allow', Principal: { AWS: 'bob' }, Action: 's3:*', Resource: 'arn:aws:s3:::b/*' }],
  })
  const bucketPolicy = compileBucketPolicy(document, { name: 'policy of b' })
  const request = { action: 's3:GetObject', bucket: 'b', object: 'k', bucketPolicy }
  const said = (principal?: string) => {
    const { decision, statements } = explain({ policies: [], principal }, request)
    return [decision, statements.map(({ policy, matched, part, because }) => [policy, matched, part, because])]
  }
  expect(said()).toEqual(['deny', [['policy of b', 'no', 'principal', 'it is not about anonymous callers']]])
  expect(said('eve')).toEqual(['deny', [['policy of b', 'no', 'principal', 'it is not about the user eve']]])
  expect(said('bob')).toEqual(['allow', [['policy of b', 'yes', undefined, 'action, resource and conditions fit']]])
})
