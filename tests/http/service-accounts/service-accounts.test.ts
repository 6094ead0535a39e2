import { ListBucketsCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { beforeAll, expect, test } from 'vitest'
import { callFailure, type TestCaller } from '../../support/console/caller.ts'
import { sharedConsole } from '../../support/console/shared-console.ts'
import type { TestTarget } from '../../support/console/test-target.ts'
import { allowS3 } from '../../support/data/policies.ts'

let c: TestTarget
let caller: TestCaller
let user: string
beforeAll(async () => {
  c = await sharedConsole()
  caller = await c.signInWith(allowS3(['s3:*']))
  user = (await caller.call('getSession', {})).user ?? ''
})

const s3With = ({ accessKey, secretKey }: { accessKey: string; secretKey: string }) =>
  new S3Client({
    endpoint: c.serverUrl,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId: accessKey, secretAccessKey: secretKey },
  })
/** MinIO's lists have a different order each time. */
const sortedLists = (json: string): unknown =>
  JSON.parse(json, (_, value: unknown) => (Array.isArray(value) ? (value as unknown[]).toSorted() : value))
const freshKeys = () => ({ accessKey: c.freshName('k').replace('-', '').slice(0, 13), secretKey: 'a-secret-of-mine' })

test('a service account of the caller works with generated keys, and is listed as text [SVC-03] [SVC-08] [SVC-11]', async () => {
  const response = await caller.send('createServiceAccount', { body: { policy: '' } })
  expect(response.status).toBe(201)
  const keys = (await response.json()) as { accessKey: string; secretKey: string }
  expect(Object.keys(keys).sort()).toEqual(['accessKey', 'secretKey'])
  await s3With(keys).send(new ListBucketsCommand({}))
  expect(await caller.call('listServiceAccounts', {})).toContain(keys.accessKey)
})

test('keys of a new service account may be chosen, but not twice [SVC-10] [SVC-12]', async () => {
  const keys = freshKeys()
  const body = { policy: '', ...keys }
  expect(await caller.call('createServiceAccountCredentials', { body })).toEqual(keys)
  await s3With(keys).send(new ListBucketsCommand({}))
  const failure = await callFailure(caller.call('createServiceAccountCredentials', { body }))
  expect(failure.status).toBe(409)
  const ownName = await callFailure(
    caller.call('createServiceAccountCredentials', { body: { ...body, accessKey: user } }),
  )
  expect([403, 409]).toContain(ownName.status)
})

test('a policy restricts a service account, and a wider one gives it no more than its user has [SVC-09]', async () => {
  const [open, closed] = [await c.newBucket(), await c.newBucket()]
  const limited = await c.signInWith(allowS3(['s3:ListBucket', 's3:PutObject'], [open]))
  const restricted = await limited.call('createServiceAccount', {
    body: { policy: JSON.stringify(allowS3(['s3:ListBucket'])) },
  })
  const s3 = s3With(restricted)
  await s3.send(new ListObjectsV2Command({ Bucket: open }))
  await expect(s3.send(new PutObjectCommand({ Bucket: open, Key: 'x', Body: 'x' }))).rejects.toMatchObject({
    name: 'AccessDenied',
  })
  await expect(s3.send(new ListObjectsV2Command({ Bucket: closed }))).rejects.toMatchObject({ name: 'AccessDenied' })
})

test('the details of a service account are changed without changing its policy [SVC-09]', async () => {
  const expiration = new Date(Date.now() + 3600_000).toISOString()
  const policy = JSON.stringify(allowS3(['s3:GetObject']))
  const body = { policy, name: 'nightly', description: 'Nightly backup', expiration }
  const { accessKey } = await caller.call('createServiceAccount', { body })
  const params = { accessKey }
  const shownAccount = {
    accessKey,
    user,
    name: 'nightly',
    description: 'Nightly backup',
    status: 'enabled',
    inherits: false,
  }
  const read = await caller.call('getServiceAccount', { params })
  expect(read).toMatchObject(shownAccount)
  expect(Math.abs(Date.parse(read.expiration ?? '') - Date.parse(expiration))).toBeLessThan(1000)
  expect(sortedLists(read.policy)).toEqual(sortedLists(policy))
  const change = { description: 'Hourly backup', status: 'disabled', expiration: null } as const
  expect((await c.root.send('updateServiceAccount', { params, body: change })).status).toBe(204)
  const after = await caller.call('getServiceAccount', { params })
  expect(after).toMatchObject({ name: 'nightly', description: 'Hourly backup', status: 'disabled', inherits: false })
  expect(sortedLists(after.policy)).toEqual(sortedLists(read.policy))
  expect(after).not.toHaveProperty('expiration')
})

test('a changed secret key takes effect immediately', async () => {
  const keys = await caller.call('createServiceAccount', { body: {} })
  const secretKey = 'another-secret-of-mine'
  await c.call('updateServiceAccount', { params: { accessKey: keys.accessKey }, body: { secretKey } })
  await expect(s3With(keys).send(new ListBucketsCommand({}))).rejects.toMatchObject({ name: 'SignatureDoesNotMatch' })
  await s3With({ ...keys, secretKey }).send(new ListBucketsCommand({}))
})

