import { ACTIONS, cannedPolicies, formatPolicy, type Statement } from '@stowage/iam-policy'
import { expect, test } from 'vitest'
import { actionDescriptions } from './action-descriptions.ts'
import {
  conditionLines,
  conditionText,
  readDocument,
  withCondition,
  withNewStatement,
  withoutCondition,
  withoutStatement,
  withStatement,
  writeDocument,
} from './policy-document.ts'

const statement: Statement = { Effect: 'Allow', Action: ['s3:GetObject'], Resource: ['arn:aws:s3:::b/*'] }

test.each(Object.entries(cannedPolicies()))('%s is unchanged after a round trip through the form', (_, policy) => {
  const text = formatPolicy(policy)
  const document = readDocument(text)
  expect(document && writeDocument(document)).toBe(text)
})

test.each(['{', '[]', '"text"', 'null', '{"Statement":'])('%s is incomplete and not parsed', (text) => {
  expect(readDocument(text)).toBeUndefined()
})

test('a blank text and one without statements are empty, and get the version with the first statement', () => {
  expect(readDocument(' ')?.Statement).toEqual([])
  const document = readDocument('{}')
  expect(document?.Statement).toEqual([])
  const text = document && writeDocument(withNewStatement(document))
  expect(JSON.parse(text ?? '')).toEqual({ Version: '2012-10-17', Statement: [{ Effect: 'Allow' }] })
})

test('statements are replaced and removed by index', () => {
  const document = { Version: '2012-10-17', Statement: [statement, { ...statement, Sid: 'B' }] }
  const changed = withStatement(document, 1, { ...statement, Effect: 'Deny' as const })
  expect(changed.Statement.map(({ Effect }) => Effect)).toEqual(['Allow', 'Deny'])
  expect(withoutStatement(document, 0).Statement).toEqual([{ ...statement, Sid: 'B' }])
})

test('values of one condition are combined, and removing the last one removes its operator', () => {
  const one = withCondition(statement, 'StringLike', 's3:prefix', 'a/*')
  const two = withCondition(one, 'StringLike', 's3:prefix', 'b/*')
  expect(conditionLines(two)).toEqual([{ operator: 'StringLike', key: 's3:prefix', values: ['a/*', 'b/*'] }])
  const three = withCondition(two, 'IpAddress', 'aws:SourceIp', '10.0.0.0/8')
  expect(conditionLines(withoutCondition(three, 'StringLike', 's3:prefix'))).toEqual([
    { operator: 'IpAddress', key: 'aws:SourceIp', values: ['10.0.0.0/8'] },
  ])
  expect(withoutCondition(one, 'StringLike', 's3:prefix')).toEqual(statement)
})

test('an empty value of a condition is visible', () => {
  const root = withCondition(withCondition(statement, 'StringLike', 's3:prefix', 'a/*'), 'StringLike', 's3:prefix', '')
  expect(conditionLines(root).map(conditionText)).toEqual(['StringLike s3:prefix = a/*, ""'])
})

test('every description is of an existing action, and every s3 action has one', () => {
  const described = Object.keys(actionDescriptions)
  expect(described.filter((action) => !ACTIONS.has(action))).toEqual([])
  const s3 = [...ACTIONS.keys()].filter((action) => action.startsWith('s3:'))
  expect(s3.filter((action) => !described.includes(action))).toEqual([])
})
