import { isAllowed } from '@stowage/iam-policy'
import { expect, test } from 'vitest'
import { addGroupMembers, removeGroupMembers, setGroupStatus } from './groups.ts'
import { Iam } from './iam.ts'
import { IdentityFinder } from './identity-finder.ts'
import { setPolicy } from './policies.ts'
import { setPolicies } from './policy-mappings.ts'
import { setUser } from './users.ts'

const ROOT = { accessKey: 'rootuser', secretKey: 'rootpassword' }

/** Starts IAM without an engine, which is not read again after the start. */
const start = () =>
  new Iam({ documents: { listDocuments: () => [], putDocuments: async () => undefined } as never, root: ROOT })

const readerPolicy = (bucket: string) =>
  JSON.stringify({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: ['s3:GetObject'], Resource: [`arn:aws:s3:::${bucket}/*`] }],
  })

async function withUsers(...names: string[]): Promise<Iam> {
  const iam = start()
  for (const name of names) {
    await setUser(iam, name, 'a long enough secret', 'enabled')
    await setPolicy(iam, `reader-${name}`, readerPolicy(name))
    await setPolicies(iam, { kind: 'user', name }, [`reader-${name}`])
  }
  return iam
}

test('a change of one policy is in force at once, and has no other policy compiled again', async () => {
  const iam = await withUsers('ann', 'bob')
  const identifier = new IdentityFinder(iam)
  const mayRead = (user: string, bucket: string) =>
    isAllowed(identifier.find(user, undefined).access, { action: 's3:GetObject', bucket, object: 'k' })
  const [before] = iam.userAccess('bob').policies
  expect([mayRead('ann', 'ann'), mayRead('bob', 'bob')]).toEqual([true, true])
  await setPolicy(iam, 'reader-ann', readerPolicy('other'))
  expect([mayRead('ann', 'ann'), mayRead('ann', 'other'), mayRead('bob', 'bob')]).toEqual([false, true, true])
  expect(iam.userAccess('bob').policies[0]).toBe(before)
})

test('a stored policy takes the place of a canned one at once', async () => {
  const iam = await withUsers('ann')
  await setPolicies(iam, { kind: 'user', name: 'ann' }, ['readwrite'])
  const mayWrite = () => isAllowed(iam.userAccess('ann'), { action: 's3:PutObject', bucket: 'b', object: 'k' })
  expect(mayWrite()).toBe(true)
  await setPolicy(iam, 'readwrite', readerPolicy('b'))
  expect(mayWrite()).toBe(false)
})

test('memberships follow the groups', async () => {
  const iam = await withUsers('ann', 'bob')
  expect(iam.userGroups('ann')).toEqual([])
  await addGroupMembers(iam, 'writers', ['ann', 'bob'])
  await addGroupMembers(iam, 'admins', ['ann'])
  expect([iam.userGroups('ann'), iam.userGroups('bob')]).toEqual([['admins', 'writers'], ['writers']])
  await removeGroupMembers(iam, 'writers', ['ann'])
  expect(iam.userGroups('ann')).toEqual(['admins'])
  await setGroupStatus(iam, 'admins', 'disabled')
  expect(iam.userAccess('ann').suspended).toBe(true)
})
