import { createServer, type Server } from 'node:net'
import { openAdminBody, sealAdminBody } from '@stowage/madmin/sealing'
import type { SigningCredentials } from '@stowage/sigv4'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BROKER_TIMEOUT, type Broker, isBrokerInstalled, startBroker } from '../../events/targets/testing/brokers.ts'
import { type HttpTestStore, ROOT_CREDENTIALS, startTestStore } from '../../http/testing/test-store.ts'
import { removePolicy, setPolicy } from '../policies.ts'
import { attachPolicies, detachPolicies } from '../policy-mappings.ts'
import { setUser } from '../users.ts'
import { LdapDirectory } from './ldap-directory.ts'
import { readLdapSettings } from './ldap-settings.ts'
import { refreshLdapUsers } from './refresh-ldap-users.ts'
import { ANNA_DN, BOB_DN, EDITORS_DN, LDAP_BASE, LDAP_LOOKUP, ldapEnvironment, SMITH_DN } from './testing/entries.ts'

const only = describe.skipIf(!isBrokerInstalled('slapd'))

let directory: Broker
let store: HttpTestStore
beforeAll(async () => {
  if (!isBrokerInstalled('slapd')) return
  directory = await startBroker('slapd')
  store = await startTestStore({ environment: ldapEnvironment(directory.port), ldap: '127.0.0.1' })
  await store.engine.createBucket('photos')
  await attachPolicies(store.server.iam, { kind: 'ldap-user', name: ANNA_DN }, ['readwrite'])
  await attachPolicies(store.server.iam, { kind: 'ldap-group', name: EDITORS_DN }, ['readwrite'])
}, BROKER_TIMEOUT)
afterAll(async () => {
  await store?.[Symbol.asyncDispose]()
  await directory?.[Symbol.asyncDispose]()
})

const NAMES = { LDAPUsername: 'anna', LDAPPassword: 'anna-secret' }

async function assume(fields: Record<string, string> = NAMES, on: HttpTestStore = store) {
  const form = new URLSearchParams({ Action: 'AssumeRoleWithLDAPIdentity', Version: '2011-06-15', ...fields })
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const answer = await on.send({ method: 'POST', credentials: 'anonymous', headers, body: form.toString() })
  const field = (name: string) => new RegExp(`<${name}>([^<]*)<`).exec(answer.text)?.[1] ?? ''
  const credentials: SigningCredentials = {
    accessKey: field('AccessKeyId'),
    secretKey: field('SecretAccessKey'),
    sessionToken: field('SessionToken'),
  }
  return { ...answer, field, credentials }
}

const as = (name: string) => assume({ LDAPUsername: name, LDAPPassword: `${name}-secret` })

const listing = async (credentials: SigningCredentials) => {
  const { status, code } = await store.send({ credentials, path: '/photos', query: 'list-type=2' })
  return code ?? status
}

async function admin(
  method: string,
  path: string,
  body?: object,
  credentials: SigningCredentials = ROOT_CREDENTIALS,
  query = '',
) {
  const answer = await store.send({
    method,
    path: `/minio/admin/v3/${path}`,
    query,
    credentials,
    headers: { 'content-type': 'application/octet-stream' },
    ...(body ? { body: Buffer.from(await sealAdminBody(JSON.stringify(body), credentials.secretKey)) } : {}),
  })
  if (answer.status !== 200) return { status: answer.status, code: answer.code }
  return {
    status: 200,
    value: JSON.parse((await openAdminBody(answer.body, credentials.secretKey)).toString()) as unknown,
  }
}

