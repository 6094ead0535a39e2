/** Replaces a secret. */
export const REDACTED = '*REDACTED*'

/** Headers that grant access or decrypt data. `x-amz-copy-source-…` are those of a copy's source. */
const SECRET_HEADERS =
  /^(?:(?:proxy-)?authorization|cookie|set-cookie|x-amz-security-token|x-amz-signature|x-minio-[\w-]*token|x-stowage-(?:console|[\w-]*(?:secret|proof))|x-(?:amz|minio)-(?:copy-source-)?server-side-encryption-customer-key(?:-md5)?|x-minio-extract-token|x-(?:auth|api|access|csrf)-(?:token|key))$/i

/** Query and form fields with secrets, in S3, STS and webhooks. */
const SECRET_FIELDS =
  /^(?:x-amz-signature|x-amz-security-token|x-amz-credential|signature|awsaccesskeyid|(?:ldap)?password|webidentitytoken|token|access_token|client_?secret|secret_?key|private_?key|account_?key|dsn_string|connection_string|id_token|sessiontoken|secretaccesskey|auth_?token|client_?token|x-amz-server-side-encryption-customer-key)$/i

/** Whether the value of a header is a secret. */
export const isSecretHeader = cacheTest((name) => SECRET_HEADERS.test(name))

/** Whether the value of a query or form field is a secret. */
export const isSecretField = cacheTest((name) => SECRET_FIELDS.test(name))

const isSecretName = cacheTest((name) => SECRET_HEADERS.test(name) || SECRET_FIELDS.test(name))

/** Remembers answers: the same few names are asked about again and again. */
function cacheTest(test: (name: string) => boolean): (name: string) => boolean {
  const answers = new Map<string, boolean>()
  return (name) => {
    const known = answers.get(name)
    if (known !== undefined) return known
    const answer = test(name)
    // Clients choose names of headers, so the number and length of those that are remembered are limited.
    if (answers.size >= 500) answers.clear()
    if (name.length <= 64) answers.set(name, answer)
    return answer
  }
}

/** Returns headers with their secrets redacted, also those inside values, such as a presigned link in `Referer`. */
export function redactHeaders<T extends string | readonly string[]>(
  headers: Readonly<Record<string, T>>,
): Record<string, T | string[] | string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      if (typeof value === 'string') return [name, isSecretHeader(name) ? REDACTED : redactText(value)]
      return [name, isSecretHeader(name) ? [REDACTED] : value.map(redactText)]
    }),
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
      return isSecretField(decodeName(name)) ? `${name}=${REDACTED}` : pair
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
  return mapMembers(value, (member, name) => {
    if (!isSecretName(name)) return redactJson(member, depth + 1)
    return Array.isArray(member) ? [REDACTED] : REDACTED
  })
}

/** Returns an object with other members, or the same object if all of them are the same. */
export function mapMembers(value: object, other: (member: unknown, name: string) => unknown): object {
  const entries = Object.entries(value)
  let changed = false
  for (const entry of entries) {
    const [name, member] = entry
    entry[1] = other(member, name)
    changed ||= entry[1] !== member
  }
  return changed ? Object.fromEntries(entries) : value
}

function decodeName(name: string): string {
  const [plain = ''] = new URLSearchParams(name).keys()
  return plain
}
