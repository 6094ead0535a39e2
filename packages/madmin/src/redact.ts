/** Replaces a secret. */
export const REDACTED = '*REDACTED*'

/** Headers that grant access or decrypt data. `x-amz-copy-source-…` are those of a copy's source. */
const SECRET_HEADERS =
  /^(?:(?:proxy-)?authorization|cookie|set-cookie|x-amz-security-token|x-amz-signature|x-minio-[\w-]*token|x-stowage-[\w-]*(?:secret|proof)|x-(?:amz|minio)-(?:copy-source-)?server-side-encryption-customer-key(?:-md5)?|x-minio-extract-token|x-(?:auth|api|access|csrf)-(?:token|key))$/i

/** Query and form fields with secrets, in S3, STS and webhooks. */
const SECRET_FIELDS =
  /^(?:x-amz-signature|x-amz-security-token|x-amz-credential|signature|awsaccesskeyid|(?:ldap)?password|webidentitytoken|token|access_token|client_?secret|secret_?key|private_?key|account_?key|dsn_string|connection_string|id_token|sessiontoken|secretaccesskey|auth_?token|client_?token|x-amz-server-side-encryption-customer-key)$/i

/** Whether the value of a header is a secret. */
export function isSecretHeader(name: string): boolean {
  return SECRET_HEADERS.test(name)
}

/** Whether the value of a query or form field is a secret. */
export function isSecretField(name: string): boolean {
  return SECRET_FIELDS.test(name)
}

/** Returns headers with their secrets redacted. */
export function redactHeaders<T extends string | readonly string[]>(
  headers: Readonly<Record<string, T>>,
): Record<string, T | string[] | string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      isSecretHeader(name) ? (typeof value === 'string' ? REDACTED : [REDACTED]) : value,
    ]),
  )
}

/**
 * Returns a query, without its question mark, with its secrets redacted. Names are compared decoded: `%58-Amz-Signature` too.
 */
export function redactQuery(query: string): string {
  if (!/[sp%tkc]/i.test(query)) return query
  return query
    .split('&')
    .map((pair) => {
      const [name = ''] = pair.split('=', 1)
      return isSecretField(decoded(name)) ? `${name}=${REDACTED}` : pair
    })
    .join('&')
}

/** Returns a path and query with secrets redacted. */
export function redactUrl(url: string): string {
  const mark = url.indexOf('?')
  return mark < 0 ? url : `${url.slice(0, mark + 1)}${redactQuery(url.slice(mark + 1))}`
}

/** Part of every text that `redactText` changes. Most texts contain none of these words. */
const SUSPICIOUS =
  /credential|signature|security-token|ldappassword|webidentitytoken|authorization|cookie|customer-key|bearer/i

/** Returns a text with secrets redacted, such as the headers of a request in an error's variables. */
export function redactText(text: string): string {
  if (!SUSPICIOUS.test(text)) return text
  return text
    .replace(/((?:Credential|Signature)=)[^\s,"'\\]+/gi, `$1${REDACTED}`)
    .replace(
      /((?:X-Amz-(?:Signature|Security-Token|Credential)|LDAPPassword|WebIdentityToken)(?:=|%3D))[^\s&"'\\]+/gi,
      `$1${REDACTED}`,
    )
    .replace(
      // Headers as JSON, also as JSON inside a JSON text.
      /((?:X-Amz-Security-Token|Authorization|Cookie|Encryption-Customer-Key)\\*"\s*:\s*\[?\s*\\*")[^"\\]*/gi,
      `$1${REDACTED}`,
    )
    .replace(/(Bearer\s+)[\w.~+/-]+=*/gi, `$1${REDACTED}`)
}

/**
 * Returns a JSON value with the secrets in all its texts redacted; members named like secret headers or fields lose their
 * value.
 */
export function redactJson(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactText(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth > 64) return REDACTED
  if (Array.isArray(value)) return value.map((item) => redactJson(item, depth + 1))
  // Settings are lists of pairs.
  const { key } = value as { key?: unknown }
  if (typeof key === 'string' && 'value' in value && isSecretField(key)) return { ...value, value: REDACTED }
  const entries = Object.entries(value)
  let changed = false
  for (const entry of entries) {
    const [name, member] = entry
    entry[1] = isSecretName(name) ? (Array.isArray(member) ? [REDACTED] : REDACTED) : redactJson(member, depth + 1)
    changed ||= entry[1] !== member
  }
  return changed ? Object.fromEntries(entries) : value
}

/** Names that were asked about, most of them again and again. */
const secretNames = new Map<string, boolean>()

function isSecretName(name: string): boolean {
  const known = secretNames.get(name)
  if (known !== undefined) return known
  const secret = isSecretHeader(name) || isSecretField(name)
  // Clients choose names of headers, so the number and length of those that are remembered are limited.
  if (secretNames.size >= 500) secretNames.clear()
  if (name.length <= 64) secretNames.set(name, secret)
  return secret
}

function decoded(name: string): string {
  const [plain = ''] = new URLSearchParams(name).keys()
  return plain
}
