import { PutBucketPolicyCommand } from '@aws-sdk/client-s3'
import type { AccessExplanation, Input } from '@stowage/contract'
import { beforeAll, expect, test } from 'vitest'
import { callFailure } from '../../support/console/caller.ts'
import { sharedConsole } from '../../support/console/shared-console.ts'
import type { TestTarget } from '../../support/console/test-target.ts'
import { allowS3 } from '../../support/data/policies.ts'

let c: TestTarget
beforeAll(async () => {
  c = await sharedConsole()
})

type Body = Input<'explainAccess'>['body']
const ask = (body: Body) => c.call('explainAccess', { body })
const user = (name: string): Body['subject'] => ({ type: 'user', name })

/** Returns the policy that decides, and the Sid of its statement. */
function decidingPolicy({ decision, decidedBy, sources }: AccessExplanation): (string | undefined)[] {
  if (!decidedBy) return [decision]
  const source = sources[decidedBy.source]
  return [decision, source?.name, source?.statements[decidedBy.statement]?.sid]
}

async function newPolicy(...Statement: object[]): Promise<string> {
  const name = c.freshName('policy')
  await c.madmin.addPolicy(name, { Version: '2012-10-17', Statement })
  return name
}

test('a Deny of a group overrules an Allow of the user, and both are returned with their source', async () => {
  const [allow, deny] = await Promise.all([
    newPolicy({ Sid: 'CleanUp', Effect: 'Allow', Action: ['s3:DeleteObject'], Resource: ['arn:aws:s3:::builds/*'] }),
    newPolicy({
      Sid: 'Keep',
      Effect: 'Deny',
      Action: ['s3:DeleteObject'],
      Resource: ['arn:aws:s3:::builds/release/*'],
    }),
  ])
  const [name, group] = [c.freshName('user'), c.freshName('group')]
  await c.madmin.addUser(name, { secretKey: 'a long enough secret' })
  await c.madmin.addGroupMembers(group, [name])
  await c.madmin.setPolicyMapping({ user: name, policies: [allow] })
  await c.madmin.setPolicyMapping({ group, policies: [deny] })

  const action = 's3:DeleteObject'
  const denied = await ask({ subject: user(name), action, resource: 'arn:aws:s3:::builds/release/app.zst' })
  expect(decidingPolicy(denied)).toEqual(['deny', deny, 'Keep'])
  expect(denied.user).toBe(name)
  const explainedSources = denied.sources.map(({ name, direct, groups, statements }) => ({
    name,
    direct,
    groups,
    matched: statements.map(({ matched }) => matched),
  }))
  expect(explainedSources).toEqual([
    { name: allow, direct: true, groups: [], matched: ['yes'] },
    { name: deny, direct: false, groups: [group], matched: ['yes'] },
  ])
  expect(decidingPolicy(await ask({ subject: user(name), action, resource: 'builds/tmp/x' }))).toEqual([
    'allow',
    allow,
    'CleanUp',
  ])
  expect((await ask({ subject: user(name), action, resource: 'builds/*' })).decision).toBe('conditional')
  expect(await ask({ subject: user(name), action, resource: 'other/x' })).toMatchObject({
    decision: 'deny',
    reason: 'no-match',
  })
  expect(
    decidingPolicy(await ask({ subject: { type: 'group', name: group }, action, resource: 'builds/release/x' })),
  ).toEqual(['deny', deny, 'Keep'])
})

test('given conditions decide; missing ones are listed as open', async () => {
  const { accessKey } = await c.newUser({
    Version: '2012-10-17',
    Statement: [
      {
        Sid: 'Office',
        Effect: 'Allow',
        Action: ['s3:GetObject'],
        Resource: ['arn:aws:s3:::b/*'],
        Condition: { IpAddress: { 'aws:SourceIp': ['10.0.0.0/8'] } },
      },
    ],
  })
  const question = { subject: user(accessKey), action: 's3:GetObject', resource: 'b/k' }
  const open = await ask(question)
  expect(open.decision).toBe('conditional')
  expect(open.sources[0]?.statements[0]?.reason).toEqual({ id: 'open-condition', params: { key: 'aws:SourceIp' } })
  const from = (value: string) => ask({ ...question, conditions: [{ key: 'aws:SourceIp', value }] })
  expect((await from('10.1.2.3')).decision).toBe('allow')
  expect((await from('192.0.2.1')).decision).toBe('deny')
})

test('a listing of bob/ uses that prefix, and variables are replaced by the user', async () => {
  const { accessKey } = await c.newUser({
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Action: ['s3:ListBucket'],
        Resource: ['arn:aws:s3:::homes'],
        // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of a policy
        Condition: { StringLike: { 's3:prefix': ['${aws:username}/*'] } },
      },
    ],
  })
  const list = async (resource: string) =>
    (await ask({ subject: user(accessKey), action: 's3:ListBucket', resource })).decision
  expect(await list(`homes/${accessKey}/`)).toBe('allow')
  expect(await list('homes/eve/')).toBe('deny')
  expect(await list('homes')).toBe('conditional')
})

test('a bucket policy opens a bucket to anonymous callers, and is one of the checked policies', async () => {
  const bucket = await c.newBucket()
  const question = { subject: { type: 'anonymous' as const }, action: 's3:GetObject', resource: `${bucket}/k` }
  expect(await ask(question)).toMatchObject({ decision: 'deny', reason: 'no-policy', sources: [] })
  const Statement = [
    {
      Sid: 'Open',
      Effect: 'Allow',
      Principal: { AWS: ['*'] },
      Action: ['s3:GetObject'],
      Resource: [`arn:aws:s3:::${bucket}/*`],
    },
  ]
  await c.s3.send(
    new PutBucketPolicyCommand({ Bucket: bucket, Policy: JSON.stringify({ Version: '2012-10-17', Statement }) }),
  )
  const open = await ask(question)
  expect(decidingPolicy(open)).toEqual(['allow', bucket, 'Open'])
  expect(open.sources.map(({ kind }) => kind)).toEqual(['bucket'])
  const gone = await ask({ ...question, resource: `${c.freshName()}/k` })
  expect(gone).toMatchObject({ decision: 'deny', bucketPolicyUnread: 'no-bucket' })
})