only('sign-in at a directory', () => {
  test('a user has the policies of the own name and of the groups, and no others', async () => {
    const anna = await assume()
    expect(anna.text).toContain('<AssumeRoleWithLDAPIdentityResult><Credentials>')
    expect(Math.abs(Date.parse(anna.field('Expiration')) - Date.now() - 3600_000)).toBeLessThan(10_000)
    expect(await listing(anna.credentials)).toBe(200)
    expect(await listing((await as('bob')).credentials)).toBe(200)
    expect((await store.send({ credentials: anna.credentials, path: '/minio/admin/v3/list-users' })).status).toBe(403)
    const { text } = await store.send({ credentials: anna.credentials, path: '/minio/admin/v3/accountinfo' })
    expect(JSON.parse(text)).toMatchObject({ AccountName: ANNA_DN, Policy: { Statement: [{ Effect: 'Allow' }] } })
  })

  test('without a mapping there is no session', async () => {
    expect(await as('smith')).toMatchObject({ status: 400, code: 'InvalidParameterValue' })
  })

  test('a policy that is attached or detached counts at once', async () => {
    const { iam } = store.server
    await attachPolicies(iam, { kind: 'ldap-user', name: SMITH_DN }, ['readonly', 'writeonly'])
    const { credentials } = await as('smith')
    expect(credentials.accessKey).not.toBe('')
    await detachPolicies(iam, { kind: 'ldap-user', name: SMITH_DN }, ['readonly'])
    const put = () => store.send({ credentials, method: 'PUT', path: '/photos/key', body: 'x' })
    expect((await put()).status).toBe(200)
    await detachPolicies(iam, { kind: 'ldap-user', name: SMITH_DN }, ['writeonly'])
    expect((await put()).code).toBe('AccessDenied')
  })

  test('a Deny on a name holds for every spelling that the directory accepts', async () => {
    const { iam } = store.server
    const Resource = ['arn:aws:s3:::photos']
    const Condition = { StringEquals: { 'aws:username': 'anna' } }
    const Statement = [{ Effect: 'Deny', Action: ['s3:ListBucket'], Resource, Condition }]
    await setPolicy(iam, 'spelled-anna', JSON.stringify({ Version: '2012-10-17', Statement }))
    await attachPolicies(iam, { kind: 'ldap-user', name: ANNA_DN }, ['spelled-anna'])
    for (const name of ['anna', 'aNNA', 'ANNA', ' anna', 'anna ']) {
      const { credentials } = await assume({ LDAPUsername: name, LDAPPassword: 'anna-secret' })
      if (credentials.accessKey !== '') expect([name, await listing(credentials)]).toEqual([name, 'AccessDenied'])
    }
    expect((await assume({ LDAPUsername: 'aNNA', LDAPPassword: 'anna-secret' })).credentials.accessKey).not.toBe('')
    await detachPolicies(iam, { kind: 'ldap-user', name: ANNA_DN }, ['spelled-anna'])
    await removePolicy(iam, 'spelled-anna')
  })

  test('policies can ask for the names of the directory', async () => {
    const { iam } = store.server
    const names = { 'aws:username': 'anna', 'aws:userid': ANNA_DN, 'ldap:username': 'anna', 'ldap:user': ANNA_DN }
    const Condition = { StringEquals: names }
    const Resource = ['arn:aws:s3:::photos']
    const Statement = [{ Effect: 'Deny', Action: ['s3:ListBucket'], Resource, Condition }]
    await setPolicy(iam, 'not-anna', JSON.stringify({ Version: '2012-10-17', Statement }))
    const { credentials } = await assume()
    await attachPolicies(iam, { kind: 'ldap-user', name: ANNA_DN }, ['not-anna'])
    expect(await listing(credentials)).toBe('AccessDenied')
    await expect(removePolicy(iam, 'not-anna')).rejects.toMatchObject({ code: 'XMinioIAMPolicyInUse' })
    await detachPolicies(iam, { kind: 'ldap-user', name: ANNA_DN }, ['not-anna'])
    expect(await listing(credentials)).toBe(200)
  })

  test.each<[string, Record<string, string>, string]>([
    ['a wrong password', { ...NAMES, LDAPPassword: 'wrong' }, 'InvalidParameterValue'],
    ['an empty password', { ...NAMES, LDAPPassword: '' }, 'MissingParameter'],
    ['no password', { LDAPUsername: 'anna' }, 'MissingParameter'],
    ['an unknown name', { ...NAMES, LDAPUsername: 'nobody' }, 'InvalidParameterValue'],
    ['a name that several have', { LDAPUsername: 'twin', LDAPPassword: 'twin-secret' }, 'InvalidParameterValue'],
    ['a wildcard', { ...NAMES, LDAPUsername: 'ann*' }, 'InvalidParameterValue'],
    ['a filter', { ...NAMES, LDAPUsername: 'x)(|(uid=anna' }, 'InvalidParameterValue'],
    ['a NUL', { ...NAMES, LDAPUsername: 'anna\0' }, 'InvalidParameterValue'],
    ['a distinguished name', { ...NAMES, LDAPUsername: ANNA_DN }, 'InvalidParameterValue'],
    ['a name that is too long', { ...NAMES, LDAPUsername: 'a'.repeat(2000) }, 'InvalidParameterValue'],
    [
      'the password of the lookup account',
      { LDAPUsername: 'lookup', LDAPPassword: LDAP_LOOKUP.password },
      'InvalidParameterValue',
    ],
  ])('%s is refused', async (_, fields, code) => {
    const { status, text } = await assume(fields)
    expect([status, /<Code>([^<]*)</.exec(text)?.[1]]).toEqual([400, code])
    expect(text).not.toContain('<AccessKeyId>')
  })

  test('an unknown name is answered as a wrong password is', async () => {
    const message = async (fields: Record<string, string>) => (await assume(fields)).field('Message')
    expect(await message({ ...NAMES, LDAPUsername: 'nobody' })).toBe(await message({ ...NAMES, LDAPPassword: 'x' }))
  })

  test('an empty password does not reach the directory, which would accept it', async () => {
    const before = directory.log.length
    await assume({ ...NAMES, LDAPPassword: '' })
    expect(directory.log.slice(before).join()).not.toMatch(/op=\d+ BIND/)
  })

  test('a password in the address is not read', async () => {
    const query = new URLSearchParams({ Action: 'AssumeRoleWithLDAPIdentity', Version: '2011-06-15', ...NAMES })
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await store.send({ method: 'POST', credentials: 'anonymous', headers, query: query.toString() })
    expect(answer).toMatchObject({ status: 400, code: 'MissingParameter' })
  })
})

