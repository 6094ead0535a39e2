import { beforeAll, expect, test } from 'vitest'
import { callFailure, TestCaller } from '../../support/console/caller.ts'
import { sharedConsole } from '../../support/console/shared-console.ts'
import { startConsole } from '../../support/console/start-console.ts'
import type { TestTarget } from '../../support/console/test-target.ts'
import { allowS3 } from '../../support/data/policies.ts'

let c: TestTarget
beforeAll(async () => {
  c = await sharedConsole()
})

const secretKey = 'a-secret-of-users'

async function newUser(more: { groups?: string[]; policies?: string[] } = {}): Promise<string> {
  const accessKey = c.freshName('user')
  await c.call('createUser', { body: { accessKey, secretKey, groups: [], policies: [], ...more } })
  return accessKey
}

test('a user is created enabled, with groups and policies, and signs in [USR-14] [USR-15] [USR-23]', async () => {
  const [accessKey, group] = [c.freshName('user'), c.freshName('group')]
  const body = { accessKey, secretKey, groups: [group], policies: ['readonly', 'writeonly'] }
  const response = await c.root.send('createUser', { body })
  expect(response.status).toBe(201)
  const user = { accessKey, memberOf: [group], policy: ['readonly', 'writeonly'], status: 'enabled' }
  expect(await response.json()).toEqual(user)
  const read = await c.call('getUser', { query: { name: accessKey } })
  expect({ ...read, policy: read.policy.toSorted() }).toEqual({ ...user, hasPolicy: true })
  await c.signIn(accessKey, secretKey)
})

test('the list has users with status, groups and policies, and never a secret key [USR-22]', async () => {
  const group = c.freshName('group')
  const accessKey = await newUser({ groups: [group], policies: ['readonly'] })
  const text = await (await c.root.send('listUsers', {})).text()
  const { users } = JSON.parse(text) as { users: { accessKey: string }[] }
  expect(users.find((user) => user.accessKey === accessKey)).toEqual({
    accessKey,
    status: 'enabled',
    memberOf: [group],
    policy: ['readonly'],
  })
  expect(text).not.toContain(secretKey)
})

test('a change is in the next list of every console, and a user without the right never gets the list', async () => {
  // Two consoles, each of which keeps its last list.
  await using other = await startConsole({ env: { STOWAGE_SERVER: c.serverUrl }, signIn: false })
  const atOther = new TestCaller(other.url)
  await atOther.signIn(c.rootUser, c.rootPassword)
  const lists = [c.root, atOther]
  const [name, group] = [c.freshName('user'), c.freshName('group')]
  const seen = async (change: () => Promise<unknown>) => {
    await change()
    const found = []
    for (const caller of lists) {
      const { users } = await caller.call('listUsers', {})
      const user = users.find(({ accessKey }) => accessKey === name)
      found.push(user && [user.status, user.memberOf, user.policy.toSorted()])
    }
    expect(found[1]).toEqual(found[0])
    return found[0]
  }
  const query = { name }
  expect(
    await seen(() => c.call('createUser', { body: { accessKey: name, secretKey, groups: [], policies: [] } })),
  ).toEqual(['enabled', [], []])
  const policies = { name: ['readonly'], entityType: 'user' as const, entityName: name }
  expect(await seen(() => c.call('setPolicies', { body: policies }))).toEqual(['enabled', [], ['readonly']])
  expect(await seen(() => c.call('createGroup', { body: { group, members: [name] } }))).toEqual([
    'enabled',
    [group],
    ['readonly'],
  ])
  // Past the consoles, as other tools do.
  expect(await seen(() => c.madmin.setUserStatus(name, 'disabled'))).toEqual(['disabled', [group], ['readonly']])
  const limited = await c.signInWith(allowS3(['s3:*']))
  expect((await limited.send('listUsers', {})).status).toBe(403)
  expect(await seen(() => c.call('deleteUser', { query }))).toBeUndefined()
  expect((await limited.send('listUsers', {})).status).toBe(403)
})

test('a long list arrives the same in every encoding', async () => {
  const names = await Promise.all(Array.from({ length: 20 }, () => newUser()))
  const read = async (encoding: string) => {
    const response = await c.root.send('listUsers', {}, { headers: { 'accept-encoding': encoding } })
    const { users } = (await response.json()) as { users: { accessKey: string }[] }
    const found = users.map(({ accessKey }) => accessKey).filter((name) => names.includes(name))
    return [found.toSorted(), response.headers.get('content-encoding'), response.headers.get('vary')]
  }
  const all = names.toSorted()
  for (let round = 0; round < 2; round++) {
    expect(await read('gzip, br')).toEqual([all, 'br', 'accept-encoding'])
    expect(await read('br;q=0, gzip;q=0.5')).toEqual([all, 'gzip', 'accept-encoding'])
    expect((await read('identity'))[0]).toEqual(all)
  }
})

