export type { AccountBucket, AccountBucketDetails, AccountInfo, AccountRights } from './buckets/account-info.ts'
export { type BucketEventRecord, readBucketEvents } from './buckets/bucket-events.ts'
export type { BucketQuota, BucketQuotaType } from './buckets/bucket-quota.ts'
export type { BucketUsageInfo, DataUsage } from './buckets/data-usage.ts'
export type { LifecycleStatusInfo } from './buckets/lifecycle-status.ts'
export { type NewRemoteTarget, type RemoteTargetInfo, readReplicationFailure } from './buckets/remote-targets.ts'
export type { NewTier, TierInfo, TierType, TierUsage } from './buckets/tiers.ts'
export type { ConfigChangeResult, ConfigHelp, ConfigHistoryEntry, ConfigKeyHelp } from './config/config.ts'
export {
  type ConfigTextTarget,
  findUnreadableLines,
  findUnsendable,
  formatConfigLine,
  formatConfigTarget,
  readConfigText,
} from './config/config-text.ts'
export type { ListedAccount, ListedOpenIdAccount } from './iam/access-keys.ts'
export type { AdminGroup } from './iam/groups.ts'
export type { AdminPolicy } from './iam/policies.ts'
export type { GroupPolicyMapping, PolicyEntities, PolicyEntity } from './iam/policy-attachments.ts'
export type { Revocation } from './iam/revoke-tokens.ts'
export type { AddServiceAccountRequest, ServiceAccountInfo, ServiceAccountUpdate } from './iam/service-accounts.ts'
export type { AccountStatus, AdminUser } from './iam/users.ts'
export { createMadmin, type Madmin } from './madmin.ts'
export type { DriveInfo } from './servers/drive.ts'
export {
  findRunningHealToken,
  type HealDrive,
  type HealItemInfo,
  type HealScope,
  type HealStatus,
} from './servers/heal.ts'
export type { ClusterHealth } from './servers/health.ts'
export type { Decommission, ServerPool } from './servers/pools.ts'
export type { ErasureSet, NotificationStatus, ServerInfo, ServerState, StorageBackend } from './servers/server-info.ts'
export type { ServiceAction, ServiceResult } from './servers/service.ts'
export type { StorageInfo } from './servers/storage-info.ts'
export {
  type AdminTraceOptions,
  readTraceRecord,
  TRACE_TYPES,
  type TraceHttp,
  type TraceRecord,
} from './servers/trace.ts'
export {
  type AssumeRoleRequest,
  assumeRole,
  assumeRoleWithLdapIdentity,
  assumeRoleWithWebIdentity,
  type StsOptions,
  type TemporaryCredentials,
} from './sts/sts.ts'
export { STS_CODES, StsError, type StsErrorCode } from './sts/sts-error.ts'
export { type JsonStream, LostRecords, readJsonStream } from './transport/json-stream.ts'
export { AnswerCache } from './transport/known-answers.ts'
export { MADMIN_CODES, MadminError, type MadminErrorCode } from './transport/madmin-error.ts'
export type { AdminRetryOptions, StorageConnection } from './transport/send.ts'
export {
  type AdminCall,
  type AdminCallOptions,
  createTransport,
  type Transport,
  type TransportOptions,
} from './transport/transport.ts'
