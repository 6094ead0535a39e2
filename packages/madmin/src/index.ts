export type { ListedAccount, ListedOpenIdAccount } from './access-keys.ts'
export type { AccountBucket, AccountInfo, BucketDetails } from './account-info.ts'
export type { BucketQuota, QuotaType } from './bucket-quota.ts'
export type { ConfigChange, ConfigHelp, ConfigHistoryEntry, ConfigKeyHelp } from './config.ts'
export {
  type ConfigTarget,
  configLine,
  configTargetName,
  readConfigText,
  unreadableLines,
  unsendable,
} from './config-text.ts'
export type { BucketUsage, DataUsage } from './data-usage.ts'
export type { Drive } from './drive.ts'
export { MADMIN_CODES, MadminError, type MadminErrorCode } from './errors.ts'
export type { Group } from './groups.ts'
export { type HealDrive, type HealItem, type HealPath, type HealStatus, tokenOfRunningHeal } from './heal.ts'
export type { ClusterHealth } from './health.ts'
export { type JsonStream, LostRecords, readJsonStream } from './json-stream.ts'
export { KnownAnswers } from './known-answers.ts'
export type { LifecycleStatus } from './lifecycle-status.ts'
export { type BucketEvent, readBucketEvents } from './listen.ts'
export { createMadmin, type Madmin } from './madmin.ts'
export type { Policy } from './policies.ts'
export type { Entity, GroupPolicies, PolicyEntities } from './policy-attachments.ts'
export type { Decommission, ServerPool } from './pools.ts'
export { type NewRemoteTarget, type RemoteTarget, readReplicationFailure } from './remote-targets.ts'
export type { Revocation } from './revoke-tokens.ts'
export type { Connection, Retry } from './send.ts'
export type { Backend, ErasureSet, NotificationStatus, Server, ServerInfo } from './server-info.ts'
export type { ServiceAction, ServiceResult } from './service.ts'
export type { NewServiceAccount, ServiceAccount, ServiceAccountUpdate } from './service-accounts.ts'
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
export type { NewTier, Tier, TierType, TierUsage } from './tiers.ts'
export { readTraceRecord, TRACE_TYPES, type TraceHttp, type TraceOptions, type TraceRecord } from './trace.ts'
export {
  type AdminCall,
  type CallOptions,
  createTransport,
  type Transport,
  type TransportOptions,
} from './transport.ts'
export type { AccountStatus, User } from './users.ts'