test('an access key has what both its own policy and its parent allow; keys of root have no limit', async () => {
  const { accessKey: targetUser } = await c.newUser(allowS3(['s3:GetObject', 's3:PutObject']))
  const policy = allowS3(['s3:GetObject', 's3:DeleteObject'])
  const narrow = await c.madmin.addServiceAccount({ targetUser, policy })
  const wide = await c.madmin.addServiceAccount({ targetUser })
  const decide = async (name: string, action: string) => {
    const answer = await ask({ subject: { type: 'access-key', name }, action, resource: 'b/k' })
    return [answer.decision, answer.user]
  }
  expect(await decide(narrow.accessKey, 's3:GetObject')).toEqual(['allow', targetUser])
  expect(await decide(narrow.accessKey, 's3:PutObject')).toEqual(['deny', targetUser])
  expect(await decide(narrow.accessKey, 's3:DeleteObject')).toEqual(['deny', targetUser])
  expect(await decide(wide.accessKey, 's3:PutObject')).toEqual(['allow', targetUser])
  expect(await decide(targetUser, 's3:PutObject')).toEqual(['allow', targetUser])
  const ofRoot = await c.madmin.addServiceAccount({})
  expect(await decide(ofRoot.accessKey, 'admin:ServerInfo')).toEqual(['allow', c.rootUser])
  expect(await decide(c.rootUser, 's3:PutObject')).toEqual(['allow', c.rootUser])
})

test('a user who is disabled, or in a disabled group, may do nothing, with that reason', async () => {
  const { accessKey: name } = await c.newUser(allowS3(['s3:GetObject']))
  const group = c.freshName('group')
  await c.madmin.addGroupMembers(group, [name])
  const question = { subject: user(name), action: 's3:GetObject', resource: 'b/k' }
  await c.madmin.setGroupStatus(group, 'disabled')
  const suspended = (type: string, name: string) => ({
    decision: 'deny',
    reason: 'suspended',
    suspended: { type, name },
  })
  expect(await ask(question)).toMatchObject(suspended('group', group))
  await c.madmin.setUserStatus(name, 'disabled')
  expect(await ask(question)).toMatchObject(suspended('user', name))
})

test('a user without policies may do nothing', async () => {
  const name = c.freshName('user')
  await c.madmin.addUser(name, { secretKey: 'a long enough secret' })
  expect(await ask({ subject: user(name), action: 's3:GetObject' })).toMatchObject({
    decision: 'deny',
    reason: 'no-policy',
    sources: [],
  })
})

test('users may ask about themselves; asking about others needs the right to read them', async () => {
  const { accessKey, secretKey } = await c.newUser(allowS3(['s3:GetObject']))
  const bob = await c.signIn(accessKey, secretKey)
  const own = await bob.call('explainAccess', {
    body: { subject: user(accessKey), action: 's3:GetObject', resource: 'b/k' },
  })
  expect(own).toMatchObject({ decision: 'allow', user: accessKey })
  expect(own.sources.map(({ kind, name }) => [kind, name])).toEqual([['effective', accessKey]])
  const { accessKey: other } = await c.newUser(allowS3(['s3:PutObject']))
  for (const subject of [user(other), user(c.rootUser), { type: 'group', name: 'developers' }] as Body['subject'][]) {
    const failure = await callFailure(bob.call('explainAccess', { body: { subject, action: 's3:GetObject' } }))
    expect(failure.status).toBe(403)
  }
  const ofOther = await c.madmin.addServiceAccount({ targetUser: other })
  const failure = await callFailure(
    bob.call('explainAccess', {
      body: { subject: { type: 'access-key', name: ofOther.accessKey }, action: 's3:GetObject' },
    }),
  )
  expect(failure.status).toBe(403)
  const anonymous = await callFailure(
    c.anonymous().call('explainAccess', { body: { subject: { type: 'anonymous' }, action: 's3:GetObject' } }),
  )
  expect(anonymous.status).toBe(401)
})

test.each([
  ['an unknown user', { subject: { type: 'user', name: 'nobody-of-this-name' }, action: 's3:GetObject' }, 404],
  ['an unknown group', { subject: { type: 'group', name: 'nothing-of-this-name' }, action: 's3:GetObject' }, 404],
  ['an unknown key', { subject: { type: 'access-key', name: 'NOKEYOFTHISNAME' }, action: 's3:GetObject' }, 404],
  ['an unknown action', { subject: { type: 'anonymous' }, action: 's3:Frobnicate' }, 400],
  ['a name of the prototype', { subject: { type: 'anonymous' }, action: 'constructor' }, 400],
  ['a wildcard', { subject: { type: 'anonymous' }, action: 's3:*' }, 400],
  ['a long resource', { subject: { type: 'anonymous' }, action: 's3:GetObject', resource: 'x'.repeat(3000) }, 400],
  [
    'many conditions',
    { subject: { type: 'anonymous' }, action: 's3:GetObject', conditions: Array(60).fill({ key: 'a', value: 'b' }) },
    400,
  ],
] as [string, Body, number][])('%s is refused', async (_, body, status) => {
  expect((await callFailure(ask(body))).status).toBe(status)
})
