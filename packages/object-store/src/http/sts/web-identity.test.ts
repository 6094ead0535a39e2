import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openAdminBody, sealAdminBody } from '@stowage/madmin/sealing'
import type { SigningCredentials } from '@stowage/sigv4'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openIdRoleArn } from '../../iam/openid/openid-providers.ts'
import { setPolicy } from '../../iam/policies.ts'
import { setUser } from '../../iam/users.ts'
import type { SignInProvider } from '../../process/process-messages.ts'
import { egressTo, type HttpTestStore, ROOT_CREDENTIALS, startTestStore } from '../testing/test-store.ts'

let store: HttpTestStore
let issuer: string
let signInProviders: SignInProvider[] = []
let keysAsked = 0
let published: object[] = []
const first = await generateKeyPair('RS256')
const second = await generateKeyPair('ES256')
const foreign = await generateKeyPair('RS256')
/** Advances the verifier's clock, so that it may fetch keys again. */
let clockMs = 0

// Discovery and keys of a provider; the sign-in of a real one is in tests/browser/session/sso.test.ts.
const provider = createServer((request, response) => {
  response.setHeader('content-type', 'application/json')
  if (request.url === '/endless/.well-known/openid-configuration') {
    response.end(`{"issuer":"${issuer}/endless","jwks_uri":"${issuer}/huge"}`)
  } else if (request.url === '/huge') {
    response.end(`{"keys":[],"more":"${'x'.repeat(2 ** 21)}"}`)
  } else if (request.url === '/keys') {
    keysAsked++
    response.end(JSON.stringify({ keys: published }))
  } else response.end(JSON.stringify({ issuer, jwks_uri: `${issuer}/keys` }))
})

beforeAll(async () => {
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
  issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
  published = [{ ...(await exportJWK(first.publicKey)), kid: 'first', alg: 'RS256' }]
  const url = `${issuer}/.well-known/openid-configuration`
  const egress = egressTo('127.0.0.1')
  store = await startTestStore({
    environment: {
      MINIO_IDENTITY_OPENID_CONFIG_URL: url,
      MINIO_IDENTITY_OPENID_CLIENT_ID: 'stowage',
      MINIO_IDENTITY_OPENID_CONFIG_URL_ROLE: url,
      MINIO_IDENTITY_OPENID_CLIENT_ID_ROLE: 'with-role',
      MINIO_IDENTITY_OPENID_ROLE_POLICY_ROLE: 'readonly',
      MINIO_IDENTITY_OPENID_CONFIG_URL_ENDLESS: `${issuer}/endless/.well-known/openid-configuration`,
      MINIO_IDENTITY_OPENID_CLIENT_ID_ENDLESS: 'endless',
      MINIO_IDENTITY_OPENID_ROLE_POLICY_ENDLESS: 'readonly',
    },
    onSignInProviders: (providers) => {
      signInProviders = providers
    },
    openid: { egress: async () => egress, now: () => Date.now() + clockMs },
  })
  await store.engine.createBucket('photos')
})
afterAll(async () => {
  await store[Symbol.asyncDispose]()
  provider.closeAllConnections()
  provider.close()
})
const roleArn = openIdRoleArn('with-role')
const endlessArn = openIdRoleArn('endless')

interface Signing {
  key?: CryptoKey | Uint8Array
  header?: object
  expires?: number | string
}

const token = (claims: JWTPayload = {}, { key = first.privateKey, header = {}, expires = '1h' }: Signing = {}) =>
  new SignJWT({ policy: 'readwrite', ...claims })
    .setProtectedHeader({ alg: 'RS256', kid: 'first', ...header })
    .setIssuer((claims.iss as string | undefined) ?? issuer)
    .setAudience((claims.aud as string | undefined) ?? 'stowage')
    .setSubject((claims.sub as string | undefined) ?? 'anna')
    .setExpirationTime(expires)
    .sign(key)

