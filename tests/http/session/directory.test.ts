import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Broker,
  isBrokerInstalled,
  startBroker,
} from '../../../packages/object-store/src/events/targets/testing/brokers.ts'
import {
  ANNA_DN,
  BOB_DN,
  EDITORS_DN,
  ldapEnvironment,
  SMITH_DN,
} from '../../../packages/object-store/src/iam/ldap/testing/entries.ts'
import { callFailure } from '../../support/console/caller.ts'
import { startConsole, type TestConsole } from '../../support/console/start-console.ts'

/** Another server would have to know this directory. */
const canRun = isBrokerInstalled('slapd') && process.env.STOWAGE_TEST_SERVER === undefined

let directory: Broker
let c: TestConsole
beforeAll(async () => {
  if (!canRun) return
  directory = await startBroker('slapd')
  const env = { ...ldapEnvironment(directory.port), STOWAGE_EGRESS_ALLOW: `127.0.0.1:${directory.port}` }
  c = await startConsole({ env })
  await c.madmin.attachPolicies({ provider: 'ldap', user: 'anna', policies: ['readonly'] })
})
afterAll(async () => {
  await c?.[Symbol.asyncDispose]()
  await directory?.[Symbol.asyncDispose]()
})

const anna = { accessKey: 'anna', secretKey: 'anna-secret' }
const signIn = (change: Partial<typeof anna> & { directory?: boolean; sts?: string } = {}) =>
  c.anonymous().call('login', { body: { ...anna, directory: true, ...change } })

