/** Variables of a tenant by name. */
export type ConfigVariables = Readonly<Record<string, string>>

/**
 * How the servers of a tenant read their `config.env`. Images before 2021-12-18 run it as a shell script, so `\`, `"`, `$` and
 * backticks are escaped. Later servers and their operators take the text between the quotes as it is
 * (minio/minio@RELEASE.2021-12-18T04-42-33Z cmd/common-main.go), so an escaped password would be another password.
 */
export type ConfigForm = 'shell' | 'plain'

/** The first release that reads the file itself. */
const FIRST_PLAIN = '2021-12-18'
const ESCAPED = /\\[\\"$`]/g

/**
 * Returns the form for an image.
 * @param text the present file, which decides if the image does not name a release
 */
export function detectConfigForm(image: string | undefined, text = ''): ConfigForm {
  const date = /RELEASE\.(\d{4}-\d{2}-\d{2})T/.exec(image ?? '')?.[1]
  if (date) return date < FIRST_PLAIN ? 'shell' : 'plain'
  const quoted = text.split('\n').flatMap((line) => /="(.*)"\s*$/.exec(line)?.[1] ?? [])
  const hasEscaped = quoted.some((value) => value.search(ESCAPED) >= 0)
  const hasBare = quoted.some((value) => /[\\"$`]/.test(value.replace(ESCAPED, '')))
  return hasEscaped && !hasBare ? 'shell' : 'plain'
}

/** Characters that a value must not contain: the servers read the file line by line. */
const FORBIDDEN = /[\0-\x08\x0a-\x1f\x7f]/
/** Maximum size of a value (bytes). The servers refuse a file with a line of 64 KiB. */
const MAX_BYTES = 60_000

/** Whether a value can be written to the file. */
export function isConfigValue(value: string): boolean {
  return !FORBIDDEN.test(value) && new TextEncoder().encode(value).length <= MAX_BYTES
}

/** Whether operators since 6.0 would change a value: they remove all quotation marks at both ends of it. */
export function wouldLoseQuotes(value: string, form: ConfigForm): boolean {
  return form === 'plain' && /^"|"$/.test(value)
}

/** Writes the `config.env` of a tenant: sorted, quoted, one line per variable. */
export function writeConfigEnv(variables: ConfigVariables, form: ConfigForm): string {
  const written = (value: string) => (form === 'shell' ? value.replace(/[\\"$`]/g, '\\$&') : value)
  return Object.keys(variables)
    .sort()
    .map((name) => `export ${name}="${written(variables[name] ?? '')}"\n`)
    .join('')
}

/**
 * Parses a `config.env` from any source: values with and without quotes, containing `=`.
 * @see the original wrote values unescaped, so a quote within a value ends it only at the end of the line
 */
export function readConfigEnv(text: string, form: ConfigForm): Record<string, string> {
  const variables = new Map<string, string>()
  for (const line of text.split(/\r?\n/)) {
    // Names of notification targets may contain hyphens and dots.
    const [, name, raw] = /^\s*(?:export\s+)?([^\s=#][^\s=]*)=(.*)$/s.exec(line) ?? []
    if (name !== undefined && raw !== undefined) variables.set(name, unquote(raw.trimEnd(), form))
  }
  return Object.fromEntries(variables)
}

function unquote(raw: string, form: ConfigForm): string {
  if (raw.length >= 2 && raw.startsWith("'") && raw.endsWith("'")) return raw.slice(1, -1)
  if (raw.length < 2 || !raw.startsWith('"') || !raw.endsWith('"')) return raw
  const value = raw.slice(1, -1)
  return form === 'shell' ? value.replace(ESCAPED, (pair) => pair.slice(1)) : value
}