async function assume(webIdentityToken: string, fields: Record<string, string> = {}) {
  const form = new URLSearchParams({
    Action: 'AssumeRoleWithWebIdentity',
    Version: '2011-06-15',
    WebIdentityToken: webIdentityToken,
    ...fields,
  })
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const answer = await store.send({ method: 'POST', credentials: 'anonymous', headers, body: form.toString() })
  const field = (name: string) => new RegExp(`<${name}>([^<]*)<`).exec(answer.text)?.[1] ?? ''
  const credentials: SigningCredentials = {
    accessKey: field('AccessKeyId'),
    secretKey: field('SecretAccessKey'),
    sessionToken: field('SessionToken'),
  }
  return { ...answer, field, credentials }
}

const listing = async (credentials: SigningCredentials) => {
  const { status, code } = await store.send({ credentials, path: '/photos', query: 'list-type=2' })
  return code ?? status
}

test('an ID token opens a session with the policies of its claim, until the token ends', async () => {
  const { status, field, credentials } = await assume(await token())
  expect(status).toBe(200)
  expect(field('SubjectFromWebIdentityToken')).toBe('anna')
  expect(Math.abs(Date.parse(field('Expiration')) - Date.now() - 3600_000)).toBeLessThan(10_000)
  expect(await listing(credentials)).toBe(200)
  const info = await store.send({ credentials, path: '/minio/admin/v3/accountinfo' })
  expect((JSON.parse(info.text) as { Policy: { Statement: unknown[] } }).Policy.Statement).toHaveLength(1)
})

test('a session policy narrows it, and unknown policies give nothing', async () => {
  const Policy = JSON.stringify({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: ['s3:GetObject'], Resource: ['arn:aws:s3:::*'] }],
  })
  expect(await listing((await assume(await token(), { Policy })).credentials)).toBe('AccessDenied')
  expect(await listing((await assume(await token({ policy: ['no-such-policy'] }))).credentials)).toBe('AccessDenied')
})

test('a role names the provider, and its policies count instead of the claim', async () => {
  const { credentials } = await assume(await token({ aud: 'with-role' }), { RoleArn: roleArn })
  expect(await listing(credentials)).toBe('AccessDenied')
  expect((await assume(await token(), { RoleArn: 'arn:minio:iam:::role/none' })).code).toBe('InvalidParameterValue')
})

test('policies can ask for claims', async () => {
  const document = {
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Action: ['s3:ListBucket'],
        Resource: ['arn:aws:s3:::photos'],
        Condition: { StringEquals: { 'jwt:email': 'anna@example.com' } },
      },
    ],
  }
  await setPolicy(store.server.iam, 'only-anna', JSON.stringify(document))
  const as = async (email: string) => listing((await assume(await token({ policy: 'only-anna', email }))).credentials)
  expect(await as('anna@example.com')).toBe(200)
  expect(await as('bob@example.com')).toBe('AccessDenied')
})

test('a user with the name of the session’s parent gets nothing of it, and cannot even be made', async () => {
  const { credentials } = await assume(await token())
  const { parent = '' } = store.server.iam.sessions.get(credentials.accessKey) ?? {}
  expect(parent).toMatch(/^openid=/)
  await expect(setUser(store.server.iam, parent, 'a-secret-key', 'enabled')).rejects.toMatchObject({
    code: 'XMinioAdminInvalidAccessKey',
  })
})

test('it can make service accounts, which keep the policies of the token and no more', async () => {
  const { credentials } = await assume(await token())
  const { accessKey, secretKey } = await newAccount(credentials)
  expect(await listing({ accessKey, secretKey })).toBe(200)
  const users = await store.send({ credentials: { accessKey, secretKey }, path: '/minio/admin/v3/list-users' })
  expect(users.code).toBe('AccessDenied')
  const { credentials: none } = await assume(await token({ sub: 'nobody', policy: 'no-such-policy' }))
  expect((await addAccount(none)).code).toBe('AccessDenied')
})

