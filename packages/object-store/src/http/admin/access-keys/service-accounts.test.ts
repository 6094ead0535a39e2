import { openAdminBody, sealAdminBody } from '@stowage/madmin/sealing'
import type { SigningCredentials } from '@stowage/sigv4'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setPolicy } from '../../../iam/policies.ts'
import { setPolicies } from '../../../iam/policy-mappings.ts'
import { createSession } from '../../../iam/sessions.ts'
import { removeUser, setUser, setUserStatus } from '../../../iam/users.ts'
import { type HttpTestStore, ROOT_CREDENTIALS, startTestStore } from '../../testing/test-store.ts'

let store: HttpTestStore
beforeAll(async () => {
  store = await startTestStore()
  for (const bucket of ['one', 'two']) await store.engine.createBucket(bucket)
})
afterAll(() => store[Symbol.asyncDispose]())

const EPOCH = '1970-01-01T00:00:00.000Z'
const policyDocument = (...Statement: object[]) => ({ Version: '2012-10-17', Statement })
const s3 = (Action: string, ...resources: string[]) => ({
  Effect: 'Allow',
  Action: [Action],
  Resource: resources.map((resource) => `arn:aws:s3:::${resource}`),
})
const admin = (...actions: string[]) => ({ Effect: 'Allow', Action: actions.map((action) => `admin:${action}`) })
const READ_ONE = policyDocument(s3('s3:ListBucket', 'one'))
const ANYTHING = s3('s3:*', '*')

let count = 0
async function userWith(...statements: object[]): Promise<SigningCredentials> {
  const accessKey = `user${count++}`
  const secretKey = 'secret-of-user'
  const { iam } = store.server
  await setUser(iam, accessKey, secretKey, 'enabled')
  if (statements.length > 0) {
    await setPolicy(iam, accessKey, JSON.stringify(policyDocument(...statements)))
    await setPolicies(iam, { kind: 'user', name: accessKey }, [accessKey])
  }
  return { accessKey, secretKey }
}

const openSession = ({ accessKey }: SigningCredentials, policy?: object) =>
  createSession(store.server.iam, {
    parent: accessKey,
    durationSeconds: 900,
    policy: policy && JSON.stringify(policy),
  })

/** Sends a call with its body sealed for the caller, and opens a sealed answer. */
async function call(credentials: SigningCredentials, method: string, path: string, query = '', body?: object) {
  const answer = await store.send({
    credentials,
    method,
    path: `/minio/admin/v3/${path}`,
    query,
    region: '',
    ...(body ? { body: await sealAdminBody(JSON.stringify(body), credentials.secretKey) } : {}),
  })
  const { status, code } = answer
  const value =
    status === 200 ? JSON.parse((await openAdminBody(answer.body, credentials.secretKey)).toString()) : undefined
  return { status, code, value }
}

async function add(credentials: SigningCredentials, body: object = {}): Promise<SigningCredentials> {
  const { status, code, value } = await call(credentials, 'PUT', 'add-service-account', '', body)
  expect([status, code]).toEqual([200, undefined])
  const { accessKey, secretKey } = value.credentials
  return { accessKey, secretKey }
}
const codeOfAdding = async (credentials: SigningCredentials, body: object) =>
  (await call(credentials, 'PUT', 'add-service-account', '', body)).code
const update = (credentials: SigningCredentials, { accessKey }: SigningCredentials, body: object) =>
  call(credentials, 'POST', 'update-service-account', `accessKey=${accessKey}`, body)
const info = (credentials: SigningCredentials, { accessKey }: SigningCredentials) =>
  call(credentials, 'GET', 'info-service-account', `accessKey=${accessKey}`)
const remove = (credentials: SigningCredentials, { accessKey }: SigningCredentials) =>
  call(credentials, 'DELETE', 'delete-service-account', `accessKey=${accessKey}`)

/** Returns the answers to listing the buckets one and two. */
async function reach(credentials: SigningCredentials): Promise<(string | number)[]> {
  const answers = ['/one', '/two'].map((path) => store.send({ credentials, path, query: 'list-type=2' }))
  return (await Promise.all(answers)).map(({ status, code }) => code ?? status)
}

