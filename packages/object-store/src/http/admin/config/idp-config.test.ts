import { openAdminBody, sealAdminBody } from '@stowage/madmin/sealing'
import type { SigningCredentials } from '@stowage/sigv4'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openIdRoleArn } from '../../../iam/openid/openid-providers.ts'
import { setPolicy } from '../../../iam/policies.ts'
import { setPolicies } from '../../../iam/policy-mappings.ts'
import { setUser } from '../../../iam/users.ts'
import { type HttpTestStore, ROOT_CREDENTIALS, startTestStore } from '../../testing/test-store.ts'

let store: HttpTestStore
beforeAll(async () => {
  store = await startTestStore({
    environment: {
      MINIO_IDENTITY_OPENID_CONFIG_URL_FIXED: 'https://id.example/.well-known/openid-configuration',
      MINIO_IDENTITY_OPENID_CLIENT_ID_FIXED: 'fixed',
      MINIO_IDENTITY_OPENID_CLIENT_SECRET_FIXED: 'secret-of-the-environment',
    },
  })
})
afterAll(() => store[Symbol.asyncDispose]())

async function call(method: string, path: string, text?: string, credentials: SigningCredentials = ROOT_CREDENTIALS) {
  const body = text === undefined ? undefined : Buffer.from(await sealAdminBody(text, credentials.secretKey))
  const answer = await store.send({
    method,
    path: `/minio/admin/v3/idp-config/${path}`,
    credentials,
    ...(body && { body }),
  })
  if (method !== 'GET' || answer.status !== 200) return answer.code ?? answer.status
  return JSON.parse((await openAdminBody(answer.body, credentials.secretKey)).toString()) as Record<string, unknown>
}

const OPENID = 'config_url=https://id.example/.well-known/openid-configuration'

test('a provider is added, listed, shown without its secret, changed, switched off and removed', async () => {
  expect(await call('PUT', 'openid/kc', `${OPENID} client_id=abc client_secret=top-secret role_policy=readonly`)).toBe(
    200,
  )
  const roleARN = openIdRoleArn('abc')
  expect(await call('GET', 'openid')).toEqual([
    { type: 'openid', name: '_', enabled: false },
    { type: 'openid', name: 'FIXED', enabled: true },
    { type: 'openid', name: 'kc', enabled: true, roleARN },
  ])
  expect(await call('POST', 'openid/kc', 'claim_name=roles enable=off')).toBe(200)
  const shown = await call('GET', 'openid/kc')
  expect(shown).toMatchObject({ type: 'openid', name: 'kc' })
  expect(shown).toHaveProperty(
    'info',
    expect.arrayContaining([{ key: 'claim_name', value: 'roles', isCfg: true, isEnv: false }]),
  )
  expect(shown).toHaveProperty(
    'info',
    expect.arrayContaining([{ key: 'roleARN', value: roleARN, isCfg: false, isEnv: false }]),
  )
  expect(JSON.stringify(shown)).not.toContain('top-secret')
  expect((await call('GET', 'openid')) as unknown).toContainEqual({
    type: 'openid',
    name: 'kc',
    enabled: false,
    roleARN,
  })
  expect(await call('DELETE', 'openid/kc')).toBe(200)
  expect(await call('GET', 'openid/kc')).toBe('XMinioAdminNoSuchConfigTarget')
})

test('a provider of the environment is shown as such, and cannot be removed', async () => {
  const shown = await call('GET', 'openid/FIXED')
  expect(shown).toHaveProperty(
    'info',
    expect.arrayContaining([{ key: 'client_id', value: 'fixed', isCfg: true, isEnv: true }]),
  )
  expect(JSON.stringify(shown)).not.toContain('secret-of-the-environment')
  expect(await call('DELETE', 'openid/FIXED')).toBe('XMinioAdminConfigEnvOverridden')
})

test('the directory has one configuration, which can be switched off', async () => {
  const ldap = 'server_addr=127.0.0.1:9 username_format="uid=%s,dc=com"'
  expect(await call('GET', 'ldap')).toEqual([{ type: 'ldap', name: '_', enabled: false }])
  expect(await call('POST', 'ldap/_', 'sts_expiry=2h')).toBe('XMinioAdminConfigIDPCfgNameDoesNotExist')
  expect(await call('PUT', 'ldap/other', ldap)).toBe('XMinioAdminConfigLDAPNonDefaultConfigName')
  expect(await call('PUT', 'ldap/_', ldap)).toBe(200)
  expect(await call('PUT', 'ldap/_', ldap)).toBe('XMinioAdminConfigIDPCfgNameAlreadyExists')
  const form = 'Action=AssumeRoleWithLDAPIdentity&Version=2011-06-15&LDAPUsername=a&LDAPPassword=b'
  const signIn = async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    return (await store.send({ method: 'POST', credentials: 'anonymous', headers, body: form })).text
  }
  expect(await signIn()).not.toContain('not configured')
  expect(await call('POST', 'ldap/_', 'enable=off')).toBe(200)
  expect(await signIn()).toContain('not configured')
  expect(await call('GET', 'ldap')).toEqual([{ type: 'ldap', name: '_', enabled: false }])
  expect(await call('DELETE', 'ldap/_')).toBe(200)
})

test.each([
  ['an unknown type', 'PUT', 'saml/x', 'a=b', 'XMinioAdminConfigInvalidIDPType'],
  ['a second line', 'PUT', 'openid/two', `${OPENID} client_id=two\nsite name=stolen`, 'XMinioConfigError'],
  ['an unknown key', 'PUT', 'openid/odd', `${OPENID} client_id=odd nonsense=1`, 'XMinioConfigError'],
  ['no client', 'PUT', 'openid/odd', OPENID, 'XMinioAdminConfigBadJSON'],
  ['a name with blanks', 'PUT', 'openid/a%20b', `${OPENID} client_id=odd`, 'XMinioConfigError'],
  ['a name with a line break', 'PUT', 'openid/a%0Ab', `${OPENID} client_id=odd`, 'XMinioConfigError'],
  ['nothing to remove', 'DELETE', 'openid/none', undefined, 'XMinioAdminNoSuchConfigTarget'],
])('%s is refused', async (_, method, path, text, code) => {
  expect(await call(method, path, text)).toBe(code)
})

test('only those with the right to change the configuration may', async () => {
  const { iam } = store.server
  const user = { accessKey: 'reader', secretKey: 'reader-secret' }
  await setUser(iam, user.accessKey, user.secretKey, 'enabled')
  const Statement = [{ Effect: 'Allow', Action: ['admin:ListUsers', 'admin:ServerInfo'] }]
  await setPolicy(iam, 'reader', JSON.stringify({ Version: '2012-10-17', Statement }))
  await setPolicies(iam, { kind: 'user', name: 'reader' }, ['reader'])
  for (const [method, path, text] of [
    ['GET', 'openid', undefined],
    ['GET', 'openid/FIXED', undefined],
    ['PUT', 'openid/planted', `${OPENID} client_id=planted role_policy=consoleAdmin`],
    ['POST', 'openid/FIXED', 'enable=off'],
    ['DELETE', 'openid/FIXED', undefined],
  ] as const) {
    expect(await call(method, path, text, user)).toBe('AccessDenied')
  }
})
