import type { CallerAccess } from '@stowage/iam-policy'
import type { ExternalUser } from './iam-records.ts'

/** The authenticated caller of a request. */
export interface IamIdentity {
  /** The access key that signed the request. */
  readonly accessKey: string
  readonly secretKey: string
  readonly kind: 'root' | 'user' | 'session' | 'service-account'
  /** The user whose rights apply; for derived credentials the parent. */
  readonly user: string
  readonly groups: readonly string[]
  /** Claims or groups of an external user; undefined for built-in users. */
  readonly external?: ExternalUser
  /** JSON texts of the policies that restrict a session or service account; empty for users. */
  readonly narrowedBy: readonly string[]
  /** The policies of the caller. */
  readonly access: CallerAccess
}