async function addAccount(credentials: SigningCredentials) {
  const body = Buffer.from(await sealAdminBody('{}', credentials.secretKey))
  return await store.send({ method: 'PUT', path: '/minio/admin/v3/add-service-account', credentials, body })
}

async function newAccount(credentials: SigningCredentials): Promise<SigningCredentials> {
  const text = (await openAdminBody((await addAccount(credentials)).body, credentials.secretKey)).toString()
  return (JSON.parse(text) as { credentials: SigningCredentials }).credentials
}

describe('access keys of users of providers', () => {
  const PATH = '/minio/admin/v3/idp/openid/list-access-keys-bulk'
  interface Listed {
    configName: string
    users: {
      minioAccessKey: string
      ID: string
      readableName: string
      serviceAccounts: SigningCredentials[]
      stsKeys: SigningCredentials[]
    }[]
  }
  const ask = (query: string, credentials: SigningCredentials = ROOT_CREDENTIALS) =>
    store.send({ path: PATH, query, credentials })
  const list = async (query: string, credentials: SigningCredentials = ROOT_CREDENTIALS) => {
    const { status, body } = await ask(query, credentials)
    expect(status).toBe(200)
    return JSON.parse((await openAdminBody(body, credentials.secretKey)).toString()) as Listed[]
  }
  const askForCode = async (query: string, credentials: SigningCredentials) => (await ask(query, credentials)).code
  const keys = (list: { accessKey: string }[] = []) => list.map(({ accessKey }) => accessKey)

  test('are listed by provider, user and kind', async () => {
    const { credentials } = await assume(await token({ sub: 'lister', preferred_username: 'the lister' }))
    const account = await newAccount(credentials)
    const role = await assume(await token({ sub: 'lister', aud: 'with-role' }), { RoleArn: roleArn })
    const parent = store.server.iam.sessions.get(credentials.accessKey)?.parent ?? ''
    const [fallback, ...others] = await list('listType=all&users=lister')
    expect([fallback?.configName, others]).toEqual(['_', []])
    expect(fallback?.users).toEqual([
      expect.objectContaining({ minioAccessKey: parent, ID: 'lister', readableName: 'the lister' }),
    ])
    expect(keys(fallback?.users[0]?.serviceAccounts)).toEqual([account.accessKey])
    expect(keys(fallback?.users[0]?.stsKeys)).toEqual([credentials.accessKey])
    expect(JSON.stringify(fallback)).not.toContain(credentials.secretKey)

    const roles = await list(`listType=all&configName=ROLE&users=${encodeURIComponent(parent)}`)
    expect(roles.map(({ configName, users }) => [configName, keys(users[0]?.stsKeys)])).toEqual([
      ['ROLE', [role.credentials.accessKey]],
    ])
    const everywhere = await list('listType=svcacc-only&all=true&allConfigs=true')
    expect(everywhere.map(({ configName }) => configName)).toEqual(expect.arrayContaining(['_', 'ENDLESS', 'ROLE']))
    const accounts = everywhere.flatMap(({ users }) => users).filter(({ ID }) => ID === 'lister')
    expect(accounts.map(({ serviceAccounts, stsKeys }) => [keys(serviceAccounts), stsKeys])).toEqual([
      [[account.accessKey], []],
    ])
    const names = (await list('listType=users-only&all=true'))[0]?.users.find(({ ID }) => ID === 'lister')
    expect(names).toMatchObject({ serviceAccounts: [], stsKeys: [] })
    expect((await list('listType=sts-only&users=no-such-user'))[0]?.users).toEqual([])
    expect((await list('listType=all'))[0]?.users).toEqual([])
  })

  test('of other users need the right, and own ones do not', async () => {
    const { credentials: own } = await assume(await token({ sub: 'owner' }))
    const { credentials: other } = await assume(await token({ sub: 'other' }))
    for (const query of ['', '&users=owner']) {
      const [{ users } = { users: [] }] = await list(`listType=all${query}`, own)
      expect(users.map(({ ID, stsKeys }) => [ID, keys(stsKeys)])).toEqual([['owner', [own.accessKey]]])
    }
    const parent = encodeURIComponent(store.server.iam.sessions.get(other.accessKey)?.parent ?? '')
    for (const query of ['all=true', 'users=other', `users=${parent}`, 'users=owner&users=other', 'users=']) {
      expect(await askForCode(`listType=all&${query}`, own), query).toBe('AccessDenied')
    }
    await setPolicy(
      store.server.iam,
      'no-lists',
      JSON.stringify({
        Version: '2012-10-17',
        Statement: [{ Effect: 'Deny', Action: ['admin:ListServiceAccounts'] }],
      }),
    )
    const { credentials: denied } = await assume(await token({ sub: 'denied', policy: 'no-lists,readwrite' }))
    expect(await askForCode('listType=all', denied)).toBe('AccessDenied')
  })

  test.each([
    ['listType=everything', 'InvalidRequest'],
    ['listType=all&all=true&users=x', 'InvalidRequest'],
    ['listType=all&configName=none', 'XMinioAdminNoSuchConfigTarget'],
    ['listType=all&configName=__proto__', 'XMinioAdminNoSuchConfigTarget'],
  ])('%s is refused', async (query, code) => {
    expect(await askForCode(query, ROOT_CREDENTIALS)).toBe(code)
  })
})

