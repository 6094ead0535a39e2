import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type CallerAccess,
  cannedPolicies,
  compilePolicy,
  conditionValues,
  evaluate,
  evaluateCapability,
  isAllowed,
  matchesResource,
  type PolicyDocument,
  policyFromJson,
} from '../index.ts'

const USERNAME = `\${aws:username}`
const s3 = (text: string) => `arn:aws:s3:::${text}`
const document = (...Statement: unknown[]): PolicyDocument => policyFromJson({ Version: '2012-10-17', Statement })
const accessWith = (...Statement: unknown[]): CallerAccess => ({ policies: [compilePolicy(document(...Statement))] })

test('the document is neither changed nor read again', () => {
  const { readwrite } = cannedPolicies()
  const policy = compilePolicy(Object.freeze(readwrite))
  readwrite.Statement[0]?.Action?.splice(0)
  expect(isAllowed({ policies: [policy] }, { action: 's3:GetObject', bucket: 'b', object: 'k' })).toBe(true)
})

test('values of conditions are looked up only when a statement needs them', () => {
  const asked: string[] = []
  const conditions = {
    get(key: string) {
      asked.push(key)
      return ['prod']
    },
  }
  const access = accessWith(
    {
      Effect: 'Allow',
      Action: 's3:GetObject',
      Resource: s3('a/*'),
      Condition: { StringEquals: { 'aws:username': 'x' } },
    },
    {
      Effect: 'Allow',
      Action: 's3:GetObject',
      Resource: s3('b/*'),
      Condition: { StringEquals: { 's3:ExistingObjectTag/env': 'prod' } },
    },
  )
  expect(isAllowed(access, { action: 's3:GetObject', bucket: 'b', object: 'k', conditions })).toBe(true)
  expect(asked).toEqual(['s3:ExistingObjectTag/env'])
})

test('names made up by a client are not remembered', () => {
  const policy = compilePolicy(cannedPolicies().readwrite)
  const first = policy.statementsAbout('s3:GetObject')
  expect(policy.statementsAbout('s3:GetObject')).toBe(first)
  expect(policy.statementsAbout('s3:Made-up')).not.toBe(policy.statementsAbout('s3:Made-up'))
})

test('a pattern with values of one caller is not used for another', () => {
  const access = accessWith({ Effect: 'Allow', Action: 's3:GetObject', Resource: s3(`home/${USERNAME}/*`) })
  const ask = (name: string, object: string) =>
    evaluate(access, {
      action: 's3:GetObject',
      bucket: 'home',
      object,
      conditions: conditionValues({ 'aws:username': [name] }),
    }).decision
  expect([ask('bob', 'bob/x'), ask('eve', 'bob/x'), ask('eve', 'eve/x'), ask('bob', 'bob/x')]).toEqual([
    'allow',
    'deny',
    'allow',
    'allow',
  ])
})

test('`evaluate` confirms every certain answer of `can`', () => {
  const actions = fc.constantFrom('s3:GetObject', 's3:PutObject', 's3:ListBucket', 's3:ListBucketVersions', 's3:*')
  const resources = fc
    .constantFrom('*', 'b', 'b/*', 'b/in/*', 'c/*', 'b*', '*b', '*/*', `${USERNAME}/*`, 'b/*x')
    .map(s3)
  const conditions = fc.constantFrom(
    {},
    { StringEquals: { 'aws:username': 'b' } },
    { StringNotEquals: { 'aws:username': 'b' } },
    { Null: { 'aws:Referer': true } },
  )
  const statements = fc.array(
    fc.record({
      Effect: fc.constantFrom('Allow', 'Allow', 'Deny'),
      Action: actions,
      Resource: resources,
      Condition: conditions,
    }),
    { maxLength: 3 },
  )
  const requests = fc.record({
    action: fc.constantFrom('s3:GetObject', 's3:PutObject', 's3:ListBucket', 's3:ListBucketVersions'),
    bucket: fc.constantFrom('b', 'c', 'bb'),
    object: fc.constantFrom('k', 'in/x', 'x', '/x'),
    name: fc.constantFrom(undefined, 'b', 'eve'),
  })
  fc.assert(
    fc.property(statements, requests, (list, { action, bucket, object: key, name }) => {
      const access = accessWith(...list)
      const object = action.endsWith('Object') ? key : undefined
      const conditions = conditionValues(name ? { 'aws:username': [name] } : {})
      const actual = evaluate(access, { action, bucket, object, conditions }).decision
      for (const question of [{ action }, { action, bucket }, { action, bucket, object, known: conditions }]) {
        const { decision } = evaluateCapability(access, question)
        if (decision !== 'conditional') expect(actual).toBe(decision)
      }
    }),
    { numRuns: 5000 },
  )
})

test.each([
  ['b', ['b'], true],
  ['b', ['b/*'], false],
  ['b', ['b*'], true],
  ['b', ['*'], true],
  ['b/x', ['b/*'], true],
  ['c', ['a', 'b'], false],
])('matchesResource: %s in %j: %s', (text, resources, expected) => {
  const [statement] = document({ Effect: 'Allow', Action: 's3:*', Resource: resources.map(s3) }).Statement
  expect(statement && matchesResource(statement, text)).toBe(expected)
})

test('policies of many long patterns are evaluated quickly', () => {
  const hostile = (pattern: string) => ({
    Effect: 'Allow' as const,
    Action: ['s3:GetObject'],
    Resource: [s3('*')],
    Condition: { StringLike: { 'aws:UserAgent': [pattern] } },
  })
  const access = accessWith(...Array.from({ length: 35 }, () => hostile(`*${'a'.repeat(19_000)}b*`)))
  const conditions = conditionValues({ 'aws:UserAgent': ['a'.repeat(19_500)] })
  const startedAt = performance.now()
  expect(evaluate(access, { action: 's3:GetObject', bucket: 'b', object: 'k', conditions }).decision).toBe('deny')
  expect(performance.now() - startedAt).toBeLessThan(500)
})
