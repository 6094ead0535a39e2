import { beforeAll, expect, test } from 'vitest'
import { callFailure, TestCaller } from '../../support/console/caller.ts'
import { sharedConsole } from '../../support/console/shared-console.ts'
import type { TestTarget } from '../../support/console/test-target.ts'
import { allowS3 } from '../../support/data/policies.ts'

let c: TestTarget
beforeAll(async () => {
  c = await sharedConsole()
})

test('a changed password renews the session and ends the others [SVC-20]', async () => {
  const { accessKey, secretKey } = await c.newUser(allowS3(['s3:*']))
  const [here, elsewhere] = [await c.signIn(accessKey, secretKey), await c.signIn(accessKey, secretKey)]
  const body = { current_secret_key: secretKey, new_secret_key: 'a-new-secret-key' }
  const response = await here.send('changePassword', { body })
  expect(response.status).toBe(201)
  expect(response.headers.getSetCookie().some((line) => line.startsWith('token='))).toBe(true)
  const { sessionId } = (await response.json()) as { sessionId: string }
  const renewed = new TestCaller(c.url, sessionId)
  expect((await renewed.call('getSession', {})).user).toBe(accessKey)
  expect((await here.send('getSession', {})).status).toBe(401)
  expect((await elsewhere.send('getSession', {})).status).toBe(401)
  expect((await callFailure(c.signIn(accessKey, secretKey))).status).toBe(401)
  await c.signIn(accessKey, 'a-new-secret-key')
})

test('a wrong current password changes nothing, keeps the session, and guesses are slowed down [SVC-20]', async () => {
  const { accessKey, secretKey } = await c.newUser(allowS3(['s3:*']))
  const caller = await c.signIn(accessKey, secretKey)
  const body = { current_secret_key: 'not-the-secret', new_secret_key: 'a-new-secret-key' }
  const failure = await callFailure(caller.call('changePassword', { body }))
  expect(failure).toMatchObject({
    status: 403,
    body: { message: 'error please check your current password', field: 'current_secret_key' },
  })
  expect((await caller.send('getSession', {})).status).toBe(200)
  const guesses = await Promise.all(
    Array.from({ length: 8 }, async () => (await caller.send('changePassword', { body })).status),
  )
  expect(guesses).toContain(429)
})

test('a short password is refused with the text of the specification [SVC-18]', async () => {
  const body = { current_secret_key: c.rootPassword, new_secret_key: '1234567' }
  const failure = await callFailure(c.call('changePassword', { body }))
  expect(failure.body).toMatchObject({ field: 'new_secret_key', reason: { id: 'password-too-short' } })
})

test("root's password cannot be changed, and the answer has the reason", async () => {
  const body = { current_secret_key: c.rootPassword, new_secret_key: 'a-new-secret-key' }
  const failure = await callFailure(c.call('changePassword', { body }))
  expect(failure).toMatchObject({ status: 403, body: { reason: { id: 'root-password' } } })
  await c.signIn(c.rootUser, c.rootPassword)
})

test('an administrator changes the password of a user, whose sessions end [USR-21]', async () => {
  const { accessKey, secretKey } = await c.newUser(allowS3(['s3:*']))
  const caller = await c.signIn(accessKey, secretKey)
  const response = await c.root.send('changeUserPassword', {
    body: { selectedUser: accessKey, newSecretKey: 'a-new-secret-key' },
  })
  expect(response.status).toBe(201)
  expect((await caller.send('getSession', {})).status).toBe(401)
  await c.signIn(accessKey, 'a-new-secret-key')
})

test('a disabled user stays disabled when its password changes', async () => {
  const { accessKey } = await c.newUser(allowS3(['s3:*']))
  await c.madmin.setUserStatus(accessKey, 'disabled')
  await c.call('changeUserPassword', { body: { selectedUser: accessKey, newSecretKey: 'a-new-secret-key' } })
  expect(await c.madmin.getUser(accessKey)).toMatchObject({ status: 'disabled', policies: [expect.any(String)] })
})

test('setting the password of a missing user does not create the user', async () => {
  const selectedUser = c.freshName('nobody')
  const body = { selectedUser, newSecretKey: 'a-new-secret-key' }
  expect((await callFailure(c.call('changeUserPassword', { body }))).status).toBe(404)
  await expect(c.madmin.getUser(selectedUser)).rejects.toMatchObject({ code: 'XMinioAdminNoSuchUser' })
})

test('sign out everywhere ends all sessions of the caller', async () => {
  const { accessKey, secretKey } = await c.newUser(allowS3(['s3:*']))
  const [here, elsewhere] = [await c.signIn(accessKey, secretKey), await c.signIn(accessKey, secretKey)]
  expect((await here.send('signOutEverywhere', {})).status).toBe(204)
  expect((await here.send('getSession', {})).status).toBe(401)
  expect((await elsewhere.send('getSession', {})).status).toBe(401)
})
