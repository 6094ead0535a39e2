import { expect, test } from 'vitest'
import {
  canNameInPolicy,
  linkAccount,
  linkKeyInPolicy,
  linkLimitsInPolicy,
  linkName,
  linkNameInPolicy,
  parseLinkAccount,
} from './link-policy.ts'

const end = new Date('2026-01-02T00:00:00Z')
const now = new Date('2026-01-01T00:00:00Z')
const base = { kind: 'download' as const, bucket: 'photos', key: 'italy/lake.jpg', end }

test('the account of a link may read one version of one key', () => {
  expect(linkAccount({ ...base, versionId: 'v1' }, now)).toEqual({
    name: linkName('download', 'photos', 'italy/lake.jpg'),
    description: 'Link to photos/italy/lake.jpg [version v1]',
    expiration: '2026-01-02T00:00:00Z',
    policy: {
      Version: '2012-10-17',
      Statement: [
        {
          Effect: 'Allow',
          Action: ['s3:GetObject', 's3:GetObjectVersion'],
          Resource: ['arn:aws:s3:::photos/italy/lake.jpg'],
          Condition: {
            DateLessThan: { 'aws:CurrentTime': '2026-01-02T00:00:00Z' },
            StringNotEquals: { 'aws:UserAgent': linkName('download', 'photos', 'italy/lake.jpg') },
            StringEquals: { 's3:versionid': 'v1' },
          },
        },
      ],
    },
  })
})

test('an account whose expiry is too soon for servers expires later; the signature expires on time', () => {
  const soon = new Date(now.getTime() + 60_000)
  const { expiration, policy } = linkAccount({ ...base, end: soon }, now)
  expect(expiration).toBe('2026-01-01T00:16:00Z')
  expect(linkLimitsInPolicy(policy).expires).toBe('2026-01-01T00:01:00Z')
})

test('names and descriptions fit the limits of servers, whatever the key', () => {
  for (const key of ['k'.repeat(1024), '😀'.repeat(256), '\u0001\n', 'ü'.repeat(500)]) {
    const { name = '', description = '' } = linkAccount({ ...base, key, versionId: 'v'.repeat(64) }, now)
    expect(name).toMatch(/^[a-z][a-z0-9-]{1,31}$/)
    expect(Buffer.byteLength(description)).toBeLessThanOrEqual(256)
    expect(description).not.toMatch(/\p{Cc}|\ufffd/u)
    expect(parseLinkAccount({ name, description }, 'photos').versionId).toBe('v'.repeat(64))
  }
})

test.each(['italy/lake.jpg', 'a [version x]', 'k'.repeat(1024), '😀'.repeat(256), '\u0001\n'])(
  'the key %j is found again, in the description or in the policy',
  (key) => {
    for (const kind of ['download', 'upload'] as const) {
      const account = linkAccount({ ...base, kind, key, versionId: kind === 'download' ? 'v1' : undefined }, now)
      const { name = '', description = '' } = account
      const { key: written } = parseLinkAccount({ name, description }, 'photos')
      expect(written ?? linkKeyInPolicy(account.policy, { name }, 'photos')).toBe(key)
      expect(parseLinkAccount({ name, description }, 'other').key).toBeUndefined()
      expect(linkKeyInPolicy(account.policy, { name }, 'other')).toBeUndefined()
    }
  },
)

test.each(['v1', undefined])('name, version %s and expiry of a link are found in its policy', (versionId) => {
  const { name, policy } = linkAccount({ ...base, versionId }, now)
  expect(linkNameInPolicy(policy)).toBe(name)
  expect(linkLimitsInPolicy(policy)).toEqual({ versionId, expires: '2026-01-02T00:00:00Z' })
  // MinIO returns values of conditions as lists.
  const Condition = { StringEquals: { 's3:versionid': ['v1'] } }
  expect(linkLimitsInPolicy({ Statement: [{ Condition }] }).versionId).toBe('v1')
})

test.each([
  undefined,
  null,
  {},
  { Statement: [] },
  { Statement: [{ Resource: 7, Condition: { StringNotEquals: { 'aws:UserAgent': 'mine' } } }] },
])('no link is found in the policy %j', (policy) => {
  expect(linkKeyInPolicy(policy, { name: linkName('download', 'photos', 'k') }, 'photos')).toBeUndefined()
  expect(linkNameInPolicy(policy)).toBeUndefined()
  expect(linkLimitsInPolicy(policy)).toEqual({})
})

test.each([
  ['a*b', false],
  ['a?b', false],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of policies
  ['a${aws:username}', false],
  ['a$b{c', true],
  ['italy/lake.jpg', true],
])('a policy can name only the key %j: %s', (key, named) => expect(canNameInPolicy('photos', key)).toBe(named))
