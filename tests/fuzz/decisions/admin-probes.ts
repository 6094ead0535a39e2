import type { AdminActionName, AdminOperationName } from '@stowage/iam-policy'

/** A call of the admin API that changes nothing, whatever the verdict is. */
export interface AdminProbe {
  method: 'GET' | 'PUT' | 'POST' | 'DELETE'
  /** Below `/minio/admin/v3/`. */
  path: string
  query?: Record<string, string>
  action: AdminActionName
}

const NONE = 'no-such-thing'
const probe = (
  method: AdminProbe['method'],
  path: string,
  action: AdminActionName,
  query: Record<string, string> = {},
): AdminProbe => ({ method, path, action, query })
const config = (method: AdminProbe['method'], path: string, query: Record<string, string> = {}) =>
  probe(method, path, 'admin:ConfigUpdate', query)
const bucket = { bucket: NONE }

/**
 * One call of every operation of the admin API, or why there is none: a new one does not compile without a line. Bodies are
 * empty, so a call that is allowed fails after its right was checked.
 */
export const ADMIN_PROBES: Record<AdminOperationName, AdminProbe | string> = {
  AccountInfo: 'needs no right',
  ServerInfo: probe('GET', 'info', 'admin:ServerInfo'),
  StorageInfo: probe('GET', 'storageinfo', 'admin:StorageInfo'),
  DataUsageInfo: probe('GET', 'datausageinfo', 'admin:DataUsageInfo'),
  Service: probe('POST', 'service', 'admin:ServiceFreeze', { action: 'freeze' }),
  GetBucketQuota: probe('GET', 'get-bucket-quota', 'admin:GetBucketQuota', bucket),
  SetBucketQuota: probe('PUT', 'set-bucket-quota', 'admin:SetBucketQuota', bucket),
  AddUser: probe('PUT', 'add-user', 'admin:CreateUser', { accessKey: NONE }),
  RemoveUser: probe('DELETE', 'remove-user', 'admin:DeleteUser', { accessKey: NONE }),
  ListUsers: probe('GET', 'list-users', 'admin:ListUsers'),
  GetUserInfo: probe('GET', 'user-info', 'admin:GetUser', { accessKey: NONE }),
  SetUserStatus: probe('PUT', 'set-user-status', 'admin:DisableUser', { accessKey: NONE, status: 'disabled' }),
  UpdateGroupMembers: 'the right depends on the body',
  ListGroups: probe('GET', 'groups', 'admin:ListGroups'),
  GetGroup: probe('GET', 'group', 'admin:GetGroup', { group: NONE }),
  SetGroupStatus: probe('PUT', 'set-group-status', 'admin:EnableGroup', { group: NONE, status: 'enabled' }),
  ListCannedPolicies: probe('GET', 'list-canned-policies', 'admin:ListUserPolicies'),
  InfoCannedPolicy: probe('GET', 'info-canned-policy', 'admin:GetPolicy', { name: NONE }),
  AddCannedPolicy: probe('PUT', 'add-canned-policy', 'admin:CreatePolicy', { name: NONE }),
  RemoveCannedPolicy: probe('DELETE', 'remove-canned-policy', 'admin:DeletePolicy', { name: NONE }),
  SetPolicyForUserOrGroup: probe('PUT', 'set-user-or-group-policy', 'admin:AttachUserOrGroupPolicy', {
    policyName: NONE,
    userOrGroup: NONE,
    isGroup: 'false',
  }),
  AttachPolicy: 'one of two rights is enough',
  DetachPolicy: 'one of two rights is enough',
  AttachLDAPPolicy: 'one of two rights is enough',
  DetachLDAPPolicy: 'one of two rights is enough',
  ListPolicyMappingEntities: 'one of three rights is enough',
  ListLDAPPolicyMappingEntities: 'one of three rights is enough',
  AddServiceAccount: 'the right depends on the body',
  AddServiceAccountLDAP: 'the right depends on the body',
  UpdateServiceAccount: 'the right depends on the account',
  InfoServiceAccount: 'the right depends on the account',
  ListServiceAccounts: probe('GET', 'list-service-accounts', 'admin:ListServiceAccounts', { user: NONE }),
  DeleteServiceAccount: 'the right depends on the account',
  ListAccessKeysBulk: 'the right depends on the query',
  InfoAccessKey: 'the right depends on the account',
  TemporaryAccountInfo: probe('GET', 'temporary-account-info', 'admin:ListTemporaryAccounts', { accessKey: NONE }),
  ListAccessKeysLDAP: 'needs a directory',
  ListAccessKeysLDAPBulk: 'needs a directory',
  ListAccessKeysOpenIDBulk: 'needs a provider',
  RevokeTokens: 'the right depends on the session',
  ExportIAM: probe('GET', 'export-iam', 'admin:ExportIAM'),
  ImportIAM: probe('PUT', 'import-iam', 'admin:ImportIAM'),
  ImportIAMV2: probe('PUT', 'import-iam-v2', 'admin:ImportIAM'),
  ServerTrace: probe('GET', 'trace', 'admin:ServerTrace'),
  ConsoleLog: probe('GET', 'log', 'admin:ConsoleLog'),
  OBDInfo: 'takes seconds; the speed tests have the same right',
  Heal: 'would heal; HealBucket has the same right',
  HealBucket: probe('POST', `heal/${NONE}`, 'admin:Heal'),
  HealPrefix: probe('POST', `heal/${NONE}/${NONE}`, 'admin:Heal'),
  BackgroundHealStatus: probe('POST', 'background-heal/status', 'admin:Heal'),
  TopLocksInfo: probe('GET', 'top/locks', 'admin:TopLocksInfo'),
  Profile: probe('POST', 'profile', 'admin:Profiling', { profilerType: NONE }),
  StartProfiling: probe('POST', 'profiling/start', 'admin:Profiling', { profilerType: NONE }),
  DownloadProfilingData: probe('GET', 'profiling/download', 'admin:Profiling'),
  DriveSpeedtest: 'takes seconds; the speed test of objects has the same right',
  Speedtest: probe('POST', 'speedtest', 'admin:OBDInfo', { duration: '1h' }),
  ObjectSpeedtest: probe('POST', 'speedtest/object', 'admin:OBDInfo', { duration: '1h' }),
  InspectData: probe('GET', 'inspect-data', 'admin:InspectData'),
  AdminKMSStatus: probe('POST', 'kms/status', 'admin:KMSKeyStatus'),
  AdminKMSKeyStatus: probe('GET', 'kms/key/status', 'admin:KMSKeyStatus', { 'key-id': NONE }),
  AdminKMSCreateKey: probe('POST', 'kms/key/create', 'admin:KMSCreateKey', { 'key-id': '' }),
  ExportBucketMetadata: probe('GET', 'export-bucket-metadata', 'admin:ExportBucketMetadata', bucket),
  ImportBucketMetadata: probe('PUT', 'import-bucket-metadata', 'admin:ImportBucketMetadata', bucket),
  GetConfigKV: config('GET', 'get-config-kv', { key: NONE }),
  SetConfigKV: config('PUT', 'set-config-kv'),
  DelConfigKV: config('DELETE', 'del-config-kv'),
  GetConfig: config('GET', 'config'),
  SetConfig: config('PUT', 'config'),
  CheckConfigKV: config('PUT', 'check-config-kv'),
  HelpConfigKV: config('GET', 'help-config-kv', { subSys: NONE, key: '' }),
  ListIdentityProviderCfg: config('GET', `idp-config/${NONE}`),
  GetIdentityProviderCfg: config('GET', `idp-config/openid/${NONE}`),
  AddIdentityProviderCfg: config('PUT', `idp-config/openid/${NONE}`),
  UpdateIdentityProviderCfg: config('POST', `idp-config/openid/${NONE}`),
  DeleteIdentityProviderCfg: config('DELETE', `idp-config/openid/${NONE}`),
  ListConfigHistoryKV: config('GET', 'list-config-history-kv', { count: '1' }),
  ClearConfigHistoryKV: config('DELETE', 'clear-config-history-kv', { restoreId: NONE }),
  RestoreConfigHistoryKV: config('PUT', 'restore-config-history-kv', { restoreId: NONE }),
  TestNotificationTarget: config('POST', 'test-notification-target', { target: NONE }),
  ListRefusedEvents: config('GET', 'refused-events', { target: NONE }),
  ResendRefusedEvents: config('POST', 'refused-events', { target: NONE }),
  DropRefusedEvents: config('DELETE', 'refused-events', { target: NONE }),
  LifecycleStatus: probe('GET', 'lifecycle-status', 'admin:ServerInfo'),
  ConfirmLifecycleClock: 'would confirm the clock; the other settings have the same right',
  AddTier: probe('PUT', 'tier', 'admin:SetTier'),
  ListTier: probe('GET', 'tier', 'admin:ListTier'),
  EditTier: probe('POST', `tier/${NONE}`, 'admin:SetTier'),
  VerifyTier: probe('GET', `tier/${NONE}`, 'admin:ListTier'),
  RemoveTier: probe('DELETE', `tier/${NONE}`, 'admin:SetTier'),
  TierStats: probe('GET', 'tier-stats', 'admin:ListTier'),
  ListRemoteTargets: probe('GET', 'list-remote-targets', 'admin:GetBucketTarget', bucket),
  SetRemoteTarget: probe('PUT', 'set-remote-target', 'admin:SetBucketTarget', bucket),
  RemoveRemoteTarget: probe('DELETE', 'remove-remote-target', 'admin:SetBucketTarget', { ...bucket, arn: NONE }),
  ReplicationDiff: probe('POST', 'replication/diff', 'admin:ReplicationDiff', bucket),
  ReplicationMRF: probe('GET', 'replication/mrf', 'admin:ReplicationDiff', bucket),
  RetryReplication: probe('POST', 'replication/retry', 'admin:SetBucketTarget', { ...bucket, arn: NONE }),
  Metrics: 'has its own kind of credential',
}
