import type { AdminActionName, KmsActionName } from '../actions/catalogue.ts'

/** The rights that a call of the admin API needs. */
export interface AdminOperationRights<Name extends string = AdminActionName> {
  /** One of them is needed before the request is read. Empty: `depends` says what is needed. */
  readonly any: readonly Name[]
  /** Needed by requests that change what the action is about; the handler checks them. */
  readonly depends?: readonly Name[]
  /** For the caller's own entity, these are needed only in the sense that no policy may deny them. */
  readonly ownUnlessDenied?: true
}

const one = <Name extends string>(action: Name) => ({ any: [action] }) as const
const CONFIG = one('admin:ConfigUpdate')
const DIAGNOSTICS = one('admin:OBDInfo')
const PROFILING = one('admin:Profiling')
const HEAL = one('admin:Heal')
const INSPECT = one('admin:InspectData')
const IMPORT_IAM = {
  any: ['admin:ImportIAM'],
  // An import needs the rights of the calls that would make the same changes.
  depends: [
    'admin:CreatePolicy',
    'admin:CreateUser',
    'admin:EnableUser',
    'admin:DisableUser',
    'admin:AddUserToGroup',
    'admin:EnableGroup',
    'admin:DisableGroup',
    'admin:CreateServiceAccount',
    'admin:AttachUserOrGroupPolicy',
  ],
} as const
const ATTACH = { any: ['admin:UpdatePolicyAssociation', 'admin:AttachUserOrGroupPolicy'] } as const
const ENTITIES = { any: ['admin:ListGroups', 'admin:ListUsers', 'admin:ListUserPolicies'] } as const
const CREATE_ACCOUNT = { any: [], depends: ['admin:CreateServiceAccount'], ownUnlessDenied: true } as const
const LIST_ACCOUNTS = { any: [], depends: ['admin:ListServiceAccounts'], ownUnlessDenied: true } as const
const LIST_ALL_ACCOUNTS = {
  any: [],
  depends: ['admin:ListServiceAccounts', 'admin:ListUsers'],
  ownUnlessDenied: true,
} as const

