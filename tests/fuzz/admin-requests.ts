import fc from 'fast-check'
import type { FuzzBody, FuzzRequest } from './fuzz-request.ts'
import {
  booleanText,
  bucketName,
  fuzzText,
  GROUPS,
  jsonLike,
  oddText,
  POLICIES,
  percentEncode,
  requestQuery,
  SECRET,
  USERS,
} from './random-texts.ts'
import { caller, emptyBody, emptyText, signature, type TextGenerators } from './request-parts.ts'
import { json, userPolicy } from './xml-documents.ts'

/* All calls of the admin API of the store. */

interface AdminCall {
  method: string
  path: string
  query?: TextGenerators
  body?: fc.Arbitrary<FuzzBody>
}

const sealed = (example: unknown) =>
  jsonLike(example).map((value): FuzzBody => ({ kind: 'sealed', text: JSON.stringify(value) ?? '' }))
const user = fuzzText(...USERS)
const group = fuzzText(...GROUPS)
const policy = fuzzText(...POLICIES)
const status = fuzzText('enabled', 'disabled')

const ADMIN: readonly AdminCall[] = [
  ...['accountinfo', 'info', 'storageinfo', 'datausageinfo', 'list-users', 'groups', 'list-canned-policies'].map(
    (name): AdminCall => ({ method: 'GET', path: name, query: { 'prefix-usage': booleanText } }),
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
  { method: 'GET', path: 'info-canned-policy', query: { name: policy, v: fuzzText('2') } },
  {
    method: 'PUT',
    path: 'set-user-or-group-policy',
    query: { policyName: policy, userOrGroup: fuzzText(...USERS, ...GROUPS), isGroup: booleanText },
  },
  { method: 'POST', path: 'idp/builtin/policy/attach', body: sealed({ policies: [POLICIES[0]], user: USERS[0] }) },
  { method: 'POST', path: 'idp/ldap/policy/attach', body: sealed({ policies: [POLICIES[0]], user: USERS[0] }) },
  { method: 'POST', path: 'idp/ldap/policy/detach', body: sealed({ policies: [POLICIES[0]], group: GROUPS[0] }) },
  { method: 'GET', path: 'idp/ldap/policy-entities' },
  { method: 'PUT', path: 'idp/ldap/add-service-account', body: sealed({ targetUser: USERS[0], name: 'fuzzed' }) },
  {
    method: 'GET',
    path: 'idp/ldap/list-access-keys',
    query: { userDN: user, listType: fuzzText('all', 'users-only') },
  },
  { method: 'GET', path: 'idp/ldap/list-access-keys-bulk', query: { listType: fuzzText('all'), all: booleanText } },
  {
    method: 'GET',
    path: 'idp/openid/list-access-keys-bulk',
    query: { listType: fuzzText('all', 'users-only'), all: booleanText, allConfigs: booleanText, configName: oddText },
  },
  { method: 'GET', path: 'export-iam' },
  { method: 'POST', path: 'idp/builtin/policy/detach', body: sealed({ policies: [POLICIES[0]], group: GROUPS[0] }) },
  { method: 'GET', path: 'lifecycle-status' },
  { method: 'POST', path: 'lifecycle-confirm-clock' },
  { method: 'GET', path: 'tier' },
  { method: 'GET', path: 'tier-stats' },
  { method: 'GET', path: 'tier/COLD', query: { 'read-only': booleanText } },
  { method: 'DELETE', path: 'tier/COLD', query: { force: booleanText } },
  {
    method: 'PUT',
    path: 'tier',
    query: { force: booleanText },
    body: sealed({ Version: 'v1', Type: 's3', Name: 'COLD', S3: { Endpoint: 'http://127.0.0.1:1', Bucket: 'cold' } }),
  },
  { method: 'POST', path: 'tier/COLD', body: sealed({ access: 'a', secret: SECRET }) },
  { method: 'GET', path: 'get-bucket-quota', query: { bucket: bucketName } },
  {
    method: 'GET',
    path: 'list-remote-targets',
    query: { bucket: bucketName, type: fuzzText('', 'replication') },
  },
  {
    method: 'PUT',
    path: 'set-remote-target',
    query: { bucket: bucketName, update: booleanText, bandwidth: booleanText },
    body: sealed({
      endpoint: '127.0.0.1:9',
      credentials: { accessKey: 'abc', secretKey: 'abcdefgh' },
      targetbucket: 'b',
      type: 'replication',
      bandwidthlimit: 0,
    }),
  },
  { method: 'DELETE', path: 'remove-remote-target', query: { bucket: bucketName, arn: oddText } },
  { method: 'POST', path: 'replication/diff', query: { bucket: bucketName, verbose: booleanText, arn: oddText } },
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
    query: { clientToken: fuzzText('', 'x'), forceStart: fuzzText('', 'false') },
    body: json({ recursive: true, dryRun: false, scanMode: 2 }),
  },
  { method: 'POST', path: 'heal/fuzz-one/a/b', query: { forceStop: emptyText }, body: json({}) },
  { method: 'POST', path: 'heal/fuzz-one', body: json({ recursive: true, dryRun: true, scanMode: 1 }) },
  { method: 'POST', path: 'background-heal/status' },
  { method: 'GET', path: 'get-config-kv', query: { key: fuzzText('api', 'site', 'api:x', 'nonsense') } },
  {
    method: 'PUT',
    path: 'set-config-kv',
    body: fuzzText('site comment="fuzz"', 'scanner speed=fast', 'heal bitrotscan=on', 'api nonsense=1').map(
      (line): FuzzBody => ({ kind: 'sealed', text: line }),
    ),
  },
  {
    method: 'DELETE',
    path: 'del-config-kv',
    body: fuzzText('scanner', 'site comment', 'site:x').map((line): FuzzBody => ({ kind: 'sealed', text: line })),
  },
  { method: 'GET', path: 'config' },
  { method: 'GET', path: 'idp-config/openid' },
  { method: 'GET', path: 'idp-config/ldap/_' },
  {
    method: 'PUT',
    path: 'idp-config/openid/fuzz',
    body: fuzzText('client_id=a', 'enable=off\nsite name=a', '').map(
      (line): FuzzBody => ({ kind: 'sealed', text: line }),
    ),
  },
  {
    method: 'POST',
    path: 'idp-config/ldap/_',
    body: fuzzText('sts_expiry=2h', 'x').map((line): FuzzBody => ({ kind: 'sealed', text: line })),
  },
  { method: 'DELETE', path: 'idp-config/openid/fuzz' },
  {
    method: 'PUT',
    path: 'check-config-kv',
    body: fuzzText('api requests_max=x', 'site name="a" region=b', 'x').map(
      (line): FuzzBody => ({ kind: 'sealed', text: line }),
    ),
  },
  { method: 'GET', path: 'help-config-kv', query: { subSys: fuzzText('', 'api'), key: fuzzText('', 'requests_max') } },
  { method: 'GET', path: 'list-config-history-kv', query: { count: fuzzText('1', '1000', 'x') } },
  { method: 'PUT', path: 'restore-config-history-kv', query: { restoreId: fuzzText('none', 'all') } },
  { method: 'GET', path: 'refused-events', query: { target: fuzzText('notify_nsq', 'notify_x:y', 'api') } },
  { method: 'POST', path: 'refused-events', query: { target: fuzzText('notify_nsq', 'notify_x:y', 'api') } },
  { method: 'DELETE', path: 'refused-events', query: { target: fuzzText('notify_nsq', 'notify_x:y', 'api') } },
  { method: 'POST', path: 'test-notification-target', query: { target: fuzzText('notify_nsq', 'notify_x:y', 'api') } },
  { method: 'DELETE', path: 'clear-config-history-kv', query: { restoreId: fuzzText('none', 'all') } },
  {
    method: 'POST',
    path: 'revoke-tokens/builtin',
    query: { user, tokenRevokeType: fuzzText('fuzz'), fullRevoke: booleanText },
  },
  // Never restarts or stops the server.
  {
    method: 'POST',
    path: 'service',
    query: { action: fuzzText('freeze', 'unfreeze'), 'dry-run': fc.constant('true') },
  },
  {
    method: 'PUT',
    path: 'add-service-account',
    body: sealed({ accessKey: 'fuzz-account', secretKey: 'a long secret' }),
  },
  {
    method: 'POST',
    path: 'profile',
    query: {
      profilerType: fuzzText('cpu', 'mem', 'cpu,mem', 'goroutines', ''),
      duration: fuzzText('100ms', '99ms', '1h', 'x'),
    },
  },
  { method: 'POST', path: 'profiling/start', query: { profilerType: fuzzText('cpu', 'mem,cpu', 'x') } },
  { method: 'GET', path: 'profiling/download' },
  {
    method: 'POST',
    path: 'speedtest/drive',
    query: { filesize: fuzzText('1048576', '1', '-1', '1e12'), blocksize: fuzzText('65536', 'x'), serial: booleanText },
  },
  {
    method: 'POST',
    path: 'speedtest',
    query: {
      size: fuzzText('1', '65536', '-1', '1e9', '2199023255552'),
      concurrent: fuzzText('1', '2', '129', 'x'),
      duration: fuzzText('100ms', '1h', 'x'),
    },
  },
  { method: 'GET', path: 'inspect-data', query: { volume: fuzzText('a', '..', '.'), file: fuzzText('**', '../key') } },
  { method: 'GET', path: 'no-such-call' },
]

function adminRequest({ method, path: name, query = {}, body = emptyBody }: AdminCall): fc.Arbitrary<FuzzRequest> {
  const place = fc.oneof(
    { weight: 30, arbitrary: fc.constant(`/minio/admin/v3/${name}`) },
    { weight: 1, arbitrary: oddText.map((odd) => `/minio/admin/v3/${percentEncode(odd)}`) },
    { weight: 1, arbitrary: oddText.map((odd) => `/minio/admin/${percentEncode(odd)}/${name}`) },
  )
  return fc.record({ path: place, query: fc.record(query), body, as: caller, signed: signature }).map((request) => ({
    api: 'admin',
    method,
    ...request,
    query: requestQuery(Object.entries(request.query)),
    headers: name.startsWith('idp/') ? { 'content-type': 'application/octet-stream' } : {},
  }))
}

export const adminRequests = fc.oneof(...ADMIN.map((each) => adminRequest(each)))
