import { expect, test } from 'vitest'
import { classifyPolicy, publicPolicy, readOnlyPolicy, summarizeAccess } from './bucket-access.ts'

const all = JSON.parse(publicPolicy('b')) as { Statement: { Action: string[]; Resource: string[] }[] }
const policy = (...Statement: object[]) => JSON.stringify({ Version: '2012-10-17', Statement })
const everyone = { Effect: 'Allow', Principal: '*' }
const [ofBucket, ofObjects] = all.Statement

// `mc anonymous set public` writes one statement per kind of right.
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
])('a policy with %s is %s', (_name, text, access) => expect(classifyPolicy(text, 'b')).toBe(access))

test.each(['<html>', 'null-', '{"Statement":'])('a policy %j that is not JSON is an error of the server', (text) =>
  expect(() => classifyPolicy(text, 'b')).toThrow(expect.objectContaining({ status: 502 })),
)

const reading = { ...everyone, Action: ['s3:GetObject'], Resource: ['arn:aws:s3:::b/*'] }

test.each([
  ['no text', '', 'PRIVATE', ''],
  ['everything', publicPolicy('b'), 'PUBLIC', 'list read write'],
  ['reading alone', readOnlyPolicy('b'), 'CUSTOM', 'list read'],
  ['objects below a prefix', policy({ ...reading, Resource: ['arn:aws:s3:::b/public/*'] }), 'CUSTOM', 'read partly'],
  ['writing alone', policy({ ...reading, Action: 's3:PutObject' }), 'CUSTOM', 'write'],
  ['deleting alone', policy({ ...reading, Action: 's3:DeleteObject' }), 'CUSTOM', 'write'],
  [
    'wildcards',
    policy({ ...reading, Action: 's3:*', Resource: ['arn:aws:s3:::b/*', 'arn:aws:s3:::b'] }),
    'CUSTOM',
    'list read write',
  ],
  [
    'reading from some addresses',
    policy({ ...reading, Condition: { IpAddress: { 'aws:SourceIp': '10.0.0.0/8' } } }),
    'CUSTOM',
    'read partly',
  ],
  [
    'listing, and objects below a prefix',
    policy(
      { ...everyone, Action: ['s3:ListBucket'], Resource: ['arn:aws:s3:::b'] },
      { ...reading, Resource: ['arn:aws:s3:::b/public/*'] },
    ),
    'CUSTOM',
    'list read',
  ],
  ['one user', policy({ ...reading, Principal: { AWS: ['arn:aws:iam::1:user/x'] } }), 'CUSTOM', ''],
  ['a Deny that covers it', policy(reading, { ...reading, Effect: 'Deny' }), 'CUSTOM', ''],
  ['another bucket', policy({ ...reading, Resource: ['arn:aws:s3:::other/*'] }), 'CUSTOM', ''],
])('a policy for everyone about %s is judged by what it allows', (_, text, access, rights) => {
  const judged = summarizeAccess(text, 'b')
  const given = Object.entries(judged.anonymous).filter(([, may]) => may)
  expect([judged.access, given.map(([right]) => right).join(' ')]).toEqual([access, rights])
})