test('one user is read by name; hasPolicy counts the policies of groups [USR-24]', async () => {
  const name = await newUser()
  expect(await c.call('getUser', { query: { name } })).toMatchObject({ accessKey: name, policy: [], hasPolicy: false })
  const group = c.freshName('group')
  await c.call('createGroup', { body: { group, members: [name] } })
  await c.call('setPolicies', { body: { name: ['readonly'], entityType: 'group', entityName: group } })
  expect(await c.call('getUser', { query: { name } })).toMatchObject({ memberOf: [group], policy: [], hasPolicy: true })
})

test('status, groups and policies of a user are set; without policies in the request they are kept [USR-25]', async () => {
  const [stays, goes, comes] = [c.freshName('g1'), c.freshName('g2'), c.freshName('g3')]
  const name = await newUser({ groups: [stays, goes], policies: ['readonly'] })
  const query = { name }
  const first = await c.call('updateUser', { query, body: { status: 'disabled', groups: [stays, comes] } })
  expect(first).toEqual({
    accessKey: name,
    status: 'disabled',
    memberOf: [stays, comes].toSorted(),
    policy: ['readonly'],
  })
  expect((await c.call('getGroup', { query: { name: goes } })).members).toEqual([])
  const second = await c.call('updateUser', { query, body: { status: 'enabled', groups: [], policies: ['writeonly'] } })
  expect(second).toEqual({ accessKey: name, status: 'enabled', memberOf: [], policy: ['writeonly'] })
})

test('a user that is disabled while signed in is signed out', async (t) => {
  if (!c.embedded) t.skip('a session of a disabled user goes on on MinIO, without any right')
  const caller = await c.signInWith(allowS3(['s3:*']))
  const { user = '' } = await caller.call('getSession', {})
  await c.call('updateUser', { query: { name: user }, body: { status: 'disabled', groups: [] } })
  expect((await caller.send('getSession', {})).status).toBe(401)
})

test('a user is deleted, by name with the same id in the body [USR-26]', async () => {
  const name = await newUser()
  const other = await newUser()
  expect((await callFailure(c.call('deleteUser', { query: { name }, body: { id: other } }))).body.field).toBe('id')
  expect((await c.root.send('deleteUser', { query: { name }, body: { id: name } })).status).toBe(204)
  expect((await callFailure(c.call('getUser', { query: { name } }))).status).toBe(404)
  expect((await c.root.send('getUser', { query: { name: other } })).status).toBe(200)
})

test('users cannot delete themselves', async () => {
  const caller = await c.signInWith({ Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: ['admin:*'] }] })
  const { user: name = '' } = await caller.call('getSession', {})
  const failure = await callFailure(caller.call('deleteUser', { query: { name } }))
  expect(failure).toMatchObject({ status: 403, body: { message: 'logged in user cannot be deleted by itself' } })
  expect((await c.madmin.getUser(name)).status).toBe('enabled')
})

test('a user that exists is not replaced', async () => {
  const accessKey = await newUser()
  const body = { accessKey, secretKey: 'another-secret', groups: [], policies: [] }
  const failure = await callFailure(c.call('createUser', { body }))
  expect(failure).toMatchObject({ status: 409, body: { message: 'access key already in use', field: 'accessKey' } })
  await c.signIn(accessKey, secretKey)
})

test('a user whose policy does not exist is not created', async () => {
  const accessKey = c.freshName('user')
  const body = { accessKey, secretKey, groups: [], policies: [c.freshName('nothing')] }
  expect((await callFailure(c.call('createUser', { body }))).body.cause).toBe('XMinioAdminNoSuchPolicy')
  await expect(c.madmin.getUser(accessKey)).rejects.toMatchObject({ code: 'XMinioAdminNoSuchUser' })
})

test.each([
  ['a short secret key', { secretKey: '1234567' }, 'secretKey', 'should be at least 8 chars long'],
  ['no secret key', { secretKey: '' }, 'secretKey', 'should be at least 1 chars long'],
  ['a blank access key', { accessKey: '  ' }, 'accessKey', 'should not be blank'],
  ['no groups', { groups: undefined }, 'groups', 'is required'],
])('a user with %s is refused [USR-16]', async (_, wrong, field, text) => {
  const body = { accessKey: c.freshName('user'), secretKey, groups: [], policies: [], ...wrong }
  const failure = await callFailure(c.call('createUser', { body: body as never }))
  expect(failure).toMatchObject({ status: 400, body: { field } })
  expect(failure.body.message).toContain(text)
})

