import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type HttpTestStore, ROOT_CREDENTIALS, startTestStore } from '../http/testing/test-store.ts'
import { MAX_SESSION_SECONDS } from '../lib/session-limits.ts'
import { Iam, type IamOptions } from './iam.ts'
import { IdentityFinder } from './identity-finder.ts'
import { createSession, type SessionCredentials, type SessionRequest } from './sessions.ts'
import { setUser, setUserStatus } from './users.ts'

const DAY = 24 * 3600_000

let store: HttpTestStore
let now = Date.UTC(2026, 0, 1)
beforeAll(async () => {
  store = await startTestStore()
})
afterAll(() => store[Symbol.asyncDispose]())
beforeEach(async () => {
  const documents = ['iam-sessions', 'iam-session-keys'].flatMap((collection) =>
    store.engine.listDocuments(collection).map(({ name }) => ({ collection, name, value: undefined })),
  )
  await store.engine.putDocuments(documents)
})

/** Starts IAM with the state in the engine, like a restart. */
const start = (options: Partial<IamOptions> = {}): Iam =>
  new Iam({ documents: store.engine, root: ROOT_CREDENTIALS, now: () => now, ...options })

const open = (iam: Iam, parent: string = ROOT_CREDENTIALS.accessKey, more: Partial<SessionRequest> = {}) =>
  createSession(iam, { parent, durationSeconds: 3600, ...more })

/** Returns the user of a session, or the error code. */
function findUser(iam: Iam, { accessKey, sessionToken }: SessionCredentials): string {
  try {
    return new IdentityFinder(iam).find(accessKey, sessionToken).user
  } catch (error) {
    return (error as { code: string }).code
  }
}

const tokenKeyId = ({ sessionToken }: SessionCredentials): string =>
  JSON.parse(Buffer.from(sessionToken.split('.')[0] ?? '', 'base64url').toString()).kid

async function addUser(iam: Iam, name: string, secretKey = `secret-of-${name}`): Promise<string> {
  await setUser(iam, name, secretKey, 'enabled')
  return name
}

describe('the key of session tokens', () => {
  test('is random: no password can be tested against a token', async () => {
    const { sessionToken } = await open(start())
    const [header, payload, signature] = sessionToken.split('.')
    for (const secret of [ROOT_CREDENTIALS.secretKey, ROOT_CREDENTIALS.accessKey, '']) {
      expect(signature).not.toBe(createHmac('sha512', secret).update(`${header}.${payload}`).digest('base64url'))
    }
    const keys = store.engine.listDocuments('iam-session-keys').map(({ value }) => JSON.parse(value).secret)
    expect(keys.map((secret) => Buffer.from(secret, 'base64').length)).toEqual([64])
  })

  test('is kept: sessions outlive a restart', async () => {
    const session = await open(start())
    expect(findUser(start(), session)).toBe(ROOT_CREDENTIALS.accessKey)
  })

  test('is replaced after a week, and the old one verifies until its last session has ended', async () => {
    const iam = start()
    const first = await open(iam)
    now += 7 * DAY - 1000
    const last = await open(iam, ROOT_CREDENTIALS.accessKey, { durationSeconds: MAX_SESSION_SECONDS })
    expect(tokenKeyId(last)).toBe(tokenKeyId(first))
    now += 1000
    const next = await open(iam, ROOT_CREDENTIALS.accessKey, { durationSeconds: MAX_SESSION_SECONDS })
    expect(tokenKeyId(next)).not.toBe(tokenKeyId(last))
    now += 6 * DAY
    expect([first, last, next].map((session) => findUser(iam, session))).toEqual([
      'InvalidAccessKeyId',
      ROOT_CREDENTIALS.accessKey,
      ROOT_CREDENTIALS.accessKey,
    ])
    now += DAY
    expect(findUser(iam, last)).toBe('ExpiredToken')
    now += 2 * DAY
    await open(iam)
    const kept = store.engine.listDocuments('iam-session-keys').map(({ name }) => name)
    expect(kept).toContain(tokenKeyId(next))
    expect(kept).not.toContain(tokenKeyId(last))
  })
})

