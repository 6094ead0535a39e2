import { beforeAll, expect, test } from 'vitest'
import { callFailure } from '../../support/console/caller.ts'
import { sharedConsole } from '../../support/console/shared-console.ts'
import type { TestTarget } from '../../support/console/test-target.ts'
import { allowS3 } from '../../support/data/policies.ts'

let c: TestTarget
beforeAll(async () => {
  c = await sharedConsole()
})

const readAll = {
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Action: 's3:GetObject', Resource: 'arn:aws:s3:::*' }],
}

/** Creates a policy and returns its name. */
async function newPolicy(document: object = readAll): Promise<string> {
  const name = c.freshName('policy')
  await c.call('createPolicy', { body: { name, policy: JSON.stringify(document) } })
  return name
}

test('a policy is created with Action and Resource as lists, found in the list and read by name [POL-06] [POL-07]', async () => {
  const name = c.freshName('policy')
  const response = await c.root.send('createPolicy', { body: { name, policy: JSON.stringify(readAll, null, 2) } })
  expect(response.status).toBe(201)
  const created = (await response.json()) as { policy: string }
  const document = {
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: ['s3:GetObject'], Resource: ['arn:aws:s3:::*'] }],
  }
  expect(JSON.parse(created.policy)).toEqual(document)
  const read = await c.call('getPolicy', { query: { name } })
  expect(read.name).toBe(name)
  expect(JSON.parse(read.policy)).toEqual(document)
})

test('the list has every policy by name, and a limit does not shorten it [POL-04] [POL-05]', async () => {
  const name = await newPolicy()
  const { policies, total } = await c.call('listPolicies', { query: { limit: '1' } })
  const names = policies.map((policy) => policy.name)
  expect(names).toEqual(expect.arrayContaining([name, 'readonly', 'consoleAdmin']))
  expect(names).toEqual(names.toSorted())
  expect(total).toBe(policies.length)
  expect(policies.every(({ policy }) => Array.isArray((JSON.parse(policy) as { Statement: unknown }).Statement))).toBe(
    true,
  )
})

test('a policy is replaced by one of the same name', async () => {
  const name = await newPolicy()
  await c.call('createPolicy', { body: { name, policy: JSON.stringify(allowS3(['s3:PutObject'])) } })
  expect((await c.call('getPolicy', { query: { name } })).policy).toContain('s3:PutObject')
})

test('a policy is deleted by name, even one with odd characters [POL-08]', async () => {
  const name = `${c.freshName('policy')} ä&+#/?`
  await c.call('createPolicy', { body: { name, policy: JSON.stringify(readAll) } })
  expect((await c.root.send('deletePolicy', { query: { name } })).status).toBe(204)
  const failure = await callFailure(c.call('getPolicy', { query: { name } }))
  expect(failure).toMatchObject({ status: 404, body: { cause: 'XMinioAdminNoSuchPolicy' } })
})

test('a policy that is attached is not deleted', async () => {
  const { accessKey } = await c.newUser(readAll)
  const [name = ''] = (await c.madmin.getUser(accessKey)).policies
  const failure = await callFailure(c.call('deletePolicy', { query: { name } }))
  expect(failure).toMatchObject({ status: 409, body: { cause: 'XMinioIAMPolicyInUse' } })
  expect((await c.call('getPolicy', { query: { name } })).name).toBe(name)
})

const statement = (more: object) =>
  JSON.stringify({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: ['s3:GetObject'], Resource: ['arn:aws:s3:::*'], ...more }],
  })