describe.skipIf(!canRun)('users of a directory', () => {
  test('the strategy is form, and tells that there is a directory [LGN-01]', async () => {
    expect(await c.anonymous().call('getLoginStrategy', {})).toMatchObject({ loginStrategy: 'form', directory: true })
  })

  test('the choice follows the stored configuration at once, and the setting of the console goes before it [LGN-01]', async () => {
    await using plain = await startConsole()
    const offered = async () => (await plain.anonymous().call('getLoginStrategy', {})).directory
    expect(await offered()).toBeUndefined()
    expect((await callFailure(plain.anonymous().call('login', { body: { ...anna, directory: true } }))).status).toBe(
      401,
    )
    const values = ldapEnvironment(directory.port)
    const key_values = Object.entries(values).map(([name, value]) => ({
      key: name.replace('MINIO_IDENTITY_LDAP_', '').toLowerCase(),
      value,
    }))
    await plain.call('setConfig', { params: { name: 'identity_ldap' }, body: { key_values } })
    await expect.poll(offered).toBe(true)
    await plain.call('resetConfig', { params: { name: 'identity_ldap' }, body: {} })
    await expect.poll(offered).toBeUndefined()
    await using set = await startConsole({ env: { ...values, STOWAGE_LDAP: 'off' } })
    expect((await set.anonymous().call('getLoginStrategy', {})).directory).toBeUndefined()
    expect((await callFailure(set.anonymous().call('login', { body: { ...anna, directory: true } }))).status).toBe(401)
  })

  test('sign in with their password, and have the policies of their name', async () => {
    const { sessionId } = await signIn()
    const bearer = { headers: { authorization: `Bearer ${sessionId}` } }
    const session = await c.anonymous().call('getSession', {}, bearer)
    expect(session).toMatchObject({ user: 'anna' })
    expect(session.pages).toContain('/object-browser')
    expect(session.pages).not.toContain('/users')
    expect(session.pages).not.toContain('/account/change-password')
    const body = { current_secret_key: 'anna-secret', new_secret_key: 'another-secret' }
    expect((await c.anonymous().send('changePassword', { body }, bearer)).status).toBe(403)
    const entities = await c.madmin.listPolicyEntities({ provider: 'ldap' })
    expect(entities.policies).toEqual([{ policy: 'readonly', users: [ANNA_DN], groups: [] }])
    const own = await c.anonymous().call('listServiceAccounts', {}, bearer)
    expect(own).toEqual([])
    const made = await c.anonymous().call('createServiceAccount', { body: { policy: '' } }, bearer)
    const { keys } = await c.call('listAccessKeys', { query: { all: 'true' } })
    expect(keys.find(({ accessKey }) => accessKey === made.accessKey)).toMatchObject({
      user: ANNA_DN,
      status: 'enabled',
    })
    await c.anonymous().call('logout', {}, bearer)
    expect((await c.anonymous().send('getSession', {}, bearer)).status).toBe(401)
  })

  test.each([
    ['a wrong password', { secretKey: 'wrong' }],
    ['an unknown name', { accessKey: 'nobody' }],
    ['a filter instead of a name', { accessKey: '*)(uid=*' }],
    ['no policy', { accessKey: 'smith', secretKey: 'smith-secret' }],
  ])('%s is a 401', async (_, change) => {
    const { status, body } = await callFailure(signIn(change))
    expect([status, body.message]).toEqual([401, 'invalid Login'])
  })

  test('an empty password is refused before the directory is asked', async () => {
    const before = directory.log.length
    expect((await callFailure(signIn({ secretKey: '' }))).status).toBe(400)
    expect(directory.log.slice(before).join()).not.toContain('SRCH')
  })

  test('a password is sent to the directory or to the store, never to both', async () => {
    const accessKey = 'bob'
    await c.call('createUser', {
      body: { accessKey, secretKey: 'bob-of-the-store', groups: [], policies: ['readonly'] },
    })
    await c.madmin.attachPolicies({ provider: 'ldap', group: EDITORS_DN, policies: ['readonly'] })
    expect((await callFailure(signIn({ accessKey, secretKey: 'bob-of-the-store' }))).status).toBe(401)
    const before = directory.log.length
    const asKey = { accessKey, directory: false }
    expect((await callFailure(signIn({ ...asKey, secretKey: 'bob-secret' }))).status).toBe(401)
    await signIn({ ...asKey, secretKey: 'bob-of-the-store' })
    expect(directory.log.slice(before).join()).not.toContain('SRCH')
    await signIn({ accessKey, secretKey: 'bob-secret' })
  })

  test('policies are attached to users and groups of the directory, listed, and detached', async () => {
    const change = (body: { entityType: 'user' | 'group'; entityName: string; attach: string[]; detach: string[] }) =>
      c.call('changeDirectoryPolicies', { body })
    await change({ entityType: 'user', entityName: 'bob', attach: ['diagnostics', 'writeonly'], detach: [] })
    await change({ entityType: 'group', entityName: EDITORS_DN, attach: ['writeonly'], detach: [] })
    const rows = async () => (await c.call('listDirectoryPolicies', {})).filter(({ name }) => name !== ANNA_DN)
    const writers = async () =>
      (await rows()).filter(({ policies }) => policies.includes('writeonly')).map(({ entityType }) => entityType)
    expect(await writers()).toEqual(['group', 'user'])
    // Detached, and attached once more: what is already so is no failure.
    await change({ entityType: 'user', entityName: BOB_DN, attach: ['diagnostics'], detach: ['writeonly'] })
    await change({ entityType: 'group', entityName: EDITORS_DN, attach: [], detach: ['writeonly'] })
    expect(await rows()).toContainEqual({ entityType: 'user', name: BOB_DN, policies: ['diagnostics'] })
    expect(await writers()).toEqual([])
    const nobody = change({ entityType: 'user', entityName: '*)(uid=*', attach: ['readonly'], detach: [] })
    expect((await callFailure(nobody)).status).toBe(404)
    const unknown = change({ entityType: 'user', entityName: 'bob', attach: ['no-such-policy'], detach: [] })
    expect((await callFailure(unknown)).status).toBe(404)
  })

  test('an explanation is about users and groups of the directory too', async () => {
    const name = c.freshName('policy')
    await c.madmin.addPolicy(name, {
      Version: '2012-10-17',
      Statement: [{ Effect: 'Deny', Action: ['s3:GetObject'], Resource: ['arn:aws:s3:::secret/*'] }],
    })
    const group = EDITORS_DN.replace('cn=', 'CN=')
    await c.madmin.attachPolicies({ provider: 'ldap', group, policies: [name] })
    const explain = async (subject: { type: 'user' | 'group'; name: string }, bucket: string) => {
      const body = { subject, action: 's3:GetObject', resource: `${bucket}/a` }
      const { decision, reason, decidedBy, sources } = await c.call('explainAccess', { body })
      const source = decidedBy && sources[decidedBy.source]
      return [decision, reason, source?.name, source?.groups]
    }
    expect(await explain({ type: 'user', name: ANNA_DN }, 'secret')).toEqual(['allow', 'statement', 'readonly', []])
    expect(await explain({ type: 'user', name: BOB_DN }, 'secret')).toEqual(['deny', 'statement', name, [EDITORS_DN]])
    expect(await explain({ type: 'group', name: EDITORS_DN }, 'secret')).toEqual(['deny', 'statement', name, []])
    expect(await explain({ type: 'user', name: 'smith' }, 'other')).toEqual(['deny', 'no-policy', undefined, undefined])
    const unknown = { subject: { type: 'user' as const, name: 'no-such-name' }, action: 's3:GetObject' }
    expect((await callFailure(c.call('explainAccess', { body: unknown }))).status).toBe(404)
    await c.madmin.detachPolicies({ provider: 'ldap', group: EDITORS_DN, policies: [name] })
  })

  test('an explanation knows the names of a directory user as far as the question names them', async () => {
    const policy = c.freshName('homes')
    const Condition = { StringEquals: { 'ldap:username': 'smith', 'ldap:user': SMITH_DN } }
    const Resource = [`arn:aws:s3:::home/\${aws:username}/*`]
    const Statement = [{ Effect: 'Allow' as const, Action: ['s3:PutObject'], Resource, Condition }]
    await c.madmin.addPolicy(policy, { Version: '2012-10-17', Statement })
    await c.madmin.attachPolicies({ provider: 'ldap', user: SMITH_DN, policies: [policy] })
    const decisionFor = async (name: string, resource: string) => {
      const body = { subject: { type: 'user' as const, name }, action: 's3:PutObject', resource }
      return (await c.call('explainAccess', { body })).decision
    }
    expect(await decisionFor('smith', 'home/smith/a')).toBe('allow')
    expect(await decisionFor('smith', 'home/anna/a')).toBe('deny')
    // The name to sign in with does not follow from the distinguished name.
    expect(await decisionFor(SMITH_DN, 'home/smith/a')).toBe('conditional')
    await c.madmin.detachPolicies({ provider: 'ldap', user: SMITH_DN, policies: [policy] })
  })

  test('neither password nor session token reaches the log', async () => {
    await callFailure(signIn({ secretKey: 'not-to-be-logged' }))
    await callFailure(signIn({ directory: false, sts: 'token-not-to-be-logged' }))
    expect(c.output()).not.toContain('not-to-be-logged')
  })

  test('wrong guesses are slowed down', async () => {
    for (let guess = 0; guess < 6; guess++) {
      expect((await callFailure(signIn({ accessKey: 'twin', secretKey: `guess-${guess}` }))).status).toBe(401)
    }
    const begun = performance.now()
    expect((await callFailure(signIn({ accessKey: 'twin', secretKey: 'guess-6' }))).status).toBe(401)
    // The pause after six wrong guesses is 1 s.
    expect(performance.now() - begun).toBeGreaterThan(950)
  })

  test('an unreachable directory is reported as such, and access keys still work', async () => {
    await using alone = await startConsole({
      env: { ...ldapEnvironment(9), STOWAGE_EGRESS_ALLOW: '127.0.0.1:9' },
    })
    const gone = await callFailure(alone.anonymous().call('login', { body: { ...anna, directory: true } }))
    expect(gone.status).toBe(503)
    expect((await alone.root.call('getSession', {})).user).toBe('rootuser')
  })
})