/** Every call of the store's admin API, by the name that MinIO's source gives it. */
export const ADMIN_OPERATIONS = {
  AccountInfo: { any: [] },
  ServerInfo: one('admin:ServerInfo'),
  StorageInfo: one('admin:StorageInfo'),
  DataUsageInfo: one('admin:DataUsageInfo'),
  Service: { any: [], depends: ['admin:ServiceRestart', 'admin:ServiceStop', 'admin:ServiceFreeze'] },
  GetBucketQuota: one('admin:GetBucketQuota'),
  SetBucketQuota: one('admin:SetBucketQuota'),

  AddUser: { any: [], depends: ['admin:CreateUser', 'admin:EnableUser', 'admin:DisableUser'], ownUnlessDenied: true },
  RemoveUser: one('admin:DeleteUser'),
  ListUsers: one('admin:ListUsers'),
  GetUserInfo: { any: [], depends: ['admin:GetUser'], ownUnlessDenied: true },
  SetUserStatus: { any: ['admin:EnableUser', 'admin:DisableUser'] },
  UpdateGroupMembers: {
    any: ['admin:AddUserToGroup', 'admin:RemoveUserFromGroup'],
    depends: ['admin:DisableGroup'],
  },
  ListGroups: one('admin:ListGroups'),
  GetGroup: one('admin:GetGroup'),
  SetGroupStatus: { any: ['admin:EnableGroup', 'admin:DisableGroup'] },
  ListCannedPolicies: one('admin:ListUserPolicies'),
  InfoCannedPolicy: one('admin:GetPolicy'),
  AddCannedPolicy: one('admin:CreatePolicy'),
  RemoveCannedPolicy: one('admin:DeletePolicy'),
  SetPolicyForUserOrGroup: one('admin:AttachUserOrGroupPolicy'),
  AttachPolicy: ATTACH,
  DetachPolicy: ATTACH,
  AttachLDAPPolicy: ATTACH,
  DetachLDAPPolicy: ATTACH,
  ListPolicyMappingEntities: ENTITIES,
  ListLDAPPolicyMappingEntities: ENTITIES,

  AddServiceAccount: CREATE_ACCOUNT,
  AddServiceAccountLDAP: CREATE_ACCOUNT,
  UpdateServiceAccount: { any: [], depends: ['admin:UpdateServiceAccount'] },
  InfoServiceAccount: { any: [], depends: ['admin:ListServiceAccounts'] },
  ListServiceAccounts: { any: [], depends: ['admin:ListServiceAccounts'] },
  DeleteServiceAccount: { any: [], depends: ['admin:RemoveServiceAccount'], ownUnlessDenied: true },
  ListAccessKeysBulk: LIST_ALL_ACCOUNTS,
  InfoAccessKey: { any: [], depends: ['admin:ListServiceAccounts'] },
  TemporaryAccountInfo: one('admin:ListTemporaryAccounts'),
  ListAccessKeysLDAP: LIST_ACCOUNTS,
  ListAccessKeysLDAPBulk: LIST_ALL_ACCOUNTS,
  ListAccessKeysOpenIDBulk: LIST_ALL_ACCOUNTS,
  RevokeTokens: { any: [], depends: ['admin:RemoveServiceAccount'], ownUnlessDenied: true },
  ExportIAM: one('admin:ExportIAM'),
  ImportIAM: IMPORT_IAM,
  ImportIAMV2: IMPORT_IAM,

  ServerTrace: one('admin:ServerTrace'),
  ConsoleLog: one('admin:ConsoleLog'),
  OBDInfo: DIAGNOSTICS,
  Heal: HEAL,
  HealBucket: HEAL,
  HealPrefix: HEAL,
  BackgroundHealStatus: HEAL,
  TopLocksInfo: one('admin:TopLocksInfo'),
  Profile: PROFILING,
  StartProfiling: PROFILING,
  DownloadProfilingData: PROFILING,
  DriveSpeedtest: DIAGNOSTICS,
  Speedtest: DIAGNOSTICS,
  ObjectSpeedtest: DIAGNOSTICS,
  InspectData: INSPECT,
  AdminKMSStatus: one('admin:KMSKeyStatus'),
  AdminKMSKeyStatus: one('admin:KMSKeyStatus'),
  AdminKMSCreateKey: one('admin:KMSCreateKey'),

  ExportBucketMetadata: one('admin:ExportBucketMetadata'),
  ImportBucketMetadata: one('admin:ImportBucketMetadata'),
  GetConfigKV: CONFIG,
  SetConfigKV: CONFIG,
  DelConfigKV: CONFIG,
  GetConfig: CONFIG,
  SetConfig: CONFIG,
  CheckConfigKV: CONFIG,
  HelpConfigKV: CONFIG,
  ListIdentityProviderCfg: CONFIG,
  GetIdentityProviderCfg: CONFIG,
  AddIdentityProviderCfg: CONFIG,
  UpdateIdentityProviderCfg: CONFIG,
  DeleteIdentityProviderCfg: CONFIG,
  ListConfigHistoryKV: CONFIG,
  ClearConfigHistoryKV: CONFIG,
  RestoreConfigHistoryKV: CONFIG,
  TestNotificationTarget: CONFIG,
  ListRefusedEvents: CONFIG,
  ResendRefusedEvents: CONFIG,
  DropRefusedEvents: CONFIG,
  LifecycleStatus: one('admin:ServerInfo'),
  ConfirmLifecycleClock: CONFIG,
  AddTier: one('admin:SetTier'),
  ListTier: one('admin:ListTier'),
  EditTier: one('admin:SetTier'),
  VerifyTier: one('admin:ListTier'),
  RemoveTier: one('admin:SetTier'),
  TierStats: one('admin:ListTier'),
  ListRemoteTargets: one('admin:GetBucketTarget'),
  SetRemoteTarget: one('admin:SetBucketTarget'),
  RemoveRemoteTarget: one('admin:SetBucketTarget'),
  ReplicationDiff: one('admin:ReplicationDiff'),
  ReplicationMRF: one('admin:ReplicationDiff'),
  RetryReplication: one('admin:SetBucketTarget'),
  Metrics: one('admin:Prometheus'),
} as const satisfies Record<string, AdminOperationRights>

/** Every call of the store for encryption keys, below `/minio/kms/v1/`. */
export const KMS_OPERATIONS = {
  KMSStatus: one('kms:Status'),
  KMSVersion: one('kms:Version'),
  KMSListKeys: one('kms:ListKeys'),
  KMSKeyStatus: one('kms:KeyStatus'),
  KMSCreateKey: one('kms:CreateKey'),
} as const satisfies Record<string, AdminOperationRights<KmsActionName>>

export type AdminOperationName = keyof typeof ADMIN_OPERATIONS
export type KmsOperationName = keyof typeof KMS_OPERATIONS
