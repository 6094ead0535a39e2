export type { ListedAccount, ListedOpenIdAccount } from './access-keys.ts'
export type { AccountBucket, AccountInfo, AccountBucketDetails } from './account-info.ts'
export type { BucketQuota, BucketQuotaType } from './bucket-quota.ts'
export type { ConfigChangeResult, ConfigHelp, ConfigHistoryEntry, ConfigKeyHelp } from './config.ts'
export {
  type ConfigTextTarget,
  formatConfigLine,
  formatConfigTarget,
  readConfigText,
  findUnreadableLines,
  findUnsendable,
} from './config-text.ts'
export type { BucketUsageInfo, DataUsage } from './data-usage.ts'
export type { DriveInfo } from './drive.ts'
export { MADMIN_CODES, MadminError, type MadminErrorCode } from './errors.ts'
export type { AdminGroup } from './groups.ts'
export { type HealDrive, type HealItemInfo, type HealScope, type HealStatus, findRunningHealToken } from './heal.ts'
export type { ClusterHealth } from './health.ts'
export { type JsonStream, LostRecords, readJsonStream } from './json-stream.ts'
export { AnswerCache } from './known-answers.ts'
export type { LifecycleStatusInfo } from './lifecycle-status.ts'
export { type BucketEventRecord, readBucketEvents } from './listen.ts'
export { createMadmin, type Madmin } from './madmin.ts'
export type { AdminPolicy } from './policies.ts'
export type { PolicyEntity, GroupPolicyMapping, PolicyEntities } from './policy-attachments.ts'
export type { Decommission, ServerPool } from './pools.ts'
export { type NewRemoteTarget, type RemoteTargetInfo, readReplicationFailure } from './remote-targets.ts'
export type { Revocation } from './revoke-tokens.ts'
export type { StorageConnection, AdminRetryOptions } from './send.ts'
export type { StorageBackend, ErasureSet, NotificationStatus, ServerState, ServerInfo } from './server-info.ts'
export type { ServiceAction, ServiceResult } from './service.ts'
export type { AddServiceAccountRequest, ServiceAccountInfo, ServiceAccountUpdate } from './service-accounts.ts'
export type { StorageInfo } from './storage-info.ts'
export {
  type AssumeRoleRequest,
  assumeRole,
  assumeRoleWithLdapIdentity,
  assumeRoleWithWebIdentity,
  type StsOptions,
  type TemporaryCredentials,
} from './sts.ts'
export { STS_CODES, StsError, type StsErrorCode } from './sts-error.ts'
export type { NewTier, TierInfo, TierType, TierUsage } from './tiers.ts'
export { readTraceRecord, TRACE_TYPES, type TraceHttp, type AdminTraceOptions, type TraceRecord } from './trace.ts'
export {
  type AdminCall,
  type AdminCallOptions,
  createTransport,
  type Transport,
  type TransportOptions,
} from './transport.ts'
export type { AccountStatus, AdminUser } from './users.ts'