only('users of a directory', () => {
  test('a built-in user cannot have the name of one, nor inherit its policies', async () => {
    const { iam } = store.server
    await expect(setUser(iam, ANNA_DN, 'a-secret-key', 'enabled')).rejects.toMatchObject({
      code: 'XMinioAdminInvalidAccessKey',
    })
    await setUser(iam, 'anna', 'a-secret-key', 'enabled')
    expect(await listing({ accessKey: 'anna', secretKey: 'a-secret-key' })).toBe('AccessDenied')
  })

  test('have service accounts, which have no more than they have', async () => {
    const { credentials } = await assume()
    const made = await admin('PUT', 'add-service-account', { name: 'backup' }, credentials)
    const { credentials: keys } = (made as { value: { credentials: SigningCredentials } }).value
    expect(await listing(keys)).toBe(200)
    const other = await admin('PUT', 'add-service-account', { targetUser: ROOT_CREDENTIALS.accessKey }, credentials)
    expect(other).toMatchObject({ status: 403, code: 'AccessDenied' })
    const info = await admin('GET', 'info-access-key', undefined, ROOT_CREDENTIALS, `accessKey=${keys.accessKey}`)
    expect(info).toMatchObject({
      value: { parentUser: ANNA_DN, userProvider: 'ldap', ldapSpecificInfo: { username: 'anna' } },
    })
    await detachPolicies(store.server.iam, { kind: 'ldap-user', name: ANNA_DN }, ['readwrite'])
    expect(await listing(keys)).toBe('AccessDenied')
    await attachPolicies(store.server.iam, { kind: 'ldap-user', name: ANNA_DN }, ['readwrite'])
  })

  test('an administrator makes and lists access keys of users of the directory', async () => {
    const add = async (body: object) => await admin('PUT', 'idp/ldap/add-service-account', body)
    const made = await add({ targetUser: 'bob', name: 'nightly' })
    const { credentials: keys } = (made as { value: { credentials: SigningCredentials } }).value
    // The rights are those of the groups in the directory.
    expect(await listing(keys)).toBe(200)
    expect(store.server.iam.serviceAccounts.get(keys.accessKey)).toMatchObject({
      parent: BOB_DN,
      external: { kind: 'ldap', username: 'bob', groups: [EDITORS_DN] },
    })
    expect(await add({ targetUser: BOB_DN.replace('uid', 'UID') })).toMatchObject({ status: 200 })
    const list = (path: string, query: string) => admin('GET', `idp/ldap/${path}`, undefined, ROOT_CREDENTIALS, query)
    const one = await list('list-access-keys', `userDN=${encodeURIComponent(BOB_DN)}&listType=svcacc-only`)
    expect(one).toMatchObject({
      value: {
        serviceAccounts: expect.arrayContaining([
          expect.objectContaining({ accessKey: keys.accessKey, parentUser: BOB_DN, name: 'nightly' }),
        ]),
        stsKeys: [],
      },
    })
    const all = await list('list-access-keys-bulk', 'listType=all&all=true')
    expect(Object.keys((all as { value: object }).value)).toContain(BOB_DN)
    const named = await list('list-access-keys-bulk', 'listType=all&userDNs=bob')
    expect(Object.keys((named as { value: object }).value)).toEqual([BOB_DN])
  })

  test.each([
    ['nobody', 404, 'XMinioAdminNoSuchUser'],
    ['', 404, 'XMinioAdminNoSuchUser'],
    [`uid=nobody,ou=people,${LDAP_BASE}`, 404, 'XMinioAdminNoSuchUser'],
    [LDAP_LOOKUP.dn, 404, 'XMinioAdminNoSuchUser'],
    // The first value of the name is not the sign-in name of this user.
    [SMITH_DN, 400, 'InvalidRequest'],
    ['*', 404, 'XMinioAdminNoSuchUser'],
    [ROOT_CREDENTIALS.accessKey, 403, 'AccessDenied'],
  ])('no access key is made of %j', async (targetUser, status, code) => {
    const caller = status === 403 ? (await assume()).credentials : ROOT_CREDENTIALS
    expect(await admin('PUT', 'idp/ldap/add-service-account', { targetUser }, caller)).toEqual({ status, code })
  })

  test('users create and list only their own access keys', async () => {
    const { credentials } = await assume()
    const ask = (method: string, path: string, query: string, body?: object) =>
      admin(method, `idp/ldap/${path}`, body, credentials, query)
    const made = await ask('PUT', 'add-service-account', '', { targetUser: 'anna' })
    const { credentials: keys } = (made as { value: { credentials: SigningCredentials } }).value
    const own = await ask('GET', 'list-access-keys-bulk', 'listType=svcacc-only')
    expect(own).toMatchObject({
      value: {
        [ANNA_DN]: {
          serviceAccounts: expect.arrayContaining([expect.objectContaining({ accessKey: keys.accessKey })]),
        },
      },
    })
    expect(Object.keys((own as { value: object }).value)).toEqual([ANNA_DN])
    const before = directory.log.length
    for (const answer of [
      ask('PUT', 'add-service-account', '', { targetUser: 'bob' }),
      ask('GET', 'list-access-keys', 'userDN=bob&listType=all'),
      ask('GET', 'list-access-keys-bulk', 'userDNs=bob&listType=all'),
      ask('GET', 'list-access-keys-bulk', 'all=true&listType=all'),
    ]) {
      expect(await answer).toEqual({ status: 403, code: 'AccessDenied' })
    }
    expect(directory.log.slice(before).join()).not.toContain('SRCH')
  })

  test('policies are attached by name or distinguished name, and to groups', async () => {
    const path = 'idp/ldap/policy/attach'
    expect(await admin('POST', path, { policies: ['diagnostics'], user: 'bob' })).toMatchObject({
      value: { policiesAttached: ['diagnostics'] },
    })
    expect(store.server.iam.ldapUserPolicies.get(BOB_DN)?.policies).toEqual(['diagnostics'])
    const again = await admin('POST', path, { policies: ['diagnostics'], user: BOB_DN.replace('uid', 'UID') })
    expect(again).toMatchObject({ code: 'XMinioAdminPolicyChangeAlreadyApplied' })
    expect(await admin('POST', path, { policies: ['diagnostics'], group: EDITORS_DN })).toMatchObject({ status: 200 })
    const entities = await admin('GET', 'idp/ldap/policy-entities', undefined, ROOT_CREDENTIALS, 'policy=diagnostics')
    expect(entities).toMatchObject({
      value: { policyMappings: [{ policy: 'diagnostics', users: [BOB_DN], groups: [EDITORS_DN] }] },
    })
    // One user, by either name: the directory is asked for its groups.
    const listEntities = (query: string) => admin('GET', 'idp/ldap/policy-entities', undefined, ROOT_CREDENTIALS, query)
    const memberOfMappings = [{ group: EDITORS_DN, policies: ['diagnostics', 'readwrite'] }]
    for (const name of [BOB_DN, 'bob']) {
      expect(await listEntities(`user=${encodeURIComponent(name)}`)).toMatchObject({
        value: {
          userMappings: [{ user: BOB_DN, policies: ['diagnostics'], memberOf: [EDITORS_DN], memberOfMappings }],
        },
      })
    }
    const two = await listEntities(`user=${encodeURIComponent(BOB_DN)}&user=${encodeURIComponent(ANNA_DN)}`)
    expect(two.value).toMatchObject({
      userMappings: expect.arrayContaining([{ user: BOB_DN, policies: ['diagnostics'], memberOfMappings: [] }]),
    })
    expect((await listEntities('user=*)(uid=*')).value).toMatchObject({ userMappings: [] })
    const detach = 'idp/ldap/policy/detach'
    expect(await admin('POST', detach, { policies: ['diagnostics'], user: BOB_DN })).toMatchObject({ status: 200 })
    expect(await admin('POST', detach, { policies: ['diagnostics'], group: EDITORS_DN })).toMatchObject({ status: 200 })
  })

  test.each([
    [{ policies: ['readonly'], user: 'nobody' }, 404, 'XMinioAdminNoSuchUser'],
    [{ policies: ['readonly'], user: `uid=anna,ou=elsewhere,${LDAP_BASE}` }, 404, 'XMinioAdminNoSuchUser'],
    [{ policies: ['readonly'], user: LDAP_LOOKUP.dn }, 404, 'XMinioAdminNoSuchUser'],
    [{ policies: ['readonly'], group: 'editors' }, 404, 'XMinioAdminNoSuchGroup'],
    [{ policies: ['readonly'], group: ANNA_DN }, 404, 'XMinioAdminNoSuchGroup'],
    [{ policies: ['nothing'], user: 'anna' }, 404, 'XMinioAdminNoSuchPolicy'],
    [{ policies: ['readonly'] }, 400, 'XMinioAdminConfigBadJSON'],
  ])('%j cannot be attached', async (body, status, code) => {
    expect(await admin('POST', 'idp/ldap/policy/attach', body)).toEqual({ status, code })
  })

  test('without the right to attach policies no request is sent to the directory', async () => {
    const { credentials } = await assume()
    const before = directory.log.length
    const body = { policies: ['consoleAdmin'], user: 'anna' }
    expect(await admin('POST', 'idp/ldap/policy/attach', body, credentials)).toEqual({
      status: 403,
      code: 'AccessDenied',
    })
    expect(await admin('GET', 'idp/ldap/policy-entities', undefined, credentials)).toMatchObject({ status: 403 })
    expect(directory.log.slice(before).join()).not.toContain('SRCH')
  })

  test('the groups of a running session follow the directory; users that are gone lose all of it', async () => {
    const { iam } = store.server
    const [anna, bob] = [await assume(), await as('bob')]
    const made = await admin('PUT', 'add-service-account', {}, bob.credentials)
    const { credentials: keys } = (made as { value: { credentials: SigningCredentials } }).value
    const ask = {
      canLookUp: true,
      currentGroups: async () =>
        new Map([
          [ANNA_DN, [EDITORS_DN]],
          [BOB_DN, undefined],
        ]),
    }
    // A changed directory, without changing the one that other tests use.
    await refreshLdapUsers(iam, ask as unknown as LdapDirectory)
    expect(iam.sessions.get(anna.credentials.accessKey)?.external).toMatchObject({ groups: [EDITORS_DN] })
    expect(await listing(bob.credentials)).toBe('InvalidAccessKeyId')
    expect(await listing(keys)).toBe('InvalidAccessKeyId')
    await refreshLdapUsers(iam, openDirectory({}))
    expect(iam.sessions.get(anna.credentials.accessKey)?.external).toMatchObject({ groups: [] })
    expect(iam.serviceAccounts.get(keys.accessKey)?.status).toBe('off')
  })

  test('rest while no directory is configured', async () => {
    const { credentials } = await assume()
    await using bare = await startTestStore()
    expect(await assume(NAMES, bare)).toMatchObject({ status: 400, code: 'InvalidParameterValue' })
    const { record } = { record: store.server.iam.sessions.get(credentials.accessKey) }
    await bare.server.iam.update(() => [
      ...[...store.server.iam.sessionKeys.entries()].map(([id, key]) => bare.server.iam.sessionKeys.change(id, key)),
      bare.server.iam.sessions.change(credentials.accessKey, record),
    ])
    const { code } = await bare.send({ credentials, path: '/' })
    expect(code).toBe('InvalidAccessKeyId')
  })
})

