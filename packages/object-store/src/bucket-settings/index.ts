import type { SettingCodec } from './codec.ts'
import { type Cors, corsCodec } from './cors.ts'
import { type DefaultEncryption, encryptionCodec } from './encryption.ts'
import { type Lifecycle, lifecycleCodec } from './lifecycle.ts'
import { type Notification, notificationCodec } from './notification.ts'
import { type ObjectLock, objectLockCodec } from './object-lock.ts'
import { type BucketPolicy, policyCodec } from './policy.ts'
import { type Quota, quotaCodec } from './quota.ts'
import { type Replication, replicationCodec } from './replication.ts'
import { type TagSet, taggingCodec } from './tagging.ts'
import { type Versioning, versioningCodec } from './versioning.ts'

/** Everything that can be set of a bucket. The names are part of what is stored. */
export interface BucketSettings {
  cors: Cors
  encryption: DefaultEncryption
  lifecycle: Lifecycle
  notification: Notification
  'object-lock': ObjectLock
  policy: BucketPolicy
  quota: Quota
  replication: Replication
  tagging: TagSet
  versioning: Versioning
}

export type SettingName = keyof BucketSettings

export const settingCodecs: { readonly [Name in SettingName]: SettingCodec<BucketSettings[Name]> } = {
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
export interface Setting<Value> {
  value: Value
  /** ms since 1970. */
  updatedAt: number
}

/** New values; `undefined` removes a setting. */
export type SettingChanges = { [Name in SettingName]?: BucketSettings[Name] | undefined }

export function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(settingCodecs, name)
}
