import { expect, test } from 'vitest'
import { bucketPolicyFromJson, policyFromJson } from '../documents/policy-from-json.ts'
import {
  type CallerAccess,
  compileBucketPolicy,
  compilePolicy,
  conditionValues,
  explainCapability,
  explainRequest,
} from '../index.ts'

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
const access: CallerAccess = { policies: [team] }

test('a denial by default says why each statement did not match', () => {
  const request = {
    action: 's3:GetObject',
    bucket: 'b',
    object: 'k',
    conditions: conditionValues({ 'aws:SourceIp': ['8.8.8.8'] }),
  } as const
  const { decision, reason, statements } = explainRequest(access, request)
  expect([decision, reason]).toEqual(['deny', 'no-match'])
  expect(statements.map(({ matched, part, because }) => [matched, part, because])).toEqual([
    ['no', 'action', { id: 'other-action', params: { action: 's3:GetObject' } }],
    ['no', 'resource', { id: 'other-resource', params: { resource: 'b/k' } }],
    [
      'no',
      'condition',
      { id: 'unmet-condition', params: { condition: 'IpAddress aws:SourceIp "10.0.0.0/8"', given: '"8.8.8.8"' } },
    ],
    [
      'no',
      'condition',
      {
        id: 'unreadable-condition',
        params: { condition: 'ArnLike aws:username', problem: 'the operator ArnLike is unknown' },
      },
    ],
  ])
})

test('an allowance names its statement', () => {
  const request = {
    action: 's3:GetObject',
    bucket: 'b',
    object: 'k',
    conditions: conditionValues({ 'aws:SourceIp': ['10.1.1.1'] }),
  } as const
  const verdict = explainRequest(access, request)
  expect(verdict.statement).toEqual({ policy: 'team', index: 2, sid: 'office', effect: 'Allow' })
  expect(verdict.statements[2]).toMatchObject({ matched: 'yes', session: false })
})

test('before there is a request it says what it depends on', () => {
  const { decision, dependsOn, statements } = explainCapability(access, { action: 's3:GetObject' })
  expect([decision, dependsOn]).toEqual(['conditional', ['resource']])
  expect(statements.slice(1, 3).map(({ matched, because }) => [matched, because])).toEqual([
    ['depends', { id: 'some-buckets' }],
    ['depends', { id: 'open-condition', params: { key: 'aws:SourceIp' } }],
  ])
})

test('statements of a session come last and are marked', () => {
  const session = policy('session', { Effect: 'Allow', Action: 's3:PutObject', Resource: '*' })
  const { statements } = explainRequest(
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
  const request = { action: 's3:GetObject', bucket: 'b', object: 'k', bucketPolicy } as const
  const said = (principal?: string) => {
    const { decision, statements } = explainRequest({ policies: [], principal }, request)
    return [decision, statements.map(({ policy, matched, part, because }) => [policy, matched, part, because])]
  }
  expect(said()).toEqual(['deny', [['policy of b', 'no', 'principal', { id: 'not-anonymous' }]]])
  expect(said('eve')).toEqual([
    'deny',
    [['policy of b', 'no', 'principal', { id: 'other-user', params: { principal: 'eve' } }]],
  ])
  expect(said('bob')).toEqual(['allow', [['policy of b', 'yes', undefined, { id: 'match' }]]])
})
