import { type CorsSetting, corsCodec } from './cors-codec.ts'
import { type DefaultEncryption, encryptionCodec } from './encryption-codec.ts'
import { type LifecycleSetting, lifecycleCodec } from './lifecycle-codec.ts'
import { type NotificationSetting, notificationCodec } from './notification-codec.ts'
import { type ObjectLockSetting, objectLockCodec } from './object-lock-codec.ts'
import { type BucketPolicySetting, policyCodec } from './policy-codec.ts'
import { type QuotaSetting, quotaCodec } from './quota-codec.ts'
import { type ReplicationSetting, replicationCodec } from './replication-codec.ts'
import type { SettingCodec } from './setting-codec.ts'
import { type TagSet, taggingCodec } from './tagging-codec.ts'
import { type VersioningSetting, versioningCodec } from './versioning-codec.ts'

/** Everything that can be set of a bucket. The names are part of what is stored. */
export interface BucketSettings {
  cors: CorsSetting
  encryption: DefaultEncryption
  lifecycle: LifecycleSetting
  notification: NotificationSetting
  'object-lock': ObjectLockSetting
  policy: BucketPolicySetting
  quota: QuotaSetting
  replication: ReplicationSetting
  tagging: TagSet
  versioning: VersioningSetting
}

export type BucketSettingName = keyof BucketSettings

export const bucketSettingCodecs: { readonly [Name in BucketSettingName]: SettingCodec<BucketSettings[Name]> } = {
  cors: corsCodec,
  encryption: encryptionCodec,
  lifecycle: lifecycleCodec,
  notification: notificationCodec,
  'object-lock': objectLockCodec,
  policy: policyCodec,
  quota: quotaCodec,
  replication: replicationCodec,
  tagging: taggingCodec,
  versioning: versioningCodec,
}

/** A setting as it was put. */
export interface BucketSetting<Value> {
  value: Value
  /** ms since 1970. */
  updatedAt: number
}

/** New values; `undefined` removes a setting. */
export type BucketSettingChanges = { [Name in BucketSettingName]?: BucketSettings[Name] | undefined }

export function isBucketSettingName(name: string): name is BucketSettingName {
  return Object.hasOwn(bucketSettingCodecs, name)
}