describe('a session ends', () => {
  test('with the secret key of its user, and does not come back with it', async () => {
    const iam = start()
    const alice = await addUser(iam, 'alice')
    const [session, other] = [await open(iam, alice), await open(iam, await addUser(iam, 'bob'))]
    await addUser(iam, 'alice')
    expect(findUser(iam, session)).toBe('alice')
    await addUser(iam, 'alice', 'another-secret')
    expect(findUser(iam, session)).toBe('InvalidAccessKeyId')
    await addUser(iam, 'alice')
    expect([findUser(iam, session), findUser(start(), session)]).toEqual(['InvalidAccessKeyId', 'InvalidAccessKeyId'])
    expect(findUser(iam, other)).toBe('bob')
  })

  test("with root's secret key, which changes outside of the store", async () => {
    const iam = start()
    const [session, other] = [await open(iam), await open(iam, await addUser(iam, 'bob'))]
    const changed = start({ root: { ...ROOT_CREDENTIALS, secretKey: 'another-root-secret' } })
    expect([findUser(changed, session), findUser(changed, other)]).toEqual(['InvalidAccessKeyId', 'bob'])
  })

  test('while its user is disabled', async () => {
    const iam = start()
    const session = await open(iam, await addUser(iam, 'carol'))
    const identifier = new IdentityFinder(iam)
    expect(identifier.find(session.accessKey, session.sessionToken).user).toBe('carol')
    await setUserStatus(iam, 'carol', 'disabled')
    expect(() => identifier.find(session.accessKey, session.sessionToken)).toThrow('disabled')
    await setUserStatus(iam, 'carol', 'enabled')
    expect(identifier.find(session.accessKey, session.sessionToken).user).toBe('carol')
  })

  test('after seven days at most, whatever it asks for', async () => {
    const session = await open(start(), ROOT_CREDENTIALS.accessKey, { durationSeconds: 365 * 24 * 3600 })
    expect(session.expiresAt - now).toBe(7 * DAY)
  })

  test('that was opened by a version that signed with the secret key of root', async () => {
    const iam = start()
    const session = await open(iam)
    const { parentMac, keyId, ...old } = iam.sessions.get(session.accessKey) ?? expect.fail('no session')
    await iam.update(() => [iam.sessions.change(session.accessKey, old)])
    expect(findUser(iam, session)).toBe('InvalidAccessKeyId')
    await open(iam)
    expect(iam.sessions.size).toBe(1)
  })
})

describe('sessions are counted', () => {
  test('of one user: the one that ends first makes room', async () => {
    const iam = start({ sessionLimits: { perUser: 3, all: 100 } })
    const [alice, bob] = [await addUser(iam, 'alice'), await addUser(iam, 'bob')]
    const other = await open(iam, bob)
    const long = await open(iam, alice, { durationSeconds: 7200 })
    const [short, middle] = [await open(iam, alice, { durationSeconds: 900 }), await open(iam, alice)]
    const fourth = await open(iam, alice)
    expect([long, short, middle, fourth, other].map((session) => findUser(iam, session))).toEqual([
      'alice',
      'InvalidAccessKeyId',
      'alice',
      'alice',
      'bob',
    ])
    for (let i = 0; i < 10; i++) await open(iam, alice)
    expect(iam.sessions.size).toBe(4)
    expect(findUser(iam, other)).toBe('bob')
  })

  test('in total: the oldest session of the user with the most is removed, so that others can sign in', async () => {
    const iam = start({ sessionLimits: { perUser: 100, all: 5 } })
    const [greedy, alice] = [await addUser(iam, 'greedy'), await addUser(iam, 'alice')]
    const mine = await open(iam, alice, { durationSeconds: 900 })
    for (let i = 0; i < 10; i++) await open(iam, greedy)
    expect(iam.sessions.size).toBe(5)
    const second = await open(iam, alice)
    expect([mine, second].map((session) => findUser(iam, session))).toEqual(['alice', 'alice'])
    expect([...iam.sessions.entries()].filter(([, { parent }]) => parent === greedy)).toHaveLength(3)
  })

  test('a limit that was lowered is kept to as well', async () => {
    const before = start()
    for (let i = 0; i < 6; i++) await open(before)
    const iam = start({ sessionLimits: { perUser: 2, all: 100 } })
    const session = await open(iam)
    expect(iam.sessions.size).toBe(2)
    expect(findUser(iam, session)).toBe(ROOT_CREDENTIALS.accessKey)
  })
})

test('a sign-in does not change the known sessions of other users', async () => {
  const iam = start()
  const identifier = new IdentityFinder(iam)
  const known = identifier.find(await addUser(iam, 'alice'), undefined)
  const session = await open(iam, 'alice')
  expect(identifier.find('alice', undefined)).toBe(known)
  expect(identifier.find(session.accessKey, session.sessionToken).user).toBe('alice')
})
