import type { Access } from '@stowage/iam-policy'
import type { ExternalUser } from './records.ts'

/** Who a request is from, once its credential is known. */
export interface Identity {
  /** What the request was signed with. */
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
  /** What the policies are asked with. */
  readonly access: Access
}
