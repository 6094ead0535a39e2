import type { Access } from '@stowage/iam-policy'
import type { ExternalUser } from './records.ts'

/** The authenticated caller of a request. */
export interface Identity {
  /** The access key that signed the request. */
  readonly accessKey: string
  readonly secretKey: string
  readonly kind: 'root' | 'user' | 'session' | 'service-account'
  /** The user whose rights count: of derived credentials their parent. */
  readonly user: string
  readonly groups: readonly string[]
  /** The claims of a user of an identity provider. Built-in users have none. */
  readonly external?: ExternalUser
  /** The JSON texts of the policies that narrow a session or service account; none for users. */
  readonly narrowedBy: readonly string[]
  /** The policies of the caller. */
  readonly access: Access
}