describe('a service account', () => {
  test('has the rights of its parent, or less by its policy', async () => {
    const user = await userWith(ANYTHING)
    const whole = await add(user)
    expect(whole.accessKey).toMatch(/^[0-9A-Z]{20}$/)
    expect(whole.secretKey).toMatch(/^[0-9A-Za-z+]{40}$/)
    expect(await reach(whole)).toEqual([200, 200])
    expect(await reach(await add(user, { policy: READ_ONE }))).toEqual([200, 'AccessDenied'])
    // Consoles send these for "as the parent", the policy also as text.
    for (const policy of [null, '', {}, '{}']) expect(await reach(await add(user, { policy }))).toEqual([200, 200])
    expect(await reach(await add(user, { policy: JSON.stringify(READ_ONE) }))).toEqual([200, 'AccessDenied'])
    const chosen = { accessKey: 'my own key', secretKey: 'my own secret' }
    expect(await add(user, chosen)).toEqual(chosen)
  })

  test('is shown to its parent, without its secret key', async () => {
    const user = await userWith(s3('s3:ListBucket', 'one'))
    const ends = new Date(Math.floor(Date.now() / 1000) * 1000 + 3600_000).toISOString()
    const labels = { name: 'backup_1', description: 'nightly' }
    const account = await add(user, { ...labels, expiration: ends, policy: READ_ONE })
    const plain = await add(user, { comment: 'the older name of a description', expiration: '0001-01-01T00:00:00Z' })
    expect((await info(user, account)).value).toEqual({
      parentUser: user.accessKey,
      accountStatus: 'on',
      impliedPolicy: false,
      policy: JSON.stringify(READ_ONE, undefined, 1),
      ...labels,
      expiration: ends,
    })
    const shown = (await info(user, plain)).value
    expect(shown).toMatchObject({ impliedPolicy: true, description: 'the older name of a description' })
    expect(JSON.parse(shown.policy).Statement).toEqual(policyDocument(s3('s3:ListBucket', 'one')).Statement)
    const { accounts } = (await call(user, 'GET', 'list-service-accounts')).value
    const common = { parentUser: user.accessKey, accountStatus: 'on', createdAt: expect.any(String), lastUsed: '' }
    expect(accounts).toHaveLength(2)
    expect(accounts).toContainEqual({
      ...common,
      ...labels,
      impliedPolicy: false,
      accessKey: account.accessKey,
      expiration: ends,
    })
    expect(accounts).toContainEqual({
      ...common,
      description: 'the older name of a description',
      impliedPolicy: true,
      accessKey: plain.accessKey,
      expiration: EPOCH,
    })
    expect(JSON.stringify(accounts)).not.toContain(account.secretKey)
  })

  test('is changed by the part that is named, and keeps its policy', async () => {
    const user = await userWith(ANYTHING, admin('UpdateServiceAccount'))
    const account = await add(user, { policy: READ_ONE, name: 'first', description: 'old' })
    expect((await update(user, account, { newDescription: 'new' })).status).toBe(204)
    expect((await info(user, account)).value).toMatchObject({
      name: 'first',
      description: 'new',
      impliedPolicy: false,
    })
    expect(await reach(account)).toEqual([200, 'AccessDenied'])
    const wider = policyDocument(s3('s3:ListBucket', 'one', 'two'))
    expect((await update(user, account, { newPolicy: wider })).status).toBe(204)
    expect(await reach(account)).toEqual([200, 200])
    await update(user, account, { newPolicy: READ_ONE })
    await update(user, account, { newPolicy: {} })
    expect((await info(user, account)).value.impliedPolicy).toBe(true)
    await update(user, account, { newSecretKey: 'another-secret' })
    expect(await reach(account)).toEqual(['SignatureDoesNotMatch', 'SignatureDoesNotMatch'])
    const renewed = { ...account, secretKey: 'another-secret' }
    for (const [newStatus, expected] of [
      ['off', 'InvalidAccessKeyId'],
      ['enabled', 200],
      ['disabled', 'InvalidAccessKeyId'],
      ['on', 200],
    ] as const) {
      await update(user, account, { newStatus })
      expect((await reach(renewed))[0]).toBe(expected)
    }
    const ends = new Date(Date.now() + 3600_000).toISOString()
    await update(user, account, { newExpiration: ends })
    expect((await info(user, account)).value.expiration).toBe(`${ends.slice(0, -4)}000Z`)
    await update(user, account, { newExpiration: EPOCH, newName: '', newDescription: '' })
    const last = (await info(user, account)).value
    expect(Object.keys(last)).toEqual(['parentUser', 'accountStatus', 'impliedPolicy', 'policy'])
    expect((await update(user, account, { newStatus: 'asleep' })).code).toBe('XMinioAdminConfigBadJSON')
  })

  test('ends at its time, with its removal, and with its parent; rests while that is disabled', async () => {
    const { iam } = store.server
    const user = await userWith(ANYTHING)
    const [account, other] = [await add(user), await add(user)]
    const record = iam.serviceAccounts.get(account.accessKey) ?? expect.fail('no account')
    await iam.update(() => [iam.serviceAccounts.change(account.accessKey, { ...record, expiresAt: 1000 })])
    expect((await reach(account))[0]).toBe('ExpiredToken')
    expect((await remove(user, account)).status).toBe(204)
    expect((await reach(account))[0]).toBe('InvalidAccessKeyId')
    await setUserStatus(iam, user.accessKey, 'disabled')
    expect((await reach(other))[0]).toBe('InvalidAccessKeyId')
    await setUserStatus(iam, user.accessKey, 'enabled')
    expect((await reach(other))[0]).toBe(200)
    await removeUser(iam, user.accessKey)
    expect((await reach(other))[0]).toBe('InvalidAccessKeyId')
    await setUser(iam, user.accessKey, user.secretKey, 'enabled')
    expect((await reach(other))[0]).toBe('InvalidAccessKeyId')
  })

  const soon = (ms: number) => new Date(Date.now() + ms).toISOString()
  test.each([
    [{ accessKey: 'abcd' }, 'XMinioAdminNoSecretKey'],
    [{ secretKey: 'longenough' }, 'XMinioAdminNoAccessKey'],
    [{ accessKey: 'ab', secretKey: 'longenough' }, 'XMinioAdminInvalidAccessKey'],
    [{ accessKey: 'abcd', secretKey: 'short' }, 'XMinioAdminInvalidSecretKey'],
    [{ accessKey: ROOT_CREDENTIALS.accessKey, secretKey: 'longenough' }, 'XMinioIAMServiceAccountNotAllowed'],
    [{ accessKey: 'taken-by-user', secretKey: 'longenough' }, 'XMinioIAMServiceAccountNotAllowed'],
    [{ name: '1st' }, 'XMinioInvalidResource'],
    [{ name: 'x'.repeat(33) }, 'XMinioInvalidResource'],
    [{ description: 'é'.repeat(129) }, 'XMinioInvalidResource'],
    [{ expiration: soon(14 * 60_000) }, 'XMinioInvalidResource'],
    [{ expiration: soon(366 * 24 * 3600_000) }, 'XMinioInvalidResource'],
    [{ expiration: 'tomorrow' }, 'XMinioAdminConfigBadJSON'],
    [{ policy: policyDocument({ Effect: 'Allow', Action: 's3:Fly', Resource: '*' }) }, 'XMinioMalformedIAMPolicy'],
    [{ policy: 'no policy' }, 'XMinioMalformedIAMPolicy'],
    [{ policy: policyDocument(s3('s3:GetObject', 'b'.repeat(4096))) }, 'XMinioIAMServiceAccountSessionPolicyTooLarge'],
    [{ targetUser: 'nobody' }, 'XMinioAdminNoSuchUser'],
  ])('with %j is refused', async (body, code) => {
    await setUser(store.server.iam, 'taken-by-user', 'longenough', 'enabled')
    expect(await codeOfAdding(ROOT_CREDENTIALS, body)).toBe(code)
  })

  test('that does not exist is reported', async () => {
    const absent = { accessKey: 'absent', secretKey: '' }
    for (const answer of [
      await info(ROOT_CREDENTIALS, absent),
      await update(ROOT_CREDENTIALS, absent, {}),
      await remove(ROOT_CREDENTIALS, absent),
    ]) {
      expect([answer.status, answer.code]).toEqual([404, 'XMinioInvalidIAMCredentials'])
    }
  })
})

