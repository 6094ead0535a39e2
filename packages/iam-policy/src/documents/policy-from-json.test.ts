import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bucketPolicyFromJson, formatPolicy, isEmptyPolicy, policyFromJson } from '../index.ts'

describe('policyFromJson accepts documents of servers', () => {
  test.each([
    ['the empty policy of a root of 2021', { Version: '', Statement: null }, { Version: '', Statement: [] }],
    ['null', null, { Version: '', Statement: [] }],
    ['a number', 5, { Version: '', Statement: [] }],
    ['text that is no JSON', 'oops', { Version: '', Statement: [] }],
    [
      'an admin statement without Resource',
      { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: ['admin:*'] }] },
      { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: ['admin:*'] }] },
    ],
    [
      'names in lower case, single texts, null members',
      {
        version: '2012-10-17',
        statement: [{ effect: 'Deny', action: 's3:*', resource: 'arn:aws:s3:::*', condition: null }],
      },
      { Version: '2012-10-17', Statement: [{ Effect: 'Deny', Action: ['s3:*'], Resource: ['arn:aws:s3:::*'] }] },
    ],
    [
      'JSON text',
      '{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":["s3:*"],"Resource":["*"]}]}',
      { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: ['s3:*'], Resource: ['*'] }] },
    ],
    [
      'single values of conditions',
      { Statement: [{ Effect: 'Allow', Action: 's3:*', Condition: { Bool: { 'aws:SecureTransport': true } } }] },
      {
        Version: '',
        Statement: [{ Effect: 'Allow', Action: ['s3:*'], Condition: { Bool: { 'aws:SecureTransport': [true] } } }],
      },
    ],
    [
      'an effect that nobody knows',
      { Statement: [{ Effect: 'Block', Action: 's3:*', Resource: '*' }] },
      { Version: '', Statement: [{ Effect: 'Deny', Action: ['s3:*'], Resource: ['*'] }] },
    ],
    ['a statement that is none', { Statement: [null] }, { Version: '', Statement: [{ Effect: 'Allow' }] }],
  ])('%s', (_, value, expected) => {
    expect(policyFromJson(value)).toEqual(expected)
  })

  test('it never throws, and does not change its input', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        const before = structuredCloneOrSame(value)
        expect(Array.isArray(policyFromJson(value).Statement)).toBe(true)
        expect(value).toEqual(before)
      }),
    )
  })
})

test('the principals of a bucket policy', () => {
  const principals = ['*', { AWS: '*' }, { aws: ['a', 'b'] }, {}, undefined, 'bob']
  const Statement = principals.map((Principal) => ({ Effect: 'Allow', Principal, Action: 's3:*', Resource: '*' }))
  expect(bucketPolicyFromJson({ Statement }).Statement.map((statement) => statement.Principal.AWS)).toEqual([
    ['*'],
    ['*'],
    ['a', 'b'],
    [],
    [],
    [],
  ])
})

test('isEmptyPolicy', () => {
  expect(isEmptyPolicy(policyFromJson({ Version: '', Statement: null }))).toBe(true)
  expect(isEmptyPolicy(policyFromJson({ Version: '2012-10-17', Statement: [] }))).toBe(false)
})

test('formatPolicy orders the members and leaves empty ones out', () => {
  const policy = bucketPolicyFromJson({
    Statement: [{ resource: 'arn:aws:s3:::b/*', action: 's3:GetObject', principal: '*', effect: 'Allow', sid: '' }],
    version: '2012-10-17',
    id: 'x',
  })
  expect(formatPolicy(policy, { indent: 0 })).toBe(
    '{"ID":"x","Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":{"AWS":["*"]},' +
      '"Action":["s3:GetObject"],"Resource":["arn:aws:s3:::b/*"]}]}',
  )
})

function structuredCloneOrSame(value: unknown): unknown {
  try {
    return structuredClone(value)
  } catch {
    return value
  }
}
