import type { Access } from '@stowage/iam-policy'

/** Who a request is from, once its credential is known. */
export interface Identity {
  /** What the request was signed with. */
  readonly accessKey: string
  readonly secretKey: string
  readonly kind: 'root' | 'user' | 'session' | 'service-account'
  /** The user whose rights count: of derived credentials their parent. */
  readonly user: string
  readonly groups: readonly string[]
  /** What the policies are asked with. */
  readonly access: Access
}
