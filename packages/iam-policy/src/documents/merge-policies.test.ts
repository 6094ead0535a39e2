import { expect, test } from 'vitest'
import { cannedPolicies, mergePolicies, policyFromJson } from '../index.ts'

const one = policyFromJson({
  Version: '2012-10-17',
  Statement: [{ Sid: 'a', Effect: 'Allow', Action: ['s3:GetObject', 's3:PutObject'], Resource: '*' }],
})
const same = policyFromJson({
  Version: '2012-10-17',
  Statement: [
    { Sid: 'b', Effect: 'Allow', Action: ['s3:PutObject', 's3:GetObject'], Resource: '*' },
    { Effect: 'Deny', Action: ['s3:PutObject', 's3:GetObject'], Resource: '*' },
  ],
})

test('statements are kept once, in order', () => {
  const merged = mergePolicies([one, same, one])
  expect(merged.Version).toBe('2012-10-17')
  expect(merged.Statement).toEqual([one.Statement[0], same.Statement[1]])
})

test('nothing gives an empty policy', () => {
  expect(mergePolicies([])).toEqual({ Version: '', Statement: [] })
})

test('the policies passed in stay as they are', () => {
  const { readonly, writeonly } = cannedPolicies()
  const merged = mergePolicies([readonly, writeonly])
  merged.Statement[0]?.Action?.push('s3:DeleteObject')
  expect(readonly).toEqual(cannedPolicies().readonly)
})
