/* The documents of IAM, stored as JSON in the named collections. Times are ms since 1970. */

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

/** `iam-user-policies` and `iam-group-policies`, by name; `iam-ldap-user-policies` and `…-group-policies`, by distinguished name. */
export interface MappingRecord {
  policies: string[]
  updatedAt: number
}

/** `iam-sessions`, by temporary access key. */
export interface SessionRecord {
  secretKey: string
  /** The user whose rights the session has. */
  parent: string
  /** Set for a user of an identity provider or a directory: its claims or groups. The parent is then not a built-in user. */
  external?: ExternalUser
  /** A MAC of the parent's secret key at the start of the session; when that key changes, the session ends. */
  parentMac?: string
  /** The key of `iam-session-keys` that signed the token and `parentMac`. */
  keyId?: string
  expiresAt: number
  /** JSON text; narrows the parent's rights. */
  sessionPolicy?: string
  /** Group of sessions that are revoked together. */
  revokeType?: string
}

/** A user of an identity provider or directory. Its name contains "=", which names of built-in users cannot. */
export type ExternalUser = OpenIdRecord | LdapRecord

/** Facts about a user from an identity provider. */
export interface OpenIdRecord {
  /** Absent in records of the first versions, which only supported this kind. */
  kind?: 'openid'
  /** The provider of the token; absent in records of the first versions. */
  provider?: { configUrl: string; clientId: string }
  /** Names of policies. */
  policies: string[]
  /** Values of the condition keys `jwt:…`, by name without `jwt:`. */
  claims: Record<string, string[]>
}

/** Facts about a user from a directory. Its policies are those attached to its name and its groups. */
export interface LdapRecord {
  kind: 'ldap'
  /** The sign-in name; the session's parent is the distinguished name. */
  username: string
  /** Distinguished names. */
  groups: string[]
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
  /** As in sessions: the parent is an external user. */
  external?: ExternalUser
  status: 'on' | 'off'
  /** JSON text; narrows the parent's rights. Undefined: inherits. */
  policy?: string
  /** Policies of the credential that created this one. Each restricts it too. */
  bounds?: string[]
  name?: string
  description?: string
  expiresAt?: number
  /** Absent in accounts of earlier versions. */
  createdAt?: number
  updatedAt: number
}

/** `iam-key-use`, by the access key of a user or service account. */
export interface KeyUseRecord {
  /** Day of the last use: days since 1970, UTC. */
  day: number
}
