import { expect, test } from 'vitest'
import { callerFromAccountInfo } from '../../../lib/permissions/caller-permissions.ts'
import { findReachableFolders } from './reachable-folders.ts'

const arn = (path: string) => `arn:aws:s3:::${path}`
const allow = (Action: string[], Resource: string[], Condition?: object) => ({
  Effect: 'Allow',
  Action,
  Resource: Resource.map(arn),
  ...(Condition ? { Condition } : {}),
})
const places = (...Statement: object[]) =>
  findReachableFolders(callerFromAccountInfo({ policy: { Version: '2012-10-17', Statement } }, 'stowage'), 'bob').map(
    ({ bucket, prefix, list }) => `${bucket}/${prefix}${list ? '' : ' (no list)'}`,
  )

const home = (prefix: string) => allow(['s3:ListBucket'], ['homes'], { StringLike: { 's3:prefix': [prefix] } })
// biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of a policy
const USERNAME = '${aws:username}'

test.each([
  ['nothing', [], []],
  ['everything names no place', [allow(['s3:*'], ['*'])], []],
  ['a whole bucket', [allow(['s3:*'], ['photos', 'photos/*'])], ['photos/']],
  ['a folder by condition', [home('bob/*')], ['homes/bob/']],
  ['a folder by the name of the user', [home(`${USERNAME}/*`)], ['homes/bob/']],
  ['a folder that is not listed', [allow(['s3:GetObject'], ['homes/eve/*'])], ['homes/eve/ (no list)']],
  ['a bucket that is not listed', [allow(['s3:PutObject'], ['drop/*'])], ['drop/ (no list)']],
  ['part of a name lies in its folder', [home('bob/in*'), home('bob/*')], ['homes/bob/']],
  ['a bucket as a whole stands for its folders', [home('bob/*'), allow(['s3:ListBucket'], ['homes'])], ['homes/']],
  ['patterns of buckets name none', [allow(['s3:ListBucket'], ['team-*'])], []],
  ['two folders', [home('bob/*'), home('shared/*')], ['homes/bob/', 'homes/shared/']],
  ['a name that is no bucket', [allow(['s3:ListBucket'], ['A/b', '..', '__proto__'])], []],
])('%s', (_, statements, expected) => {
  expect(places(...statements)).toEqual(expected)
})

test('a folder that another statement denies is left out', () => {
  const deny = { Effect: 'Deny', Action: ['s3:*'], Resource: [arn('homes'), arn('homes/*')] }
  expect(places(home('bob/*'), deny)).toEqual([])
})

test('only the first fifty folders in a policy are returned', () => {
  const resources = Array.from({ length: 400 }, (_, i) => `homes/u${i}/*`)
  expect(places(allow(['s3:GetObject'], resources))).toHaveLength(50)
})
