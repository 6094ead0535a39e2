/** Claims of a web identity token that a condition can use, as `jwt:` and the name of the claim. */
export const JWT_CLAIMS = [
  'sub',
  'iss',
  'aud',
  'jti',
  'upn',
  'name',
  'groups',
  'given_name',
  'family_name',
  'middle_name',
  'nickname',
  'preferred_username',
  'profile',
  'picture',
  'website',
  'email',
  'gender',
  'birthdate',
  'phone_number',
  'address',
  'scope',
  'client_id',
] as const

/** Keys about the caller: allowed with every s3 and admin action. */
const CALLER_KEYS: readonly string[] = [
  'aws:Referer',
  'aws:SourceIp',
  'aws:UserAgent',
  'aws:SecureTransport',
  'aws:CurrentTime',
  'aws:EpochTime',
  'aws:principaltype',
  'aws:userid',
  'aws:username',
  'aws:groups',
  'ldap:user',
  'ldap:username',
  'ldap:groups',
  ...JWT_CLAIMS.map((claim) => `jwt:${claim}`),
]

/** Keys allowed with every s3 action; the only ones that a `${variable}` may name. */
export const COMMON_KEYS: ReadonlySet<string> = new Set([
  ...CALLER_KEYS,
  's3:signatureversion',
  's3:authType',
  's3:signatureAge',
  's3:x-amz-content-sha256',
  's3:LocationConstraint',
])

export const ADMIN_KEYS: ReadonlySet<string> = new Set([...CALLER_KEYS, 'svc:DurationSeconds'])
export const STS_KEYS: ReadonlySet<string> = new Set(['sts:DurationSeconds'])

/** Returns a key without the part after the slash: `s3:ExistingObjectTag/env` is `s3:ExistingObjectTag`. */
export function keyName(key: string): string {
  const slash = key.indexOf('/')
  return slash < 0 ? key : key.slice(0, slash)
}
