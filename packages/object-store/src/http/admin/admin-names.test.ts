import { sealAdminBody } from '@stowage/madmin/sealing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkIamName, type IamNameKind, MAX_NAME_BYTES } from '../../iam/iam-names.ts'
import { type HttpTestStore, type RawRequest, ROOT_CREDENTIALS, startTestStore } from '../testing/test-store.ts'
import { allAdminEndpoints } from './admin-router.ts'

/* With any name, a call of the admin API gets a clear answer, and the store keeps running. */

let store: HttpTestStore
beforeAll(async () => {
  store = await startTestStore()
  await store.engine.createBucket('sound')
  await send('PUT', 'add-user?accessKey=member', { body: await sealed({ secretKey: 'longenough', status: 'enabled' }) })
})
afterAll(() => store[Symbol.asyncDispose]())

const OCTETS = { 'content-type': 'application/octet-stream' }
const sealed = (value: object) => sealAdminBody(JSON.stringify(value), ROOT_CREDENTIALS.secretKey)
const POLICY = JSON.stringify({ Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: ['admin:Heal'] }] })

function send(method: string, call: string, more: Partial<RawRequest> = {}) {
  const [path = '', query = ''] = call.split('?')
  return store.send({ method, path: `/minio/admin/v3/${path}`, query, region: '', ...more })
}

type NamedCall = (name: string) => Promise<{ status: number; code: string | undefined }>

