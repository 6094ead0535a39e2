export type { ListedAccount, ListedOpenIdAccount } from './iam/access-keys.ts'
export type { AccountBucket, AccountInfo, AccountBucketDetails } from './buckets/account-info.ts'
export type { BucketQuota, BucketQuotaType } from './buckets/bucket-quota.ts'
export type { ConfigChangeResult, ConfigHelp, ConfigHistoryEntry, ConfigKeyHelp } from './config/config.ts'
export {
  type ConfigTextTarget,
  formatConfigLine,
  formatConfigTarget,
  readConfigText,
  findUnreadableLines,
  findUnsendable,
} from './config/config-text.ts'
export type { BucketUsageInfo, DataUsage } from './buckets/data-usage.ts'
export type { DriveInfo } from './servers/drive.ts'
export { MADMIN_CODES, MadminError, type MadminErrorCode } from './transport/madmin-error.ts'
export type { AdminGroup } from './iam/groups.ts'
export { type HealDrive, type HealItemInfo, type HealScope, type HealStatus, findRunningHealToken } from './servers/heal.ts'
export type { ClusterHealth } from './servers/health.ts'
export { type JsonStream, LostRecords, readJsonStream } from './transport/json-stream.ts'
export { AnswerCache } from './transport/known-answers.ts'
export type { LifecycleStatusInfo } from './buckets/lifecycle-status.ts'
export { type BucketEventRecord, readBucketEvents } from './buckets/bucket-events.ts'
export { createMadmin, type Madmin } from './madmin.ts'
export type { AdminPolicy } from './iam/policies.ts'
export type { PolicyEntity, GroupPolicyMapping, PolicyEntities } from './iam/policy-attachments.ts'
export type { Decommission, ServerPool } from './servers/pools.ts'
export { type NewRemoteTarget, type RemoteTargetInfo, readReplicationFailure } from './buckets/remote-targets.ts'
export type { Revocation } from './iam/revoke-tokens.ts'
export type { StorageConnection, AdminRetryOptions } from './transport/send.ts'
export type { StorageBackend, ErasureSet, NotificationStatus, ServerState, ServerInfo } from './servers/server-info.ts'
export type { ServiceAction, ServiceResult } from './servers/service.ts'
export type { AddServiceAccountRequest, ServiceAccountInfo, ServiceAccountUpdate } from './iam/service-accounts.ts'
export type { StorageInfo } from './servers/storage-info.ts'
export {
  type AssumeRoleRequest,
  assumeRole,
  assumeRoleWithLdapIdentity,
  assumeRoleWithWebIdentity,
  type StsOptions,
  type TemporaryCredentials,
} from './sts/sts.ts'
export { STS_CODES, StsError, type StsErrorCode } from './sts/sts-error.ts'
export type { NewTier, TierInfo, TierType, TierUsage } from './buckets/tiers.ts'
export { readTraceRecord, TRACE_TYPES, type TraceHttp, type AdminTraceOptions, type TraceRecord } from './servers/trace.ts'
export {
  type AdminCall,
  type AdminCallOptions,
  createTransport,
  type Transport,
  type TransportOptions,
} from './transport/transport.ts'
export type { AccountStatus, AdminUser } from './iam/users.ts'
