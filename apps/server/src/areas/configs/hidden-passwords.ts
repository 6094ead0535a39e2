/*
 * Passwords inside longer values: servers show them, the browser does not get them. A value comes back without its password,
 * and is kept as it is when it is sent back like that.
 */

interface Rule {
  /** Three parts: what stands before the password, the password, what follows. */
  readonly pattern: RegExp
}

const URL_PASSWORD: Rule = { pattern: /^([a-z][a-z0-9+.-]*:\/\/[^:@/?#]*:)([^@/?#]+)(@.*)$/is }

const RULES: Readonly<Record<string, Rule>> = {
  url: URL_PASSWORD,
  endpoint: URL_PASSWORD,
  broker: URL_PASSWORD,
  proxy: URL_PASSWORD,
  // user:password@tcp(host:port)/dbname; the password may have any character.
  dsn_string: { pattern: /^([^:@/]*:)(.+)(@(?:[a-z0-9]+\([^)]*\))?\/.*)$/is },
}

/** `password=…` of libpq: bare, or in single quotes with backslashes. */
const KEYWORD = /(\bpassword\s*=\s*)('(?:\\.|[^'\\])*'|[^\s']\S*)/i

/** Keys whose value is a secret as a whole, as servers of any release call them. */
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

/** The value without the password in it; the same value when it has none. */
export function withoutPassword(key: string, value: string): string {
  if (key === 'connection_string') {
    const withoutUrl = value.replace(URL_PASSWORD.pattern, '$1$3')
    return withoutUrl === value ? value.replace(KEYWORD, '$1') : withoutUrl
  }
  const rule = Object.hasOwn(RULES, key) ? RULES[key] : undefined
  return rule ? value.replace(rule.pattern, '$1$3') : value
}

/** Whether a new value leaves out the password that the present one has, and differs in something else as well. */
export function lacksPassword(key: string, present: string, wanted: string): boolean {
  return withoutPassword(key, present) !== present && withoutPassword(key, wanted) === wanted
}
