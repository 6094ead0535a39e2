/** Variables of a tenant by name. */
export type Variables = Readonly<Record<string, string>>

/** Characters that a value must not contain: the servers read the file line by line. */
const FORBIDDEN = /[\0-\x08\x0a-\x1f\x7f]/

/** Whether a value can be written to the file. */
export function isConfigValue(value: string): boolean {
  return !FORBIDDEN.test(value)
}

/** Writes the `config.env` of a tenant: sorted, quoted, one line per variable. */
export function writeConfigEnv(variables: Variables): string {
  return Object.keys(variables)
    .sort()
    .map((name) => `export ${name}="${(variables[name] ?? '').replace(/[\\"$`]/g, '\\$&')}"\n`)
    .join('')
}

/**
 * Parses a `config.env` from any source: values with and without quotes, containing `=`, escaped or not.
 * @see the original wrote values unescaped, so a quote within a value ends it only at the end of the line
 */
export function readConfigEnv(text: string): Record<string, string> {
  const variables = new Map<string, string>()
  for (const line of text.split(/\r?\n/)) {
    const [, name, raw] = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)=(.*)$/.exec(line) ?? []
    if (name !== undefined && raw !== undefined) variables.set(name, unquoted(raw.trim()))
  }
  return Object.fromEntries(variables)
}

function unquoted(raw: string): string {
  if (raw.length >= 2 && raw.startsWith("'") && raw.endsWith("'")) return raw.slice(1, -1)
  if (raw.length >= 2 && raw.startsWith('"') && raw.endsWith('"')) return raw.slice(1, -1).replace(/\\([\\"$`])/g, '$1')
  return raw
}

/** Names whose values are never shown. */
const SECRET = /(PASSWORD|SECRET|TOKEN|_KEY$|LICENSE|CREDENTIAL|PASSPHRASE|PRIVATE|API_KEY|DSN|CONNECTION_STRING)/i
/** Names that match but whose values are not secret. */
const PUBLIC = new Set(['MINIO_KMS_KES_KEY_FILE'])

export function isSecretName(name: string): boolean {
  return SECRET.test(name) && !PUBLIC.has(name)
}

/** Whether a value contains a credential in an address: `https://user:password@host`. */
export function hasCredential(value: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\/[^/\s@]*:[^/\s@]*@/i.test(value)
}
