import type { SigningCredentials } from '@stowage/sigv4'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setSettingDocument } from '../../bucket-settings/testing.ts'
import type { ServiceAccountRecord } from '../../iam/iam-records.ts'
import { setPolicy } from '../../iam/policies.ts'
import { setPolicies } from '../../iam/policy-mappings.ts'
import { createSession } from '../../iam/sessions.ts'
import { setUser } from '../../iam/users.ts'
import { type HttpTestStore, ROOT_CREDENTIALS, startTestStore } from '../testing/test-store.ts'

let store: HttpTestStore
beforeAll(async () => {
  store = await startTestStore({ trustProxy: true })
  await store.engine.createBucket('asked')
  await store.send({ method: 'PUT', path: '/asked/key', body: 'x', headers: { 'x-amz-tagging': 'level=low' } })
})
afterAll(() => store[Symbol.asyncDispose]())

let count = 0
/** Creates a user with all rights to the bucket under a condition. */
async function userWhere(Condition: object): Promise<SigningCredentials> {
  const name = `asker${count++}`
  const { iam } = store.server
  const statement = { Effect: 'Allow', Action: ['s3:*'], Resource: ['arn:aws:s3:::*'], Condition }
  await setUser(iam, name, 'secret-of-user', 'enabled')
  await setPolicy(iam, name, JSON.stringify({ Version: '2012-10-17', Statement: [statement] }))
  await setPolicies(iam, { kind: 'user', name }, [name])
  return { accessKey: name, secretKey: 'secret-of-user' }
}

async function createAccount(parent: string, policy?: object | null): Promise<SigningCredentials> {
  const { iam } = store.server
  const accessKey = `service${count++}`
  const record: ServiceAccountRecord = { secretKey: 'secret-of-service', parent, status: 'on', updatedAt: 0 }
  if (policy !== undefined) record.policy = JSON.stringify(policy)
  await iam.update(() => [iam.serviceAccounts.change(accessKey, record)])
  return { accessKey, secretKey: 'secret-of-service' }
}

const openSession = (parent: string, policy?: object) =>
  createSession(store.server.iam, {
    parent,
    durationSeconds: 900,
    ...(policy === undefined ? {} : { policy: JSON.stringify(policy) }),
  })

async function status(credentials: SigningCredentials | 'anonymous', path = '/asked/key', more: object = {}) {
  return (await store.send({ credentials, path, ...more })).status
}

/** Returns a policy with a condition, for credentials derived from root, which has no policies itself. */
const policyWhere = (Condition: object) => ({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Action: ['s3:GetObject'], Resource: ['arn:aws:s3:::asked/*'], Condition }],
})

describe('the kind of principal', () => {
  const isA = (kind: string) => ({ StringEquals: { 'aws:principaltype': kind } })

  test.each([
    ['User', 200, 403],
    ['AssumedRole', 403, 200],
    ['Account', 403, 403],
  ])('%s: %i for a user, %i for its session and service account', async (kind, user, derived) => {
    const asker = await userWhere(isA(kind))
    expect(await status(asker)).toBe(user)
    expect(await status(await openSession(asker.accessKey))).toBe(derived)
    expect(await status(await createAccount(asker.accessKey))).toBe(derived)
  })

  test('what is derived from root is its account', async () => {
    for (const [kind, expected] of [
      ['Account', 200],
      ['AssumedRole', 403],
    ] as const) {
      expect(await status(await openSession(ROOT_CREDENTIALS.accessKey, policyWhere(isA(kind))))).toBe(expected)
      expect(await status(await createAccount(ROOT_CREDENTIALS.accessKey, policyWhere(isA(kind))))).toBe(expected)
    }
  })

  test('an unsigned caller is anonymous, and has no name', async () => {
    const set = (Condition: object) => {
      const Statement = [{ ...policyWhere(Condition).Statement[0], Principal: { AWS: ['*'] } }]
      const body = JSON.stringify({ Version: '2012-10-17', Statement })
      return store.send({ method: 'PUT', path: '/asked', query: 'policy=', body })
    }
    await set({ StringEquals: { 'aws:principaltype': 'Anonymous' }, Null: { 'aws:username': 'true' } })
    expect(await status('anonymous')).toBe(200)
    await set({ StringEquals: { 'aws:principaltype': 'User' } })
    expect(await status('anonymous')).toBe(403)
    await setSettingDocument(store.engine, 'asked', 'policy', undefined)
  })
})

