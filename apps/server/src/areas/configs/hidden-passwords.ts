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
  // user:password@tcp(host:port)/dbname; the password may contain any character. The counts bound the time: each `@` is tried.
  dsn_string: { pattern: /^([^:@/]*:)(.+)(@(?:[a-z0-9]{1,64}\([^)]{0,512}\))?\/.*)$/is },
}

/** The begin of `password=…` in the syntax of libpq. */
const KEYWORD = /\bpassword\s*=\s*/gi

/**
 * Removes `password=…` in the syntax of libpq: bare, or in single quotes with backslash escapes. It is left out as a whole, because
 * libpq would read the text after `password= ` as the password. A quote that is not closed hides the rest.
 */
function withoutKeyword(text: string): string {
  const kept: string[] = []
  let from = 0
  for (const found of text.matchAll(KEYWORD)) {
    if (found.index < from) continue
    const start = found.index + found[0].length
    const end = text[start] === "'" ? quoteEnd(text, start + 1) : bareEnd(text, start)
    if (end === start) continue
    kept.push(text.slice(from, found.index).trimEnd())
    from = end
  }
  return kept.join('') + text.slice(from)
}

function quoteEnd(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === "'") return at + 1
  }
  return text.length
}

function bareEnd(text: string, start: number): number {
  const blank = /\s|$/g
  blank.lastIndex = start
  return blank.exec(text)?.index ?? text.length
}

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
    return withoutUrl === value ? withoutKeyword(value).trimStart() : withoutUrl
  }
  const rule = Object.hasOwn(RULES, key) ? RULES[key] : undefined
  return rule ? value.replace(rule.pattern, '$1$3') : value
}

/** Whether a new value leaves out the password of the present one and also differs in another part. */
export function lacksPassword(key: string, present: string, wanted: string): boolean {
  return withoutPassword(key, present) !== present && withoutPassword(key, wanted) === wanted
}
