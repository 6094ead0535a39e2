/** Variables of a tenant by name. */
export type Variables = Readonly<Record<string, string>>

/** Characters that a value must not contain: the servers read the file line by line. */
const FORBIDDEN = /[\0-\x08\x0a-\x1f\x7f]/
/** Maximum size of a value (bytes). The servers refuse a file with a line of 64 KiB. */
const MAX_BYTES = 60_000

/** Whether a value can be written to the file. */
export function isConfigValue(value: string): boolean {
  return !FORBIDDEN.test(value) && Buffer.byteLength(value) <= MAX_BYTES
}

/**
 * Writes the `config.env` of a tenant: sorted, quoted, one line per variable. Nothing is escaped: MinIO and its operator remove
 * only the first and the last quote of a value, so `"a"b$c\"` stands for `a"b$c\`.
 */
export function writeConfigEnv(variables: Variables): string {
  return Object.keys(variables)
    .sort()
    .map((name) => `export ${name}="${variables[name] ?? ''}"\n`)
    .join('')
}

/** Parses a `config.env` from any source, as MinIO does: values with and without quotes, containing `=`, quotes or `$`. */
export function readConfigEnv(text: string): Record<string, string> {
  const variables = new Map<string, string>()
  for (const line of text.split(/\r?\n/)) {
    // Names of notification targets may contain hyphens and dots.
    const [, name, raw] = /^\s*(?:export\s+)?([^\s=#][^\s=]*)=(.*)$/s.exec(line) ?? []
    if (name !== undefined && raw !== undefined) variables.set(name, unquoted(raw.trimEnd()))
  }
  return Object.fromEntries(variables)
}

function unquoted(raw: string): string {
  const [first] = raw
  return raw.length >= 2 && (first === '"' || first === "'") && raw.endsWith(first) ? raw.slice(1, -1) : raw
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