/** Each position of a name in each call. Names in a query are percent-encoded, in a body they are JSON. */
const CALLS: Record<string, NamedCall[]> = {
  AddUser: [
    async (name) => {
      const body = await sealed({ secretKey: 'longenough', status: 'enabled' })
      return send('PUT', `add-user?accessKey=${encode(name)}`, { body })
    },
  ],
  RemoveUser: [(name) => send('DELETE', `remove-user?accessKey=${encode(name)}`)],
  GetUserInfo: [(name) => send('GET', `user-info?accessKey=${encode(name)}`)],
  SetUserStatus: [(name) => send('PUT', `set-user-status?accessKey=${encode(name)}&status=disabled`)],
  UpdateGroupMembers: [
    (name) => send('PUT', 'update-group-members', { body: JSON.stringify({ group: name, members: ['member'] }) }),
    (name) => send('PUT', 'update-group-members', { body: JSON.stringify({ group: 'sound', members: [name] }) }),
    (name) =>
      send('PUT', 'update-group-members', { body: JSON.stringify({ group: name, members: [], isRemove: true }) }),
  ],
  GetGroup: [(name) => send('GET', `group?group=${encode(name)}`)],
  SetGroupStatus: [(name) => send('PUT', `set-group-status?group=${encode(name)}&status=disabled`)],
  InfoCannedPolicy: [(name) => send('GET', `info-canned-policy?name=${encode(name)}`)],
  AddCannedPolicy: [(name) => send('PUT', `add-canned-policy?name=${encode(name)}`, { body: POLICY })],
  SetPolicyForUserOrGroup: [
    (name) => send('PUT', `set-user-or-group-policy?policyName=readonly&userOrGroup=${encode(name)}&isGroup=false`),
    (name) => send('PUT', `set-user-or-group-policy?policyName=readonly&userOrGroup=${encode(name)}&isGroup=true`),
    (name) => send('PUT', `set-user-or-group-policy?policyName=x${encode(name)}&userOrGroup=member&isGroup=false`),
  ],
  AttachPolicy: [
    async (user) => attach('attach', { policies: ['readonly'], user }),
    async (group) => attach('attach', { policies: ['readonly'], group }),
    async (policy) => attach('attach', { policies: [policy], user: 'member' }),
  ],
  DetachPolicy: [async (user) => attach('detach', { policies: ['readonly'], user })],
  AddServiceAccount: [
    async (accessKey) => add({ accessKey, secretKey: 'longenough' }),
    async (name) => add({ targetUser: `x${name}` }),
  ],
  UpdateServiceAccount: [
    async (name) => send('POST', `update-service-account?accessKey=${encode(name)}`, { body: await sealed({}) }),
  ],
  InfoServiceAccount: [(name) => send('GET', `info-service-account?accessKey=${encode(name)}`)],
  ListServiceAccounts: [(name) => send('GET', `list-service-accounts?user=x${encode(name)}`)],
  DeleteServiceAccount: [(name) => send('DELETE', `delete-service-account?accessKey=${encode(name)}`)],
  InfoAccessKey: [(name) => send('GET', `info-access-key?accessKey=${encode(name)}`)],
  TemporaryAccountInfo: [(name) => send('GET', `temporary-account-info?accessKey=${encode(name)}`)],
  GetBucketQuota: [(name) => send('GET', `get-bucket-quota?bucket=${encode(name)}`)],
  AdminKMSCreateKey: [(name) => send('POST', `kms/key/create?key-id=${encode(name)}`)],
  AddIdentityProviderCfg: [
    async (name) =>
      send('PUT', `idp-config/openid/x!${encode(name)}`, {
        body: await sealAdminBody('client_id=a enable=off', ROOT_CREDENTIALS.secretKey),
      }),
  ],
  UpdateIdentityProviderCfg: [
    async (name) =>
      send('POST', `idp-config/openid/x!${encode(name)}`, {
        body: await sealAdminBody('client_id=a', ROOT_CREDENTIALS.secretKey),
      }),
  ],
  GetIdentityProviderCfg: [(name) => send('GET', `idp-config/openid/x!${encode(name)}`)],
  DeleteIdentityProviderCfg: [(name) => send('DELETE', `idp-config/openid/x!${encode(name)}`)],
  ListIdentityProviderCfg: [(name) => send('GET', `idp-config/x${encode(name)}`)],
  GetConfigKV: [(name) => send('GET', `get-config-kv?key=x${encode(name)}`)],
  SetConfigKV: [
    async (name) =>
      send('PUT', 'set-config-kv', { body: await sealAdminBody(`x${name} comment=y`, ROOT_CREDENTIALS.secretKey) }),
    async (name) =>
      send('PUT', 'set-config-kv', { body: await sealAdminBody(`region:x${name} name=y`, ROOT_CREDENTIALS.secretKey) }),
  ],
  DelConfigKV: [
    async (name) =>
      send('DELETE', 'del-config-kv', { body: await sealAdminBody(`x${name}`, ROOT_CREDENTIALS.secretKey) }),
  ],
  SetConfig: [
    async (name) =>
      send('PUT', 'config', { body: await sealAdminBody(`x${name} comment=y`, ROOT_CREDENTIALS.secretKey) }),
  ],
  HelpConfigKV: [(name) => send('GET', `help-config-kv?subSys=x${encode(name)}&key=`)],
  RestoreConfigHistoryKV: [(name) => send('PUT', `restore-config-history-kv?restoreId=${encode(name)}`)],
  AddTier: [
    async (name) => {
      const S3 = { Endpoint: 'http://127.0.0.1:1', AccessKey: 'a', SecretKey: 's', Bucket: 'b' }
      return send('PUT', 'tier', { body: await sealed({ Type: 's3', Name: name, S3 }) })
    },
  ],
  EditTier: [
    async (name) =>
      send('POST', `tier/x${encode(name)}`, { body: await sealed({ access: 'a', secret: 'longenough' }) }),
  ],
  VerifyTier: [(name) => send('GET', `tier/x${encode(name)}`)],
  ListRemoteTargets: [(name) => send('GET', `list-remote-targets?bucket=x${encode(name)}`)],
  SetRemoteTarget: [
    async (name) => send('PUT', `set-remote-target?bucket=x${encode(name)}`, { body: await sealed({}) }),
    async (arn) => send('PUT', 'set-remote-target?bucket=sound&update=true', { body: await sealed({ arn }) }),
  ],
  RemoveRemoteTarget: [
    (name) => send('DELETE', `remove-remote-target?bucket=x${encode(name)}&arn=a`),
    (arn) => send('DELETE', `remove-remote-target?bucket=sound&arn=${encode(arn)}`),
  ],
  ReplicationDiff: [(name) => send('POST', `replication/diff?bucket=x${encode(name)}`)],
  ReplicationMRF: [(name) => send('GET', `replication/mrf?bucket=x${encode(name)}`)],
  RetryReplication: [
    (name) => send('POST', `replication/retry?bucket=x${encode(name)}&arn=a`),
    (arn) => send('POST', `replication/retry?bucket=sound&arn=${encode(arn)}`),
  ],
  ListRefusedEvents: [(name) => send('GET', `refused-events?target=x${encode(name)}`)],
  ResendRefusedEvents: [(name) => send('POST', `refused-events?target=x${encode(name)}`)],
  DropRefusedEvents: [(name) => send('DELETE', `refused-events?target=x${encode(name)}`)],
  TestNotificationTarget: [(name) => send('POST', `test-notification-target?target=x${encode(name)}`)],
  SetBucketQuota: [(name) => send('PUT', `set-bucket-quota?bucket=${encode(name)}`, { body: '{"size":1}' })],
}