test.each([
  ['what is no JSON', 'nope', /not the start of a value/],
  ['an unknown effect', statement({ Effect: 'Maybe' }), /Maybe/],
  ['an unknown action', statement({ Action: ['s3:GetObjectt'] }), /s3:GetObjectt/],
  ['an action and its opposite', statement({ NotAction: ['s3:PutObject'] }), /NotAction/],
  ['a member that is given twice', '{"Version":"2012-10-17","Version":"2012-10-17","Statement":[]}', /Version/],
  ['no statement', '{"Version":"2012-10-17","Statement":[]}', /Statement/],
  ['21 KB', statement({ Sid: 'x'.repeat(21 * 1024) }), /allowed/],
])('a policy with %s is refused, and the detail has the cause', async (_, policy, detail) => {
  const name = c.freshName('policy')
  const failure = await callFailure(c.call('createPolicy', { body: { name, policy } }))
  expect(failure).toMatchObject({ status: 400, body: { field: 'policy' } })
  expect(failure.body.detailedMessage).toMatch(detail)
  expect((await c.root.send('getPolicy', { query: { name } })).status).toBe(404)
})

test('a policy of 20 KB and one with a byte order mark are accepted', async () => {
  const Resource = Array.from({ length: 320 }, (_, n) => `arn:aws:s3:::bucket-${String(n).padStart(40, '0')}`)
  const large = statement({ Resource })
  expect(large.length).toBeGreaterThan(19 * 1024)
  for (const policy of [large, `\uFEFF${statement({})}`]) {
    const name = c.freshName('policy')
    expect((await c.root.send('createPolicy', { body: { name, policy } })).status).toBe(201)
  }
})

test.each(['', '  '])('the name %j is refused', async (name) => {
  const failure = await callFailure(c.call('createPolicy', { body: { name, policy: JSON.stringify(readAll) } }))
  expect(failure).toMatchObject({ status: 400, body: { field: 'name' } })
})

test('users and groups of a policy are listed, even if it is one of several [POL-15] [POL-16]', async () => {
  const [policy, other] = [await newPolicy(), await newPolicy()]
  const { accessKey } = await c.newUser(readAll)
  const group = c.freshName('group')
  await c.call('createGroup', { body: { group, members: [accessKey] } })
  const both = [other, policy]
  await c.call('setPolicies', { body: { name: both, entityType: 'user', entityName: accessKey } })
  await c.call('setPolicies', { body: { name: both, entityType: 'group', entityName: group } })
  expect(await c.call('listPolicyUsers', { params: { policy } })).toEqual([accessKey])
  expect(await c.call('listPolicyGroups', { params: { policy } })).toEqual([group])
  expect(await c.call('listPolicyUsers', { params: { policy: await newPolicy() } })).toEqual([])
})

test('set-policy replaces the policies of a user, by the address and by the body [USR-28]', async () => {
  const { accessKey: entityName } = await c.newUser(readAll)
  const holder = { entityType: 'user', entityName } as const
  const policies = async () => (await c.call('getUser', { query: { name: entityName } })).policy
  const response = await c.root.send('setNamedPolicies', { params: { policies: 'readonly,writeonly' }, body: holder })
  expect(response.status).toBe(204)
  expect((await policies()).toSorted()).toEqual(['readonly', 'writeonly'])
  await c.call('setPolicies', { body: { name: ['diagnostics'], ...holder } })
  expect(await policies()).toEqual(['diagnostics'])
  await c.call('setPolicies', { body: { name: [], ...holder } })
  expect(await policies()).toEqual([])
})

test('set-policy reports that a disabled user must be enabled first', async () => {
  const { accessKey: entityName } = await c.newUser(readAll)
  await c.madmin.setUserStatus(entityName, 'disabled')
  const body = { name: ['readonly'], entityType: 'user' as const, entityName }
  const failure = await callFailure(c.call('setPolicies', { body }))
  expect(failure).toMatchObject({ status: 404, body: { reason: { id: 'user-not-found-or-disabled' } } })
})

test('an unknown policy is not attached', async () => {
  const { accessKey: entityName } = await c.newUser(readAll)
  const body = { name: ['readonly', c.freshName('nothing')], entityType: 'user' as const, entityName }
  const before = await c.madmin.getUser(entityName)
  expect((await callFailure(c.call('setPolicies', { body }))).body.cause).toBe('XMinioAdminNoSuchPolicy')
  expect((await c.madmin.getUser(entityName)).policies).toEqual(before.policies)
})
