import { ADMIN_KEYS, COMMON_KEYS, STS_KEYS } from '../language/condition-keys.ts'
import type { Dialect } from '../language/dialects.ts'
import { ADMIN_ACTIONS, ADMIN_ACTIONS_2021, ADMIN_ACTIONS_2025 } from './admin.ts'
import { KMS_ACTIONS } from './kms.ts'
import { type ActionLevel, S3_ACTIONS, type S3Action } from './s3.ts'
import { STS_ACTIONS } from './sts.ts'

/** All actions of a family, as a policy names them. */
export type FamilyWildcard = 's3:*' | 'admin:*'

export type ActionFamily = 's3' | 'admin' | 'kms' | 'sts'

export type S3ActionName = `s3:${keyof typeof S3_ACTIONS}`
export type AdminActionName = `admin:${
  | (typeof ADMIN_ACTIONS)[number]
  | (typeof ADMIN_ACTIONS_2025)[number]
  | (typeof ADMIN_ACTIONS_2021)[number]}`
export type KmsActionName = `kms:${(typeof KMS_ACTIONS)[number]}`
type StsActionName = `sts:${(typeof STS_ACTIONS)[number]}`

/** The full name of an action that a policy can name, without wildcards. A misspelled one does not compile. */
export type ActionName = S3ActionName | AdminActionName | KmsActionName | StsActionName

export interface ActionInfo {
  /** Full name, including the family: `s3:GetObject`. */
  name: ActionName
  family: ActionFamily
  level: ActionLevel
  /** Condition keys allowed in a statement with this action; absent: any key (kms). */
  conditionKeys?: ReadonlySet<string>
  /** Servers that accept the action in a policy. */
  servers: readonly Dialect[]
}

const ALL: readonly Dialect[] = ['stowage', 'minio-2025', 'minio-2021']
const SINCE_2025: readonly Dialect[] = ['stowage', 'minio-2025']
const ONLY_2021: readonly Dialect[] = ['minio-2021']

const s3 = ([name, action]: [string, S3Action]): ActionInfo => ({
  // Object.entries loses the type of the names.
  name: `s3:${name}` as S3ActionName,
  family: 's3',
  level: action.level,
  conditionKeys: new Set([...COMMON_KEYS, ...action.keys]),
  servers: action.since2025 ? SINCE_2025 : ALL,
})

const admin =
  (servers: readonly Dialect[]) =>
  (name: AdminActionName extends `admin:${infer Name}` ? Name : never): ActionInfo => ({
    name: `admin:${name}`,
    family: 'admin',
    level: 'account',
    conditionKeys: ADMIN_KEYS,
    servers,
  })

/** Every action that a policy can name, by its full name. */
export const ACTIONS: ReadonlyMap<string, ActionInfo> = new Map<string, ActionInfo>(
  [
    ...Object.entries(S3_ACTIONS).map(s3),
    ...ADMIN_ACTIONS.map(admin(ALL)),
    ...ADMIN_ACTIONS_2025.map(admin(SINCE_2025)),
    ...ADMIN_ACTIONS_2021.map(admin(ONLY_2021)),
    ...KMS_ACTIONS.map(
      (name): ActionInfo => ({ name: `kms:${name}`, family: 'kms', level: 'account', servers: SINCE_2025 }),
    ),
    ...STS_ACTIONS.map(
      (name): ActionInfo => ({
        name: `sts:${name}`,
        family: 'sts',
        level: 'account',
        conditionKeys: STS_KEYS,
        servers: SINCE_2025,
      }),
    ),
  ].map((info) => [info.name, info] as const),
)

/** Wildcards for a whole family, in families that accept no other wildcards. */
export const FAMILY_WILDCARDS: ReadonlyMap<string, ActionFamily> = new Map([
  ['admin:*', 'admin'],
  ['kms:*', 'kms'],
])

/** Returns what is known about an action; undefined for an unknown name. */
export function actionInfo(action: string): ActionInfo | undefined {
  return ACTIONS.get(action)
}

/** Returns a text as the name of an action; undefined for an unknown name or a pattern. */
export function toActionName(text: string): ActionName | undefined {
  return ACTIONS.get(text)?.name
}

/** Returns the family in front of the colon of an action or pattern; s3 for anything else. */
export function actionFamily(action: string): ActionFamily {
  if (action.startsWith('admin:')) return 'admin'
  if (action.startsWith('kms:')) return 'kms'
  if (action.startsWith('sts:')) return 'sts'
  return 's3'
}