/** Calls without names, and those for which an unknown name is not an error. */
const WITHOUT = [
  'AccountInfo',
  'ServerInfo',
  'StorageInfo',
  'DataUsageInfo',
  'Service',
  'ListUsers',
  'ListGroups',
  'ListCannedPolicies',
  'RemoveCannedPolicy',
  'ListPolicyMappingEntities',
  // Names of a directory: `ldap.test.ts`.
  'AttachLDAPPolicy',
  'DetachLDAPPolicy',
  'ListLDAPPolicyMappingEntities',
  'AddServiceAccountLDAP',
  'ListAccessKeysLDAP',
  'ListAccessKeysLDAPBulk',
  'ListAccessKeysOpenIDBulk',
  'ListAccessKeysBulk',
  'RevokeTokens',
  'AdminKMSStatus',
  'AdminKMSKeyStatus',
  'ExportBucketMetadata',
  // Names in archives: `iam-archive.test.ts`.
  'ExportIAM',
  'ImportIAM',
  'ImportIAMV2',
  'ImportBucketMetadata',
  'GetConfig',
  // It returns a list of errors.
  'CheckConfigKV',
  'ListConfigHistoryKV',
  'ClearConfigHistoryKV',
  'ServerTrace',
  'ConsoleLog',
  'OBDInfo',
  'TopLocksInfo',
  'Profile',
  'StartProfiling',
  'DownloadProfilingData',
  'DriveSpeedtest',
  'InspectData',
  'InspectData',
  'Speedtest',
  'ObjectSpeedtest',
  // A heal of a missing bucket starts, and then stops with the reason.
  'Heal',
  'HealBucket',
  'HealPrefix',
  'BackgroundHealStatus',
  'ListTier',
  'RemoveTier',
  'TierStats',
  'LifecycleStatus',
  'ConfirmLifecycleClock',
]

async function add(body: object) {
  return send('PUT', 'add-service-account', { body: await sealed(body) })
}

async function attach(operation: string, body: object) {
  return send('POST', `idp/builtin/policy/${operation}`, { headers: OCTETS, body: await sealed(body) })
}

/** Like `encodeURIComponent`, but sends a lone surrogate as the bytes of broken clients. */
const encode = (name: string) => (name === '\ud800' ? '%ED%A0%80' : encodeURIComponent(name))