test('a service account is deleted, and a missing one is 404 [SVC-13]', async () => {
  const keys = await caller.call('createServiceAccount', { body: { policy: ' ' } })
  const params = { accessKey: keys.accessKey }
  expect((await caller.send('deleteServiceAccount', { params })).status).toBe(204)
  await expect(s3With(keys).send(new ListBucketsCommand({}))).rejects.toMatchObject({ name: 'InvalidAccessKeyId' })
  expect((await caller.send('deleteServiceAccount', { params })).status).toBe(404)
})

test('an administrator creates and lists service accounts of a user [SVC-14] [SVC-15] [SVC-16]', async () => {
  const params = { user }
  const made = await c.call('createUserServiceAccount', { params, body: { policy: '' } })
  const keys = freshKeys()
  const chosen = await c.call('createUserServiceAccountCredentials', { params, body: { policy: '', ...keys } })
  expect(chosen).toEqual(keys)
  const listed = await c.call('listUserServiceAccounts', { params })
  expect(listed).toEqual(expect.arrayContaining([made.accessKey, keys.accessKey]))
  expect(await caller.call('listServiceAccounts', {})).toEqual(listed)
})

test('users cannot see or change service accounts of others', async () => {
  const stranger = await c.signInWith(allowS3(['s3:*']))
  const { accessKey } = await caller.call('createServiceAccount', { body: {} })
  const params = { accessKey }
  expect((await stranger.send('getServiceAccount', { params })).status).toBe(403)
  expect((await stranger.send('updateServiceAccount', { params, body: { status: 'disabled' } })).status).toBe(403)
  expect((await stranger.send('deleteServiceAccount', { params })).status).toBe(404)
  expect((await stranger.send('createUserServiceAccount', { params: { user }, body: {} })).status).toBe(403)
  expect((await stranger.send('listAccessKeys', { query: { all: 'true' } })).status).toBe(403)
  expect(await caller.call('listServiceAccounts', {})).toContain(accessKey)
})

test('all access keys of all users are listed with their owner', async () => {
  const mine = await caller.call('createServiceAccount', { body: { name: 'listed' } })
  const own = await c.call('createServiceAccount', { body: {} })
  const { keys } = await c.call('listAccessKeys', { query: { all: 'true' } })
  expect(keys.find(({ accessKey }) => accessKey === mine.accessKey)).toMatchObject({ user })
  expect(keys.find(({ accessKey }) => accessKey === own.accessKey)).toMatchObject({ user: c.rootUser })
  const { keys: ofUser } = await c.call('listAccessKeys', { query: { user } })
  expect(ofUser.find(({ accessKey }) => accessKey === mine.accessKey)).toMatchObject({
    user,
    name: 'listed',
    status: 'enabled',
    inherits: true,
  })
})

test.each([
  ['a policy that is no JSON', { policy: 'nope' }, 'policy'],
  ['an expiry that is no time', { expiration: 'tomorrow' }, 'expiration'],
  ['a long name', { name: 'n'.repeat(33) }, 'name'],
])('%s is refused, naming the field', async (_, body, field) => {
  const failure = await callFailure(caller.call('createServiceAccount', { body }))
  expect(failure).toMatchObject({ status: 400, body: { field } })
})

test('the service account of a deleted user does not belong to its namesake', async () => {
  const { accessKey: name, secretKey } = await c.newUser(allowS3(['s3:*']))
  const keys = await c.call('createUserServiceAccount', { params: { user: name }, body: {} })
  await c.call('deleteUser', { query: { name } })
  await c.call('createUser', { body: { accessKey: name, secretKey, groups: [], policies: ['readwrite'] } })
  expect(await c.call('listUserServiceAccounts', { params: { user: name } })).toEqual([])
  await expect(s3With(keys).send(new ListBucketsCommand({}))).rejects.toMatchObject({ name: 'InvalidAccessKeyId' })
})

test('the list for all users has owner, creation and the day of the last use; the embedded store keeps them', async () => {
  const keys = await caller.call('createServiceAccount', { body: { policy: '' } })
  const find = async () => {
    const { keys: all } = await c.call('listAccessKeys', { query: { all: 'true' } })
    return all.find(({ accessKey }) => accessKey === keys.accessKey)
  }
  const fresh = await find()
  expect(fresh?.user).toBe(user)
  if (!c.embedded) {
    expect([fresh?.created, fresh?.last_used]).toEqual([undefined, undefined])
    return
  }
  expect(fresh?.last_used).toBe('')
  expect(Math.abs(Date.parse(fresh?.created ?? '') - Date.now())).toBeLessThan(60_000)
  // An invalid signature does not count as use of the key.
  await s3With({ ...keys, secretKey: 'not its secret key' })
    .send(new ListBucketsCommand({}))
    .catch(() => undefined)
  expect((await find())?.last_used).toBe('')
  const before = new Date().toISOString().slice(0, 10)
  await s3With(keys).send(new ListBucketsCommand({}))
  const used = (await find())?.last_used ?? ''
  expect(used >= before && used <= new Date().toISOString().slice(0, 10)).toBe(true)
})