describe('the name', () => {
  test.each(['aws:username', 'aws:userid'])('%s is that of the user, also for what is derived from it', async (key) => {
    const asker = await userWhere({ StringLike: { [key]: 'asker*' } })
    const other = await userWhere({ StringNotLike: { [key]: 'asker*' } })
    for (const [{ accessKey }, expected] of [
      [asker, 200],
      [other, 403],
    ] as const) {
      expect(await status(await openSession(accessKey))).toBe(expected)
      expect(await status(await createAccount(accessKey))).toBe(expected)
    }
  })

  test("of root's service account it is root's", async () => {
    const named = policyWhere({ StringEquals: { 'aws:username': ROOT_CREDENTIALS.accessKey } })
    expect(await status(await createAccount(ROOT_CREDENTIALS.accessKey, named))).toBe(200)
  })
})

test('a service account without a policy of its own has the rights of its parent; with one, less', async () => {
  const asker = await userWhere({ Null: { 'aws:username': 'false' } })
  for (const policy of [undefined, null, {}]) {
    expect(await status(await createAccount(asker.accessKey, policy))).toBe(200)
    expect(await status(await createAccount(ROOT_CREDENTIALS.accessKey, policy))).toBe(200)
  }
  const nothing = { Version: '2012-10-17', Statement: [] }
  expect(await status(await createAccount(asker.accessKey, nothing))).toBe(403)
  expect(await status(await createAccount(ROOT_CREDENTIALS.accessKey, nothing))).toBe(403)
})

describe('where a bucket is made', () => {
  const make = (credentials: SigningCredentials, bucket: string, more: object = {}) =>
    status(credentials, `/${bucket}`, { method: 'PUT', ...more })
  const body = (location: string) =>
    `<CreateBucketConfiguration><LocationConstraint>${location}</LocationConstraint></CreateBucketConfiguration>`

  test('is the region of the store, whether the body says so or not, and no header changes it', async () => {
    const here = await userWhere({ StringEquals: { 's3:LocationConstraint': 'us-east-1' } })
    const there = await userWhere({ StringEquals: { 's3:LocationConstraint': 'eu-west-1' } })
    expect(await make(here, 'made-1')).toBe(200)
    expect(await make(here, 'made-2', { body: body('us-east-1') })).toBe(200)
    expect(await make(here, 'made-3', { body: body('eu-west-1') })).toBe(400)
    expect(await make(there, 'made-4', { headers: { 'x-amz-locationconstraint': 'eu-west-1' } })).toBe(403)
  })

  test('is absent from other requests', async () => {
    const elsewhere = await userWhere({ Null: { 's3:LocationConstraint': 'true' } })
    expect(await status(elsewhere)).toBe(200)
    expect(await make(elsewhere, 'made-5')).toBe(403)
  })
})

describe('the connection', () => {
  const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.9, 198.51.100.7' }

  test('is secure if a trusted proxy reports that', async () => {
    const secure = await userWhere({ Bool: { 'aws:SecureTransport': 'true' } })
    expect(await status(secure)).toBe(403)
    expect(await status(secure, '/asked/key', { headers: { 'x-forwarded-proto': 'http' } })).toBe(403)
    expect(await status(secure, '/asked/key', { headers: forwarded })).toBe(200)
  })

  test('comes from the address that the proxy saw, not from one that the client made up', async () => {
    const from = (address: string) => userWhere({ IpAddress: { 'aws:SourceIp': address } })
    expect(await status(await from('198.51.100.7/32'), '/asked/key', { headers: forwarded })).toBe(200)
    expect(await status(await from('203.0.113.9/32'), '/asked/key', { headers: forwarded })).toBe(403)
    expect(await status(await from('127.0.0.1/32'))).toBe(200)
  })

  test('is what it is where no proxy is trusted', async () => {
    await using plain = await startTestStore()
    const { iam } = plain.server
    await plain.engine.createBucket('asked')
    await plain.send({ method: 'PUT', path: '/asked/key', body: 'x' })
    for (const condition of [
      { Bool: { 'aws:SecureTransport': 'true' } },
      { IpAddress: { 'aws:SourceIp': '198.51.100.7/32' } },
    ]) {
      const session = await createSession(iam, {
        parent: ROOT_CREDENTIALS.accessKey,
        durationSeconds: 900,
        policy: JSON.stringify(policyWhere(condition)),
      })
      expect((await plain.send({ credentials: session, path: '/asked/key', headers: forwarded })).status).toBe(403)
    }
  })
})