/** Returns the directory with other settings. */
function openDirectory(changed: Record<string, string>): LdapDirectory {
  const values = Object.fromEntries(
    Object.entries({ ...ldapEnvironment(directory.port), ...changed }).map(([name, value]) => [
      name.replace('MINIO_IDENTITY_LDAP_', '').toLowerCase(),
      value,
    ]),
  )
  return new LdapDirectory(
    () => readLdapSettings(values),
    async () => (await import('../../http/testing/test-store.ts')).egressTo('127.0.0.1'),
  )
}

only('the connection', () => {
  const signIn = (changed: Record<string, string>, name = 'anna') =>
    openDirectory(changed)
      .signIn(name, `${name}-secret`)
      .then(
        ({ dn }) => dn,
        (error: { code?: string }) => error.code,
      )

  test('uses TLS, and verifies certificates unless that is disabled', async () => {
    const tls = { server_addr: `127.0.0.1:${directory.port + 1}`, server_insecure: 'off' }
    expect(await signIn({ ...tls, tls_skip_verify: 'on' })).toBe(ANNA_DN)
    expect(await signIn(tls)).toBe('ServiceUnavailable')
    const starttls = { server_insecure: 'off', server_starttls: 'on' }
    expect(await signIn({ ...starttls, tls_skip_verify: 'on' })).toBe(ANNA_DN)
    expect(await signIn(starttls)).toBe('ServiceUnavailable')
  })

  test('without a lookup account users are found by the format of their names', async () => {
    const byFormat = { lookup_bind_dn: '', username_format: `uid=%s,ou=people,${LDAP_BASE}` }
    expect(await signIn(byFormat)).toBe(ANNA_DN)
    expect(await signIn({ ...byFormat, user_dn_search_filter: '(&(uid=%s)(sn=bob))' })).toBe('InvalidParameterValue')
    expect(await signIn(byFormat, `anna,ou=people,${LDAP_BASE}`)).toBe('InvalidParameterValue')
  })

  test('a referral is not followed', async () => {
    const elsewhere = { user_dn_search_base_dn: `ou=elsewhere,ou=people,${LDAP_BASE}` }
    expect(await signIn(elsewhere)).toBe('ServiceUnavailable')
  })

  test('a wrong lookup account, a server that is gone or not permitted', async () => {
    expect(await signIn({ lookup_bind_password: 'wrong' })).toBe('ServiceUnavailable')
    expect(await signIn({ server_addr: '127.0.0.1:9' })).toBe('ServiceUnavailable')
    expect(await signIn({ server_addr: '169.254.169.254:389' })).toBe('ServiceUnavailable')
    await using guarded = await startTestStore({ environment: ldapEnvironment(directory.port), ldap: '' })
    expect(await assume(NAMES, guarded)).toMatchObject({ status: 503, code: 'ServiceUnavailable' })
  })

  test.each<[string, (server: Server) => void]>([
    ['sends no LDAP', (server) => server.on('connection', (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))],
    ['closes at once', (server) => server.on('connection', (socket) => socket.destroy())],
    [
      'sends without an end',
      (server) =>
        server.on('connection', (socket) => {
          socket.on('error', () => {})
          const endless = () => {
            while (!socket.destroyed && socket.write(Buffer.alloc(65_536, 0x30)));
          }
          socket.on('drain', endless)
          socket.once('data', () => {
            socket.write(Buffer.from([0x30, 0x84, 0x7f, 0xff, 0xff, 0xff]))
            endless()
          })
        }),
    ],
  ])('a server that %s', async (_, behave) => {
    const server = createServer()
    behave(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    expect(await signIn({ server_addr: `127.0.0.1:${port}` })).toBe('ServiceUnavailable')
    server.close()
  })
})

test('the configuration is stored and in force at once, and refuses what cannot work', async () => {
  await using plain = await startTestStore({ ldap: '127.0.0.1' })
  const set = async (text: string) => {
    const body = Buffer.from(await sealAdminBody(`identity_ldap ${text}`, ROOT_CREDENTIALS.secretKey))
    const { status, text: told } = await plain.send({ method: 'PUT', path: '/minio/admin/v3/set-config-kv', body })
    return status === 200 ? 200 : told
  }
  expect(await set('server_addr=127.0.0.1:389')).toContain('lookup_bind_dn or username_format')
  expect(await set('server_addr=a/b')).toContain('server_addr')
  const named = 'lookup_bind_dn="cn=lookup,dc=com" lookup_bind_password=topsecret user_dn_search_base_dn="dc=com"'
  expect(await set(`server_addr=127.0.0.1:9 ${named}`)).toContain('user_dn_search_filter')
  expect(await set(`server_addr=127.0.0.1:9 ${named} user_dn_search_filter="uid=anna"`)).toContain('%s')
  expect(await assume(NAMES, plain)).toMatchObject({ status: 400 })
  expect(await set(`server_addr=127.0.0.1:9 ${named} user_dn_search_filter="(uid=%s)"`)).toBe(200)
  expect(await assume(NAMES, plain)).toMatchObject({ status: 503 })
  const read = await plain.send({ path: '/minio/admin/v3/get-config-kv', query: 'key=identity_ldap' })
  expect((await openAdminBody(read.body, ROOT_CREDENTIALS.secretKey)).toString()).not.toContain('topsecret')
})