describe('no account gets more rights than its creator has', () => {
  test('an account made by a narrowed credential is narrowed as well, by each that was on the way', async () => {
    const user = await userWith(ANYTHING)
    const narrow = await openSession(user, policyDocument(s3('s3:ListBucket', 'one'), admin('CreateServiceAccount')))
    const child = await add(narrow)
    expect(await reach(child)).toEqual([200, 'AccessDenied'])
    const wide = policyDocument(s3('s3:ListBucket', 'one', 'two'), admin('CreateServiceAccount'))
    const grandchild = await add(await add(narrow, { policy: wide }), { policy: policyDocument(ANYTHING) })
    expect(await reach(grandchild)).toEqual([200, 'AccessDenied'])
    const mute = await openSession(user, READ_ONE)
    expect(await codeOfAdding(mute, {})).toBe('AccessDenied')
    const ofRoot = await add(
      await openSession(ROOT_CREDENTIALS, policyDocument(s3('s3:ListBucket', 'two'), admin('CreateServiceAccount'))),
    )
    expect(await reach(ofRoot)).toEqual(['AccessDenied', 200])
    expect((await call(ofRoot, 'GET', 'list-users')).code).toBe('AccessDenied')
  })

  test('a narrowed credential changes only accounts that are narrowed by the same', async () => {
    const user = await userWith(ANYTHING, admin('UpdateServiceAccount'))
    const rights = policyDocument(s3('s3:ListBucket', 'one'), admin('CreateServiceAccount', 'UpdateServiceAccount'))
    const narrow = await openSession(user, rights)
    const [free, own] = [await add(user), await add(narrow)]
    expect((await update(narrow, free, { newSecretKey: 'stolen-secret' })).code).toBe('AccessDenied')
    expect((await update(narrow, own, { newSecretKey: 'changed-secret', newPolicy: {} })).status).toBe(204)
    expect(await reach({ ...own, secretKey: 'changed-secret' })).toEqual([200, 'AccessDenied'])
    // A restricted account cannot extend its own rights.
    const self = await add(user, { policy: rights })
    expect((await update(self, self, { newPolicy: {} })).code).toBe('AccessDenied')
  })

  test('the right to create accounts for others does not include root', async () => {
    const maker = await userWith(admin('CreateServiceAccount', 'UpdateServiceAccount', 'RemoveServiceAccount'))
    const other = await userWith(ANYTHING)
    expect(await codeOfAdding(maker, { targetUser: ROOT_CREDENTIALS.accessKey })).toBe('AccessDenied')
    const ofRoot = await add(ROOT_CREDENTIALS)
    expect((await update(maker, ofRoot, { newSecretKey: 'stolen-secret' })).code).toBe('AccessDenied')
    expect(await reach(await add(maker, { targetUser: other.accessKey }))).toEqual([200, 200])
    expect(await codeOfAdding(other, { targetUser: maker.accessKey })).toBe('AccessDenied')
  })

  test('a Deny keeps from making and removing own accounts, also for how long they live', async () => {
    const denied = await userWith(ANYTHING, {
      ...admin('CreateServiceAccount', 'RemoveServiceAccount'),
      Effect: 'Deny',
    })
    expect(await codeOfAdding(denied, {})).toBe('AccessDenied')
    const account = await add(ROOT_CREDENTIALS, { targetUser: denied.accessKey })
    expect((await remove(denied, account)).code).toBe('AccessDenied')
    expect((await remove(await openSession(denied, READ_ONE), account)).code).toBe('AccessDenied')
    const Condition = { NumericGreaterThan: { 'svc:DurationSeconds': '7200' } }
    const short = await userWith(ANYTHING, { ...admin('CreateServiceAccount'), Effect: 'Deny', Condition })
    const lasting = (hours: number) => ({ expiration: new Date(Date.now() + hours * 3600_000).toISOString() })
    expect(await codeOfAdding(short, lasting(3))).toBe('AccessDenied')
    expect(await codeOfAdding(short, lasting(1))).toBeUndefined()
  })

  test('accounts of other users are not shown, changed, removed or found', async () => {
    const [owner, stranger] = [await userWith(ANYTHING), await userWith(ANYTHING)]
    const account = await add(owner)
    expect((await info(stranger, account)).code).toBe('AccessDenied')
    expect((await update(stranger, account, { newName: 'mine' })).code).toBe('AccessDenied')
    expect((await call(stranger, 'GET', 'list-service-accounts', `user=${owner.accessKey}`)).code).toBe('AccessDenied')
    const gone = await remove(stranger, account)
    expect([gone.status, gone.code]).toEqual([404, 'XMinioInvalidIAMCredentials'])
    expect(await reach(account)).toEqual([200, 200])
    const reader = await userWith(admin('ListServiceAccounts'))
    expect((await info(reader, account)).status).toBe(200)
    const listed = await call(reader, 'GET', 'list-service-accounts', `user=${owner.accessKey}`)
    expect(listed.value.accounts.map((entry: SigningCredentials) => entry.accessKey)).toEqual([account.accessKey])
  })
})