const unsigned = () => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = { iss: issuer, aud: 'stowage', sub: 'anna', exp: Date.now() / 1000 + 3600, policy: 'consoleAdmin' }
  return `${part({ alg: 'none' })}.${part(claims)}.`
}

test.each<[string, () => Promise<string> | string]>([
  ['alg none', unsigned],
  [
    'HS256 with the public key',
    async () =>
      token(
        {},
        { key: new TextEncoder().encode(JSON.stringify(await exportJWK(first.publicKey))), header: { alg: 'HS256' } },
      ),
  ],
  ['a key of somebody else', () => token({}, { key: foreign.privateKey })],
  ['another audience', () => token({ aud: 'another-client' })],
  ['another issuer', () => token({ iss: 'http://127.0.0.1:1' })],
  ['an end that is past', () => token({}, { expires: Math.floor(Date.now() / 1000) - 60 })],
  ['no policy', () => token({ policy: undefined })],
  ['what is no token', () => 'nonsense'],
  ['too much', () => 'x'.repeat(70_000)],
])('a token with %s opens nothing', async (_, made) => {
  const { status, code, field } = await assume(await made())
  expect([status, code ?? field('Code')]).toEqual([status === 413 ? 413 : 400, code ?? 'InvalidParameterValue'])
  expect(field('AccessKeyId')).toBe('')
})

test('a token of 12 KB is taken', async () => {
  expect(
    (await assume(await token({ groups: Array.from({ length: 300 }, (_, n) => `group-${n}-${'x'.repeat(24)}`) })))
      .status,
  ).toBe(200)
})

test('new keys of the provider are found, but asked for once a minute at most', async () => {
  await assume(await token())
  const before = keysAsked
  const made = await token({}, { key: second.privateKey, header: { alg: 'ES256', kid: 'second' } })
  expect((await assume(made)).status).toBe(400)
  published.push({ ...(await exportJWK(second.publicKey)), kid: 'second', alg: 'ES256' })
  for (let n = 0; n < 5; n++) expect((await assume(made)).status).toBe(400)
  expect(keysAsked).toBe(before)
  clockMs = 61_000
  expect((await assume(made)).status).toBe(200)
  expect(keysAsked).toBe(before + 1)
})

