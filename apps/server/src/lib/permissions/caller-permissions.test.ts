import type { Capability } from '@stowage/contract'
import { expect, test } from 'vitest'
import { callerFromAccountInfo, checkPermissions, detectPolicyDialect } from './caller-permissions.ts'

const callerWith = (...Statement: object[]) => makeCaller(['aws-policies'], ...Statement)
const makeCaller = (capabilities: Capability[], ...Statement: object[]) =>
  callerFromAccountInfo({ policy: { Version: '2012-10-17', Statement } }, detectPolicyDialect(capabilities))
const arn = (text: string) => [`arn:aws:s3:::${text}`]

test.each([
  ['in a bucket that a wildcard names', { action: 's3:GetObject', bucket_name: 'open-1' }, true, true],
  ['in another', { action: 's3:GetObject', bucket_name: 'closed' }, false, true],
  ['in any bucket', { action: 's3:GetObject' }, true, false],
  ['what is denied', { action: 's3:DeleteBucket', bucket_name: 'open-1' }, false, true],
  ['of the server', { action: 'admin:ServerInfo' }, false, true],
  ['somewhere in a bucket', { action: 's3:PutObject', bucket_name: 'home' }, true, false],
  ['in a folder that is open', { action: 's3:PutObject', bucket_name: 'home', prefix: 'bob/2026/' }, true, true],
  ['in a folder that is not', { action: 's3:PutObject', bucket_name: 'home', prefix: 'eve/' }, false, true],
  ['listing a folder that is open', { action: 's3:ListBucket', bucket_name: 'home', prefix: 'bob/' }, true, true],
  ['listing one that is not', { action: 's3:ListBucket', bucket_name: 'home', prefix: '' }, false, true],
])('has-permission: %s [SHL-38]', async (_name, question, can, sure) => {
  const caller = callerWith(
    { Effect: 'Allow', Action: ['s3:*'], Resource: arn('open-*') },
    { Effect: 'Deny', Action: ['s3:DeleteBucket'], Resource: arn('*') },
    { Effect: 'Allow', Action: ['s3:PutObject'], Resource: arn('home/bob/*') },
    {
      Effect: 'Allow',
      Action: ['s3:ListBucket'],
      Resource: arn('home'),
      Condition: { StringLike: { 's3:prefix': ['bob/*'] } },
    },
  )
  expect(await checkPermissions(caller, { actions: [{ id: '1', ...question }] })).toEqual([{ id: '1', can, sure }])
})

test.each<[string, Capability[], boolean, boolean]>([
  ['the embedded store', ['revoke-tokens', 'aws-policies'], false, false],
  ['MinIO 2025', ['revoke-tokens'], true, true],
  ['MinIO 2021', ['quota-fifo'], true, false],
])('has-permission has the verdicts of %s [SHL-38]', async (_name, capabilities, bucketAction, starIsAdmin) => {
  const caller = makeCaller(
    capabilities,
    { Effect: 'Allow', Action: ['s3:*'], Resource: arn('b/*') },
    { Effect: 'Allow', Action: ['*'], Resource: arn('c/*') },
  )
  const actions = [
    { id: 'policy', action: 's3:PutBucketPolicy', bucket_name: 'b' },
    { id: 'admin', action: 'admin:ServerInfo' },
  ]
  const answers = await checkPermissions(caller, { actions })
  expect(answers.map((answer) => answer.can)).toEqual([bucketAction, starIsAdmin])
})

test('an explained answer contains the result of each statement', async () => {
  const caller = callerWith(
    { Sid: 'Read', Effect: 'Allow', Action: ['s3:GetObject'], Resource: arn('b/*') },
    { Effect: 'Deny', NotAction: ['s3:GetObject'], Resource: arn('*') },
  )
  const actions = [{ id: '1', action: 's3:DeleteBucket', bucket_name: 'b' }]
  const [answer] = await checkPermissions(caller, { actions, explain: true })
  expect(answer?.why).toMatchObject({
    decision: 'deny',
    reason: 'statement',
    statements: [
      { index: 0, sid: 'Read', effect: 'Allow', matched: 'no', actions: ['s3:GetObject'], resources: arn('b/*') },
      { index: 1, effect: 'Deny', matched: 'yes', actions: ['not s3:GetObject'], resources: arn('*') },
    ],
  })
  const [none] = await checkPermissions(callerWith(), { actions, explain: true })
  expect(none?.why).toEqual({
    decision: 'deny',
    reason: 'no-match',
    statements: [],
  })
})

test('long lists with long policies do not block others, and stop when the caller disconnects', async () => {
  const Action = ['s3:GetObject', 's3:PutObject', 's3:DeleteObject']
  const statement = { Effect: 'Allow', Action, Resource: arn('*a*a*a*b') }
  const caller = callerWith(...Array.from({ length: 200 }, () => statement))
  const actions = Array.from({ length: 1000 }, (_, n) => ({
    id: `${n}`,
    action: 's3:GetObject',
    bucket_name: 'a'.repeat(255),
    prefix: 'a'.repeat(1000),
  }))
  const left = new AbortController()
  let turns = 0
  const others = setInterval(() => ++turns === 5 && left.abort(), 0)
  await expect(checkPermissions(caller, { actions }, left.signal)).rejects.toThrow(/aborted/)
  clearInterval(others)
  expect(turns).toBe(5)
})