test.each(['jwt:sub', 'jwt:groups', 'ldap:user', 'ldap:groups', 's3:ExistingObjectTag/constructor'])(
  '%s is absent, whatever the request says',
  async (key) => {
    const name = key.slice(key.lastIndexOf(key.includes('/') ? '/' : ':') + 1)
    const headers = { [name]: 'x', [`x-amz-${name}`]: 'x', [`x-amz-meta-${name}`]: 'x' }
    const query = `${name}=x`
    const absent = await userWhere({ Null: { [key]: 'true' } })
    const present = await userWhere({ Null: { [key]: 'false' } })
    const equal = await userWhere({ StringLike: { [key]: '*' } })
    const unequal = await userWhere({ StringNotEquals: { [key]: 'y' } })
    const answers = [absent, present, equal, unequal].map((user) => status(user, '/asked/key', { headers, query }))
    expect(await Promise.all(answers)).toEqual([200, 403, 403, 200])
  },
)

describe('a right that an anonymous caller has by its address', () => {
  const inside = { 'x-forwarded-for': '10.1.2.3' }
  const statement = (Action: string, Resource: string, Condition?: object) => ({
    Effect: 'Allow',
    Principal: '*',
    Action,
    Resource: `arn:aws:s3:::${Resource}`,
    ...(Condition ? { Condition } : {}),
  })
  const Where = { IpAddress: { 'aws:SourceIp': '10.0.0.0/8' } }
  beforeAll(async () => {
    await store.engine.createBucket('intranet')
    for (const path of ['/intranet/key', '/intranet/open/key']) await store.send({ method: 'PUT', path, body: 'x' })
    const Statement = [
      statement('s3:ListBucket', 'intranet', Where),
      statement('s3:*Object', 'intranet/*', Where),
      statement('s3:GetObject', 'intranet/open/*'),
    ]
    await setSettingDocument(store.engine, 'intranet', 'policy', JSON.stringify({ Version: '2012-10-17', Statement }))
  })
  const ask = (method: string, path: string, headers: Record<string, string>) =>
    status('anonymous', path, { method, headers, ...(method === 'PUT' ? { body: 'x' } : {}) })

  test('is not lent to a page from elsewhere, which any visitor inside may open', async () => {
    for (const [method, path, good] of [
      ['GET', '/intranet', 200],
      ['GET', '/intranet/key', 200],
      ['PUT', '/intranet/new', 200],
      ['DELETE', '/intranet/new', 204],
    ] as const) {
      expect(await ask(method, path, inside)).toBe(good)
      expect(await ask(method, path, { ...inside, origin: `http://127.0.0.1:${store.port}` })).toBe(good)
      for (const origin of ['https://evil.test', 'http://127.0.0.1:1', 'null']) {
        expect([method, await ask(method, path, { ...inside, origin })]).toEqual([method, 403])
      }
    }
    expect(await ask('GET', '/intranet/key', { 'x-forwarded-for': '192.0.2.1' })).toBe(403)
  })

  test('does not affect public rights', async () => {
    expect(await ask('GET', '/intranet/open/key', { ...inside, origin: 'https://evil.test' })).toBe(200)
  })

  test('is a right by signature where somebody has signed', async () => {
    const user = await userWhere(Where)
    const headers = { ...inside, origin: 'https://app.test' }
    expect(await status(user, '/intranet/key', { headers })).toBe(200)
  })
})
