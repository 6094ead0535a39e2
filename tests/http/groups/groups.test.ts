import { beforeAll, expect, test } from 'vitest'
import { callFailure } from '../../support/console/caller.ts'
import { sharedConsole } from '../../support/console/shared-console.ts'
import type { TestTarget } from '../../support/console/test-target.ts'
import { allowS3 } from '../../support/data/policies.ts'

let c: TestTarget
beforeAll(async () => {
  c = await sharedConsole()
})

const newUser = async () => (await c.newUser(allowS3(['s3:*']))).accessKey

async function newGroup(members: string[] = []): Promise<string> {
  const group = c.freshName('group')
  await c.call('createGroup', { body: { group, members } })
  return group
}

test('a group is created enabled with its members, and listed [GRP-06] [GRP-08] [GRP-11]', async () => {
  const [group, member] = [c.freshName('group'), await newUser()]
  expect((await c.root.send('createGroup', { body: { group, members: [member] } })).status).toBe(201)
  const { groups, total } = await c.call('listGroups', {})
  expect(groups).toContain(group)
  expect(groups).toEqual(groups.toSorted())
  expect(total).toBe(groups.length)
  const read = await c.call('getGroup', { query: { name: group } })
  expect(read).toEqual({ name: group, members: [member], status: 'enabled', policy: '' })
})

test('one group is read with its policies, separated by commas [GRP-05] [GRP-09]', async () => {
  const name = await newGroup()
  const body = { name: ['readonly', 'writeonly'], entityType: 'group' as const, entityName: name }
  await c.call('setPolicies', { body })
  const { policy } = await c.call('getGroup', { query: { name } })
  expect(policy.split(',').toSorted()).toEqual(['readonly', 'writeonly'])
})

test('members and status of a group are set, and it is enabled again [GRP-06] [GRP-10]', async () => {
  const [stays, goes, comes] = [await newUser(), await newUser(), await newUser()]
  const name = await newGroup([stays, goes])
  const body = { group: name, members: [stays, comes], status: 'disabled' as const }
  const changed = await c.call('updateGroup', { query: { name }, body })
  expect(changed).toEqual({ name, members: [stays, comes].toSorted(), status: 'disabled', policy: '' })
  const enabled = await c.call('updateGroup', { query: { name }, body: { ...body, status: 'enabled' } })
  expect(enabled).toMatchObject({ members: [stays, comes].toSorted(), status: 'enabled' })
  expect(await c.call('getGroup', { query: { name } })).toMatchObject({ status: 'enabled' })
})

test('a body that names another group is refused [GRP-10]', async () => {
  const name = await newGroup()
  const body = { group: 'another', members: [], status: 'disabled' as const }
  expect((await callFailure(c.call('updateGroup', { query: { name }, body }))).body.field).toBe('group')
  expect((await c.call('getGroup', { query: { name } })).status).toBe('enabled')
})

test('adding a missing user changes nothing', async () => {
  const member = await newUser()
  const name = await newGroup([member])
  const body = { members: [c.freshName('nobody')], status: 'disabled' as const }
  expect((await callFailure(c.call('updateGroup', { query: { name }, body }))).status).toBe(404)
  expect(await c.call('getGroup', { query: { name } })).toMatchObject({ members: [member], status: 'enabled' })
})

test('an empty group is deleted [GRP-12]', async () => {
  const name = await newGroup()
  expect((await c.root.send('deleteGroup', { query: { name } })).status).toBe(204)
  expect((await callFailure(c.call('getGroup', { query: { name } }))).body.cause).toBe('XMinioAdminNoSuchGroup')
})

test('a group with members is deleted only on explicit request [GRP-12]', async () => {
  const member = await newUser()
  const name = await newGroup([member])
  const failure = await callFailure(c.call('deleteGroup', { query: { name } }))
  expect(failure).toMatchObject({ status: 409, body: { cause: 'XMinioAdminGroupNotEmpty' } })
  expect((await c.call('getGroup', { query: { name } })).members).toEqual([member])
  await c.call('deleteGroup', { query: { name, remove_members: 'true' } })
  expect((await c.call('listGroups', {})).groups).not.toContain(name)
  expect((await c.call('getUser', { query: { name: member } })).memberOf).toEqual([])
})

test('a disabled group removes all rights of its members', async () => {
  const bucket = await c.newBucket()
  const { accessKey, secretKey } = await c.newUser(allowS3(['s3:*']))
  const caller = await c.signIn(accessKey, secretKey)
  const name = await newGroup([accessKey])
  const params = { bucket }
  expect((await caller.send('getBucketVersioning', { params })).status).toBe(200)
  await c.call('updateGroup', { query: { name }, body: { members: [accessKey], status: 'disabled' } })
  expect((await caller.send('getBucketVersioning', { params })).status).toBe(403)
})

test.each(['a/b', 'ä ö 😀', 'a&b#c?d+e%2F', 'n'.repeat(102)])(
  'a group called %j is created, read, gets a policy and is deleted',
  async (stem) => {
    const name = `${stem}-${c.freshName('g')}`
    const member = await newUser()
    await c.call('createGroup', { body: { group: name, members: [member] } })
    await c.call('setPolicies', { body: { name: ['readonly'], entityType: 'group', entityName: name } })
    expect(await c.call('getGroup', { query: { name } })).toMatchObject({ name, members: [member], policy: 'readonly' })
    await c.call('deleteGroup', { query: { name, remove_members: 'true' } })
    expect((await callFailure(c.call('getGroup', { query: { name } }))).status).toBe(404)
  },
)

test.each(['', ' '])('the name %j is refused', async (group) => {
  expect((await callFailure(c.call('createGroup', { body: { group, members: [] } }))).body.field).toBe('group')
})