const BAD = {
  'of 2,000 bytes': 'x'.repeat(2000),
  'of 8,000 bytes': 'x'.repeat(8000),
  'one byte too long': `${'é'.repeat(MAX_NAME_BYTES / 2)}x`,
  empty: '',
  'of a blank': ' ',
  'with a blank at its end': 'name ',
  'with a line break': 'na\nme',
  'with a zero byte': 'na\0me',
  'that is no Unicode': '\ud800',
  'that is a folder': '..',
}

test('every call is in the table, or has no name as a parameter', () => {
  expect([...Object.keys(CALLS), ...WITHOUT].sort()).toEqual(allAdminEndpoints.map(({ name }) => name).sort())
})

describe.each(Object.entries(CALLS))('%s', (_, calls) => {
  test.each(Object.entries(BAD))('a name %s is refused clearly', async (_kind, name) => {
    for (const call of calls) {
      const { status, code } = await call(name)
      expect([status, code]).toEqual([
        expect.toSatisfy((value: number) => value === 400 || value === 404),
        expect.any(String),
      ])
    }
  })
})

test.each<[string, NamedCall]>([
  ['RemoveTier', (name) => send('DELETE', `tier/x${encode(name)}`)],
  ['RemoveCannedPolicy', (name) => send('DELETE', `remove-canned-policy?name=${encode(name)}`)],
  [
    'RevokeTokens',
    (name) => send('POST', `revoke-tokens/builtin?user=x${encode(name)}&tokenRevokeType=${encode(name)}`),
  ],
  ['ListAccessKeysBulk', (name) => send('GET', `list-access-keys-bulk?listType=all&users=${encode(name)}`)],
  [
    'ListPolicyMappingEntities',
    (name) => {
      const query = ['user', 'group', 'policy'].map((kind) => `${kind}=${encode(name)}`).join('&')
      return send('GET', `idp/builtin/policy-entities?${query}`)
    },
  ],
])('%s finds nothing for a name that cannot be', async (_, call) => {
  for (const name of Object.values(BAD)) expect((await call(name)).status).toBeLessThan(500)
})

test.each<[IamNameKind, string, string | undefined]>([
  ['user', 'x'.repeat(MAX_NAME_BYTES), undefined],
  ['user', 'x'.repeat(MAX_NAME_BYTES + 1), 'XMinioAdminInvalidAccessKey'],
  ['group', 'x'.repeat(MAX_NAME_BYTES + 1), 'XMinioInvalidGroupName'],
  ['policy', 'x'.repeat(MAX_NAME_BYTES + 1), 'XMinioInvalidResource'],
  ['user', 'Zoë with spaces/and a slash', undefined],
  ['group', '開発', undefined],
  ['policy', 'a=b', undefined],
  ['user', 'a=b', 'XMinioAdminInvalidAccessKey'],
  ['group', 'a,b', 'XMinioInvalidGroupName'],
  ['policy', 'a,b', 'XMinioInvalidResource'],
  ['policy', ' a', 'XMinioInvalidResource'],
  ['policy', 'a\ufffd', 'XMinioInvalidUTF'],
])('the name of a %s %s: %s', (kind, name, code) => {
  const check = () => checkIamName(kind, name)
  if (code === undefined) expect(check).not.toThrow()
  else expect(check).toThrow(expect.objectContaining({ code }))
})

test('after all that the store writes, and has what it acknowledged', async () => {
  expect((await store.send({ method: 'PUT', path: '/sound/key', body: 'x' })).status).toBe(200)
  expect((await send('GET', 'user-info?accessKey=member')).status).toBe(200)
  const longest = 'u'.repeat(MAX_NAME_BYTES)
  const body = await sealed({ secretKey: 'longenough', status: 'enabled' })
  expect((await send('PUT', `add-user?accessKey=${longest}`, { body })).status).toBe(200)
  const mapping = `set-user-or-group-policy?policyName=readonly&userOrGroup=${longest}&isGroup=false`
  expect((await send('PUT', mapping)).status).toBe(200)
})