test('a short secret key is refused with the text of the specification [USR-16]', async () => {
  const body = { accessKey: c.freshName('user'), secretKey: 'short', groups: [], policies: [] }
  const { body: refusalBody } = await callFailure(c.call('createUser', { body }))
  expect(refusalBody.reason).toEqual({ id: 'password-too-short' })
})

test.each(['a', 'with=sign', 'with,comma', ' edge'])('the access key %j is refused', async (accessKey) => {
  const failure = await callFailure(c.call('createUser', { body: { accessKey, secretKey, groups: [], policies: [] } }))
  expect(failure.status).toBe(400)
})

test("root's access key is refused", async () => {
  const body = { accessKey: c.rootUser, secretKey, groups: [], policies: [] }
  expect((await callFailure(c.call('createUser', { body }))).status).toBe(403)
})

test.each(['cn=ä b,ou=c/d'.replaceAll(/[=,]/g, '_'), 'a/b', 'ä ö 😀', 'a&b#c?d+e%2F', 'n'.repeat(104)])(
  'a user called %j is created, read and deleted [USR-05]',
  async (stem) => {
    const name = `${stem}-${c.freshName()}`
    await c.call('createUser', { body: { accessKey: name, secretKey, groups: [], policies: [] } })
    expect((await c.call('getUser', { query: { name } })).accessKey).toBe(name)
    expect(await c.call('listUserServiceAccounts', { params: { user: name } })).toEqual([])
    await c.call('deleteUser', { query: { name } })
  },
)

test('a new user with the name of a deleted one inherits nothing', async () => {
  const [accessKey, group] = [await newUser(), c.freshName('group')]
  await c.call('createGroup', { body: { group, members: [accessKey] } })
  await c.call('setPolicies', { body: { name: ['consoleAdmin'], entityType: 'user', entityName: accessKey } })
  const old = await c.signIn(accessKey, secretKey)
  expect((await old.send('listUsers', {})).status).toBe(200)
  await c.call('deleteUser', { query: { name: accessKey } })
  await c.call('createUser', { body: { accessKey, secretKey, groups: [], policies: [] } })
  expect(await c.call('getUser', { query: { name: accessKey } })).toMatchObject({ policy: [], memberOf: [] })
  // MinIO does not end sessions of a deleted user: they are the namesake's, who may do nothing.
  expect((await old.send('listUsers', {})).status).toBe(c.embedded ? 401 : 403)
  const namesake = await c.signIn(accessKey, secretKey)
  expect((await namesake.send('listUsers', {})).status).toBe(403)
})

test('users are added to groups, which are created if needed [USR-27]', async () => {
  const users = [await newUser(), await newUser()]
  const groups = [c.freshName('group'), c.freshName('group')]
  const response = await c.root.send('addUsersToGroups', { body: { users, groups } })
  expect(response.status).toBe(200)
  for (const name of groups) {
    expect((await c.call('getGroup', { query: { name } })).members.toSorted()).toEqual(users.toSorted())
  }
})

test('a group that cannot be changed does not stop the others, and the answer contains it', async () => {
  const users = [await newUser()]
  const good = c.freshName('group')
  const failure = await callFailure(c.call('addUsersToGroups', { body: { users, groups: [good, 'bad,=name '] } }))
  expect(failure.body.reason).toEqual({ id: 'groups-not-updated', params: { failed: 1, total: 2 } })
  expect(failure.body.detailedMessage).toContain('bad,=name')
  expect((await c.call('getGroup', { query: { name: good } })).members).toEqual(users)
})

test('the groups of a user are set with a separate call', async () => {
  const name = await newUser({ groups: [c.freshName('old')] })
  const groups = [c.freshName('new')]
  expect(await c.call('setUserGroups', { query: { name }, body: { groups } })).toMatchObject({ memberOf: groups })
})

test('a limited user reads its own record, and neither others nor the list', async () => {
  const other = await newUser()
  const caller = await c.signInWith(allowS3(['s3:*']))
  const { user = '' } = await caller.call('getSession', {})
  // MinIO does not treat a session as its user here.
  if (c.embedded) expect((await caller.call('getUser', { query: { name: user } })).accessKey).toBe(user)
  expect((await caller.send('getUser', { query: { name: other } })).status).toBe(403)
  expect((await caller.send('listUsers', {})).status).toBe(403)
})
