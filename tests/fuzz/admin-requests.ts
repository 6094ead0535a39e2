import fc from 'fast-check'
import { json, userPolicy } from './documents.ts'
import { caller, empty, none, signature, type Texts } from './request-parts.ts'
import type { Body, FuzzRequest } from './requests.ts'
import {
  bucketName,
  encoded,
  GROUPS,
  likeJson,
  oddText,
  POLICIES,
  queryOf,
  SECRET,
  text,
  USERS,
  yesOrNo,
} from './texts.ts'

/* All calls of the admin API of the store. */

interface AdminCall {
  method: string
  path: string
  query?: Texts
  body?: fc.Arbitrary<Body>
}

const sealed = (example: unknown) =>
  likeJson(example).map((value): Body => ({ kind: 'sealed', text: JSON.stringify(value) ?? '' }))
const user = text(...USERS)
const group = text(...GROUPS)
const policy = text(...POLICIES)
const status = text('enabled', 'disabled')

const ADMIN: readonly AdminCall[] = [
  ...['accountinfo', 'info', 'storageinfo', 'datausageinfo', 'list-users', 'groups', 'list-canned-policies'].map(
    (name): AdminCall => ({ method: 'GET', path: name, query: { 'prefix-usage': yesOrNo } }),
  ),
  {
    method: 'PUT',
    path: 'add-user',
    query: { accessKey: user },
    body: sealed({ secretKey: SECRET, status: 'enabled' }),
  },
  { method: 'DELETE', path: 'remove-user', query: { accessKey: user } },
  { method: 'GET', path: 'user-info', query: { accessKey: user } },
  { method: 'PUT', path: 'set-user-status', query: { accessKey: user, status } },
  {
    method: 'PUT',
    path: 'update-group-members',
    body: json({ group: GROUPS[0], members: [...USERS], groupStatus: 'enabled', isRemove: false }),
  },
  {
    method: 'PUT',
    path: 'update-group-members',
    body: group.chain((name) => json({ group: name, members: [USERS[0]] })),
  },
  { method: 'GET', path: 'group', query: { group } },
  { method: 'PUT', path: 'set-group-status', query: { group, status } },
  { method: 'PUT', path: 'add-canned-policy', query: { name: policy }, body: json(userPolicy) },
  { method: 'PUT', path: 'add-canned-policy', query: { name: policy }, body: json(userPolicy) },
  { method: 'DELETE', path: 'remove-canned-policy', query: { name: policy } },
  { method: 'GET', path: 'info-canned-policy', query: { name: policy, v: text('2') } },
  {
    method: 'PUT',
    path: 'set-user-or-group-policy',
    query: { policyName: policy, userOrGroup: text(...USERS, ...GROUPS), isGroup: yesOrNo },
  },
  { method: 'POST', path: 'idp/builtin/policy/attach', body: sealed({ policies: [POLICIES[0]], user: USERS[0] }) },
  { method: 'POST', path: 'idp/ldap/policy/attach', body: sealed({ policies: [POLICIES[0]], user: USERS[0] }) },
  { method: 'POST', path: 'idp/ldap/policy/detach', body: sealed({ policies: [POLICIES[0]], group: GROUPS[0] }) },
  { method: 'GET', path: 'idp/ldap/policy-entities' },
  { method: 'PUT', path: 'idp/ldap/add-service-account', body: sealed({ targetUser: USERS[0], name: 'fuzzed' }) },
  { method: 'GET', path: 'idp/ldap/list-access-keys', query: { userDN: user, listType: text('all', 'users-only') } },
  { method: 'GET', path: 'idp/ldap/list-access-keys-bulk', query: { listType: text('all'), all: yesOrNo } },
  {
    method: 'GET',
    path: 'idp/openid/list-access-keys-bulk',
    query: { listType: text('all', 'users-only'), all: yesOrNo, allConfigs: yesOrNo, configName: oddText },
  },
  { method: 'GET', path: 'export-iam' },
  { method: 'POST', path: 'idp/builtin/policy/detach', body: sealed({ policies: [POLICIES[0]], group: GROUPS[0] }) },
  { method: 'GET', path: 'lifecycle-status' },
  { method: 'POST', path: 'lifecycle-confirm-clock' },
  { method: 'GET', path: 'tier' },
  { method: 'GET', path: 'tier-stats' },
  { method: 'GET', path: 'tier/COLD', query: { 'read-only': yesOrNo } },
  { method: 'DELETE', path: 'tier/COLD', query: { force: yesOrNo } },
  {
    method: 'PUT',
    path: 'tier',
    query: { force: yesOrNo },
    body: sealed({ Version: 'v1', Type: 's3', Name: 'COLD', S3: { Endpoint: 'http://127.0.0.1:1', Bucket: 'cold' } }),
  },
  { method: 'POST', path: 'tier/COLD', body: sealed({ access: 'a', secret: SECRET }) },
  { method: 'GET', path: 'get-bucket-quota', query: { bucket: bucketName } },
  {
    method: 'GET',
    path: 'list-remote-targets',
    query: { bucket: bucketName, type: text('', 'replication') },
  },
  {
    method: 'PUT',
    path: 'set-remote-target',
    query: { bucket: bucketName, update: yesOrNo, bandwidth: yesOrNo },
    body: sealed({
      endpoint: '127.0.0.1:9',
      credentials: { accessKey: 'abc', secretKey: 'abcdefgh' },
      targetbucket: 'b',
      type: 'replication',
      bandwidthlimit: 0,
    }),
  },
  { method: 'DELETE', path: 'remove-remote-target', query: { bucket: bucketName, arn: oddText } },
  { method: 'POST', path: 'replication/diff', query: { bucket: bucketName, verbose: yesOrNo, arn: oddText } },
  { method: 'GET', path: 'replication/mrf', query: { bucket: bucketName, arn: oddText } },
  { method: 'POST', path: 'replication/retry', query: { bucket: bucketName, arn: oddText } },
  {
    method: 'PUT',
    path: 'set-bucket-quota',
    query: { bucket: bucketName },
    body: json({ quota: 1e9, size: 1e9, quotatype: 'hard' }),
  },
  {
    method: 'POST',
    path: 'heal/',
    query: { clientToken: text('', 'x'), forceStart: text('', 'false') },
    body: json({ recursive: true, dryRun: false, scanMode: 2 }),
  },
  { method: 'POST', path: 'heal/fuzz-one/a/b', query: { forceStop: empty }, body: json({}) },
  { method: 'POST', path: 'heal/fuzz-one', body: json({ recursive: true, dryRun: true, scanMode: 1 }) },
  { method: 'POST', path: 'background-heal/status' },
  { method: 'GET', path: 'get-config-kv', query: { key: text('api', 'site', 'api:x', 'nonsense') } },
  {
    method: 'PUT',
    path: 'set-config-kv',
    body: text('site comment="fuzz"', 'scanner speed=fast', 'heal bitrotscan=on', 'api nonsense=1').map(
      (line): Body => ({ kind: 'sealed', text: line }),
    ),
  },
  {
    method: 'DELETE',
    path: 'del-config-kv',
    body: text('scanner', 'site comment', 'site:x').map((line): Body => ({ kind: 'sealed', text: line })),
  },
  { method: 'GET', path: 'config' },
  { method: 'GET', path: 'idp-config/openid' },
  { method: 'GET', path: 'idp-config/ldap/_' },
  {
    method: 'PUT',
    path: 'idp-config/openid/fuzz',
    body: text('client_id=a', 'enable=off\nsite name=a', '').map((line): Body => ({ kind: 'sealed', text: line })),
  },
  {
    method: 'POST',
    path: 'idp-config/ldap/_',
    body: text('sts_expiry=2h', 'x').map((line): Body => ({ kind: 'sealed', text: line })),
  },
  { method: 'DELETE', path: 'idp-config/openid/fuzz' },
  {
    method: 'PUT',
    path: 'check-config-kv',
    body: text('api requests_max=x', 'site name="a" region=b', 'x').map(
      (line): Body => ({ kind: 'sealed', text: line }),
    ),
  },
  { method: 'GET', path: 'help-config-kv', query: { subSys: text('', 'api'), key: text('', 'requests_max') } },
  { method: 'GET', path: 'list-config-history-kv', query: { count: text('1', '1000', 'x') } },
  { method: 'PUT', path: 'restore-config-history-kv', query: { restoreId: text('none', 'all') } },
  { method: 'GET', path: 'refused-events', query: { target: text('notify_nsq', 'notify_x:y', 'api') } },
  { method: 'POST', path: 'refused-events', query: { target: text('notify_nsq', 'notify_x:y', 'api') } },
  { method: 'DELETE', path: 'refused-events', query: { target: text('notify_nsq', 'notify_x:y', 'api') } },
  { method: 'POST', path: 'test-notification-target', query: { target: text('notify_nsq', 'notify_x:y', 'api') } },
  { method: 'DELETE', path: 'clear-config-history-kv', query: { restoreId: text('none', 'all') } },
  {
    method: 'POST',
    path: 'revoke-tokens/builtin',
    query: { user, tokenRevokeType: text('fuzz'), fullRevoke: yesOrNo },
  },
  // Never restarts or stops the server.
  { method: 'POST', path: 'service', query: { action: text('freeze', 'unfreeze'), 'dry-run': fc.constant('true') } },
  {
    method: 'PUT',
    path: 'add-service-account',
    body: sealed({ accessKey: 'fuzz-account', secretKey: 'a long secret' }),
  },
  {
    method: 'POST',
    path: 'profile',
    query: {
      profilerType: text('cpu', 'mem', 'cpu,mem', 'goroutines', ''),
      duration: text('100ms', '99ms', '1h', 'x'),
    },
  },
  { method: 'POST', path: 'profiling/start', query: { profilerType: text('cpu', 'mem,cpu', 'x') } },
  { method: 'GET', path: 'profiling/download' },
  {
    method: 'POST',
    path: 'speedtest/drive',
    query: { filesize: text('1048576', '1', '-1', '1e12'), blocksize: text('65536', 'x'), serial: yesOrNo },
  },
  {
    method: 'POST',
    path: 'speedtest',
    query: {
      size: text('1', '65536', '-1', '1e9', '2199023255552'),
      concurrent: text('1', '2', '129', 'x'),
      duration: text('100ms', '1h', 'x'),
    },
  },
  { method: 'GET', path: 'inspect-data', query: { volume: text('a', '..', '.'), file: text('**', '../key') } },
  { method: 'GET', path: 'no-such-call' },
]

function adminRequest({ method, path: name, query = {}, body = none }: AdminCall): fc.Arbitrary<FuzzRequest> {
  const place = fc.oneof(
    { weight: 30, arbitrary: fc.constant(`/minio/admin/v3/${name}`) },
    { weight: 1, arbitrary: oddText.map((odd) => `/minio/admin/v3/${encoded(odd)}`) },
    { weight: 1, arbitrary: oddText.map((odd) => `/minio/admin/${encoded(odd)}/${name}`) },
  )
  return fc.record({ path: place, query: fc.record(query), body, as: caller, signed: signature }).map((request) => ({
    api: 'admin',
    method,
    ...request,
    query: queryOf(Object.entries(request.query)),
    headers: name.startsWith('idp/') ? { 'content-type': 'application/octet-stream' } : {},
  }))
}

export const adminRequests = fc.oneof(...ADMIN.map((each) => adminRequest(each)))
