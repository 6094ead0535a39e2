/*
 * Hides passwords inside longer values: servers return them, the browser must not get them. The browser sees a value without
 * its password; if it sends that back unchanged, the password is kept.
 */

interface PasswordPattern {
  /** Three groups: the text before the password, the password, the text after it. */
  readonly pattern: RegExp
}

const URL_PASSWORD: PasswordPattern = { pattern: /^([a-z][a-z0-9+.-]*:\/\/[^:@/?#]*:)([^@/?#]+)(@.*)$/is }

const RULES: Readonly<Record<string, PasswordPattern>> = {
  url: URL_PASSWORD,
  endpoint: URL_PASSWORD,
  broker: URL_PASSWORD,
  proxy: URL_PASSWORD,
  // user:password@tcp(host:port)/dbname; the password may contain any character.
  dsn_string: { pattern: /^([^:@/]*:)(.+)(@(?:[a-z0-9]+\([^)]*\))?\/.*)$/is },
}

/**
 * `password=…` in the syntax of libpq: bare, or in single quotes with backslash escapes. It is left out as a whole, because libpq
 * would read the text after `password= ` as the password.
 */
const KEYWORD = /\s*\bpassword\s*=\s*('(?:\\.|[^'\\])*'|[^\s']\S*)/gi

/** Keys whose whole value is a secret, by their names in servers of any release. */
const SECRET_KEYS: ReadonlySet<string> = new Set([
  'auth_token',
  'client_secret',
  'lookup_bind_password',
  'password',
  'sasl_password',
  'token',
  'secret_key',
  'license',
  'api_key',
])

export function isSecretKey(key: string): boolean {
  return SECRET_KEYS.has(key)
}

/** Returns the value without its password; unchanged if it has none. */
export function withoutPassword(key: string, value: string): string {
  if (key === 'connection_string') {
    const withoutUrl = value.replace(URL_PASSWORD.pattern, '$1$3')
    return withoutUrl === value ? value.replace(KEYWORD, '').trimStart() : withoutUrl
  }
  const rule = Object.hasOwn(RULES, key) ? RULES[key] : undefined
  return rule ? value.replace(rule.pattern, '$1$3') : value
}

/** Whether a new value leaves out the password of the present one and also differs in another part. */
export function lacksPassword(key: string, present: string, wanted: string): boolean {
  return withoutPassword(key, present) !== present && withoutPassword(key, wanted) === wanted
}