test('a provider whose answer has no end is given up', async () => {
  const { status } = await assume(await token({ iss: `${issuer}/endless`, aud: 'endless' }), { RoleArn: endlessArn })
  expect(status).toBe(503)
})

async function configure(text: string) {
  const body = Buffer.from(await sealAdminBody(text, ROOT_CREDENTIALS.secretKey))
  return await store.send({ method: 'PUT', path: '/minio/admin/v3/set-config-kv', body })
}

const openidConfig = (target: string, more: string) =>
  `identity_openid:${target} config_url=${issuer}/.well-known/openid-configuration ${more}`

test('a provider of the stored configuration is in force at once, until it is switched off', async () => {
  const made = await token({ aud: 'stored-client', roles: 'readwrite' })
  expect((await assume(made)).status).toBe(400)
  const answer = await configure(openidConfig('stored', 'client_id=stored-client claim_name=roles'))
  expect([answer.status, answer.headers['x-minio-config-applied']]).toEqual([200, 'true'])
  const { credentials } = await assume(made)
  const account = await newAccount(credentials)
  expect([await listing(credentials), await listing(account)]).toEqual([200, 200])
  await configure('identity_openid:stored enable=off')
  expect((await assume(made)).status).toBe(400)
  expect([await listing(credentials), await listing(account)]).toEqual(['InvalidAccessKeyId', 'InvalidAccessKeyId'])
  // Credentials of other providers stay.
  expect(await listing((await assume(await token())).credentials)).toBe(200)
  // A session has ended permanently; an access key works again.
  await configure('identity_openid:stored enable=on')
  expect([await listing(credentials), await listing(account)]).toEqual(['InvalidAccessKeyId', 200])
  // If another provider replaces the first one, its users are different users.
  await configure(`identity_openid:stored config_url=${issuer}/other/.well-known/openid-configuration`)
  expect(await listing(account)).toBe('InvalidAccessKeyId')
})

test('the secret of a client is stored encrypted, and never returned', async () => {
  const secret = 'a-secret-of-the-client'
  await configure(
    openidConfig('sealed', `client_id=sealed client_secret=${secret} redirect_uri=https://console.example/`),
  )
  const read = async (path: string, query: string) => {
    const { status, body } = await store.send({ path: `/minio/admin/v3/${path}`, query })
    expect(status).toBe(200)
    return (await openAdminBody(body, ROOT_CREDENTIALS.secretKey)).toString()
  }
  expect(await read('get-config-kv', 'key=identity_openid:sealed')).toContain('redirect_uri=https://console.example/')
  for (const text of [await read('get-config-kv', 'key=identity_openid:sealed'), await read('config', '')]) {
    expect(text).not.toContain(secret)
  }
  expect(signInProviders).toContainEqual(expect.objectContaining({ clientId: 'sealed', clientSecret: secret }))
  await configure('identity_openid:sealed enable=off')
  expect(signInProviders).toEqual([])
})

test('a role of the stored configuration has its policies', async () => {
  await configure(openidConfig('stored-role', 'client_id=role-client role_policy=readwrite'))
  const made = await token({ aud: 'role-client', policy: undefined })
  expect(await listing((await assume(made, { RoleArn: openIdRoleArn('role-client') })).credentials)).toBe(200)
})

test.each([
  ['no address', 'identity_openid:new client_id=new'],
  ['an address that is none', 'identity_openid:new client_id=new config_url=ldap://127.0.0.1'],
  ['the client of another provider', () => openidConfig('new', 'client_id=stowage')],
])('a provider with %s is refused', async (_, text) => {
  const { code } = await configure(typeof text === 'string' ? text : text())
  expect(code).toBe('XMinioAdminConfigBadJSON')
})

test('while a provider is unreachable, users of other providers can sign in', async () => {
  await configure('identity_openid:a-first config_url=http://127.0.0.1:1/ client_id=down')
  expect((await assume(await token())).status).toBe(200)
  await configure('identity_openid:a-first enable=off')
})
