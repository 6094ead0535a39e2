import { expect, test } from 'vitest'
import { accessOf, publicPolicy } from './access.ts'

const all = JSON.parse(publicPolicy('b')) as { Statement: { Action: string[]; Resource: string[] }[] }
const policy = (...Statement: object[]) => JSON.stringify({ Version: '2012-10-17', Statement })
const everyone = { Effect: 'Allow', Principal: '*' }
const [ofBucket, ofObjects] = all.Statement

// How `mc anonymous set public` spells it: one statement per kind of right.
const split = [
  { ...everyone, Action: ['s3:GetBucketLocation'], Resource: 'arn:aws:s3:::b' },
  { ...everyone, Action: 's3:ListBucket', Resource: ['arn:aws:s3:::b'] },
  { ...everyone, Action: 's3:ListBucketMultipartUploads', Resource: ['arn:aws:s3:::b'] },
  { ...everyone, Action: ofObjects?.Action.toReversed(), Resource: ['arn:aws:s3:::b/*'] },
]

test.each([
  ['no text', '', 'PRIVATE'],
  ['no statement', policy(), 'PRIVATE'],
  ['our own', publicPolicy('b'), 'PUBLIC'],
  ['split and sorted otherwise', policy(...split), 'PUBLIC'],
  ['of another bucket', publicPolicy('other'), 'CUSTOM'],
  ['only reading', policy({ ...everyone, Action: ['s3:GetObject'], Resource: ['arn:aws:s3:::b/*'] }), 'CUSTOM'],
  [
    'with a further statement',
    policy(...split, { ...everyone, Action: ['s3:GetObjectTagging'], Resource: 'arn:aws:s3:::b/*' }),
    'CUSTOM',
  ],
  [
    'with a Deny',
    policy(...split, { ...everyone, Effect: 'Deny', Action: 's3:PutObject', Resource: 'arn:aws:s3:::b/x' }),
    'CUSTOM',
  ],
  [
    'with a condition',
    policy(...split.map((s) => ({ ...s, Condition: { StringEquals: { 's3:prefix': 'x' } } }))),
    'CUSTOM',
  ],
  ['for one user', policy({ ...ofBucket, Principal: { AWS: ['arn:aws:iam::1:user/x'] } }, { ...ofObjects }), 'CUSTOM'],
  ['all but these', policy({ ...everyone, NotAction: ['s3:GetObject'], Resource: 'arn:aws:s3:::b/*' }), 'CUSTOM'],
])('a policy with %s is %s', (_name, text, access) => expect(accessOf(text, 'b')).toBe(access))

test.each(['<html>', 'null-', '{"Statement":'])('a policy %j that is no JSON is a failure of the server', (text) =>
  expect(() => accessOf(text, 'b')).toThrow(expect.objectContaining({ status: 502 })),
)
