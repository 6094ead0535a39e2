import { assumeRole } from '@stowage/madmin'
import { beforeAll, expect, test } from 'vitest'
import { callFailure } from '../../support/console/caller.ts'
import { sharedConsole } from '../../support/console/shared-console.ts'
import type { TestTarget } from '../../support/console/test-target.ts'
import { allowS3 } from '../../support/data/policies.ts'

let c: TestTarget
beforeAll(async () => {
  c = await sharedConsole()
})

const ask = (credentials: { accessKey: string; secretKey: string }, durationSeconds = 900) =>
  assumeRole({ endpoint: c.serverUrl, credentials }, { durationSeconds })

test('temporary keys sign in with their session token, as their user, until they expire', async () => {
  const user = await c.newUser(allowS3(['s3:ListAllMyBuckets']))
  const { credentials, expiration } = await ask(user)
  const { accessKey, secretKey, sessionToken } = credentials
  const caller = c.anonymous()
  const { sessionId } = await caller.call('login', { body: { accessKey, secretKey, sts: sessionToken } })
  caller.session = sessionId
  const session = await caller.call('getSession', {})
  expect(session.user).toBe(user.accessKey)
  expect(Math.abs(Date.parse(session.expires ?? '') - expiration.getTime())).toBeLessThan(2000)
  // The keys were not issued to this console, so signing out does not revoke them.
  await caller.call('logout', {})
  expect((await caller.send('getSession', {})).status).toBe(401)
  const again = await c.anonymous().call('login', { body: { accessKey, secretKey, sts: sessionToken } })
  expect(again.sessionId).not.toBe('')
})

test('temporary keys without their token, with another or with a wrong secret key do not', async () => {
  const user = await c.newUser(allowS3(['s3:ListAllMyBuckets']))
  const [one, two] = [(await ask(user)).credentials, (await ask(user)).credentials]
  const { accessKey, secretKey, sessionToken } = one
  const statuses = [
    { accessKey, secretKey },
    { accessKey, secretKey, sts: two.sessionToken },
    { accessKey, secretKey, sts: 'é' },
    { accessKey, secretKey: two.secretKey, sts: sessionToken },
    { ...user, sts: sessionToken },
  ].map(async (body) => (await callFailure(c.anonymous().call('login', { body }))).status)
  expect(await Promise.all(statuses)).toEqual([401, 401, 401, 401, 401])
  const both = { accessKey, secretKey, sts: sessionToken, directory: true }
  expect((await callFailure(c.anonymous().call('login', { body: both }))).status).toBe(400)
})

test('a console without a directory refuses directory users', async () => {
  const strategy = await c.anonymous().call('getLoginStrategy', {})
  expect(strategy.directory).toBeUndefined()
  const body = { accessKey: c.rootUser, secretKey: c.rootPassword, directory: true }
  expect((await callFailure(c.anonymous().call('login', { body }))).status).toBe(401)
})
