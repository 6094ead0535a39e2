/** The documents of IAM as they are stored, one JSON text each, in the collection named beside it. Times: ms since 1970. */

/** `iam-users`, by access key. */
export interface UserRecord {
  secretKey: string
  status: 'enabled' | 'disabled'
  updatedAt: number
}

/** `iam-groups`, by name. */
export interface GroupRecord {
  members: string[]
  status: 'enabled' | 'disabled'
  updatedAt: number
}

/** `iam-policies`, by name. */
export interface PolicyRecord {
  /** The document as JSON text in its normal form. */
  document: string
  createdAt: number
  updatedAt: number
}

/** `iam-user-policies` and `iam-group-policies`, by name of the user or group. */
export interface MappingRecord {
  policies: string[]
  updatedAt: number
}

/** `iam-sessions`, by temporary access key. */
export interface SessionRecord {
  secretKey: string
  /** The user whose rights the session has. */
  parent: string
  /** Of the secret key that the parent had when the session began; with another one the session has ended. */
  parentMac?: string
  /** The key of `iam-session-keys` that signed the token and `parentMac`. */
  keyId?: string
  expiresAt: number
  /** JSON text; narrows the parent's rights. */
  sessionPolicy?: string
  /** Group of sessions that are revoked together. */
  revokeType?: string
}

/** `iam-session-keys`, by ID. */
export interface SessionKeyRecord {
  /** Base64. */
  secret: string
  createdAt: number
}

/** `iam-service-accounts`, by access key. */
export interface ServiceAccountRecord {
  secretKey: string
  parent: string
  status: 'on' | 'off'
  /** JSON text; narrows the parent's rights. Undefined: inherits. */
  policy?: string
  /** The policies of the credential that made this one: each narrows as well. */
  bounds?: string[]
  name?: string
  description?: string
  expiresAt?: number
  updatedAt: number
}