describe('access keys', () => {
  const bulk = (credentials: SigningCredentials, query: string) =>
    call(credentials, 'GET', 'list-access-keys-bulk', query)
  const keys = (list: { accessKey: string }[]) => list.map(({ accessKey }) => accessKey)

  test('are listed by user and kind', async () => {
    const user = await userWith(ANYTHING)
    const account = await add(user, { name: 'listed' })
    const session = await openSession(user)
    const mine = (await bulk(user, 'listType=all')).value
    expect(Object.keys(mine)).toEqual([user.accessKey])
    expect(keys(mine[user.accessKey].serviceAccounts)).toEqual([account.accessKey])
    expect(mine[user.accessKey].stsKeys).toEqual([
      expect.objectContaining({
        accessKey: session.accessKey,
        parentUser: user.accessKey,
        expiration: new Date(session.expiresAt).toISOString(),
      }),
    ])
    const lonely = await userWith(ANYTHING)
    const all = (await bulk(ROOT_CREDENTIALS, 'listType=all&all=true')).value
    expect(Object.keys(all)).toEqual(
      expect.arrayContaining([user.accessKey, lonely.accessKey, ROOT_CREDENTIALS.accessKey]),
    )
    const accounts = (await bulk(ROOT_CREDENTIALS, 'listType=svcacc-only&all=true')).value
    expect(keys(accounts[user.accessKey].serviceAccounts)).toEqual([account.accessKey])
    expect(accounts).not.toHaveProperty(lonely.accessKey)
    const named = (await bulk(ROOT_CREDENTIALS, `listType=sts-only&users=${user.accessKey}&users=nobody`)).value
    expect(Object.keys(named)).toEqual([user.accessKey])
    expect((await bulk(ROOT_CREDENTIALS, 'listType=users-only&all=true')).value[user.accessKey]).toEqual({
      serviceAccounts: [],
      stsKeys: [],
    })
  })

  test('of other users need the right, and own ones do not', async () => {
    const [user, other] = [await userWith(ANYTHING), await userWith(ANYTHING)]
    for (const query of ['all=true', `users=${other.accessKey}`, `users=${user.accessKey}&users=${other.accessKey}`]) {
      expect((await bulk(user, `listType=all&${query}`)).code).toBe('AccessDenied')
    }
    expect((await bulk(await userWith(admin('ListServiceAccounts')), 'listType=all&all=true')).code).toBe(
      'AccessDenied',
    )
    const denied = await userWith(ANYTHING, { ...admin('ListServiceAccounts'), Effect: 'Deny' })
    expect((await bulk(denied, 'listType=all')).code).toBe('AccessDenied')
    expect((await bulk(user, 'listType=everything')).code).toBe('InvalidRequest')
    expect((await bulk(ROOT_CREDENTIALS, 'listType=all&all=true&users=x')).code).toBe('InvalidRequest')
  })

  test('are described one by one', async () => {
    const user = await userWith(ANYTHING)
    const account = await add(user, { policy: READ_ONE })
    const session = await openSession(user, READ_ONE)
    const ask = (credentials: SigningCredentials, accessKey: string) =>
      call(credentials, 'GET', 'info-access-key', `accessKey=${accessKey}`)
    const common = { parentUser: user.accessKey, impliedPolicy: false, userProvider: 'builtin' }
    const ofAccount = { ...common, AccessKey: account.accessKey, userType: 'Service Account' }
    expect((await ask(user, account.accessKey)).value).toMatchObject(ofAccount)
    expect((await ask(account, '')).value).toMatchObject(ofAccount)
    const ofSession = { ...common, AccessKey: session.accessKey, userType: 'STS' }
    expect((await ask(user, session.accessKey)).value).toMatchObject(ofSession)
    const stranger = await userWith(ANYTHING)
    expect((await ask(stranger, account.accessKey)).code).toBe('AccessDenied')
    expect((await ask(stranger, 'nobody')).code).toBe('AccessDenied')
    expect((await ask(ROOT_CREDENTIALS, 'nobody')).code).toBe('XMinioAdminNoSuchAccessKey')
    const temporary = (credentials: SigningCredentials, accessKey: string) =>
      call(credentials, 'GET', 'temporary-account-info', `accessKey=${accessKey}`)
    expect((await temporary(ROOT_CREDENTIALS, session.accessKey)).value).toEqual({
      parentUser: user.accessKey,
      accountStatus: 'on',
      impliedPolicy: false,
      policy: JSON.stringify(READ_ONE, undefined, 1),
      expiration: new Date(session.expiresAt).toISOString(),
    })
    expect((await temporary(user, session.accessKey)).code).toBe('AccessDenied')
    expect((await temporary(ROOT_CREDENTIALS, account.accessKey)).code).toBe('XMinioAdminNoSuchAccessKey')
  })
})
