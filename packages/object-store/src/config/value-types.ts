/** Type of a key's value. An array of words means one of them. */
export type ConfigValueType =
  | 'on|off'
  | 'number'
  | 'duration'
  | 'csv'
  | 'string'
  | 'sentence'
  | 'url'
  | 'path'
  | readonly string[]

const UNITS_MS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}

/** Parses a Go duration, also with days: `1h30m`, `250ms`, `7d`. Undefined for anything else. */
export function parseDurationMs(text: string): number | undefined {
  if (text === '0') return 0
  if (!/^(\d+(\.\d+)?(ns|us|µs|ms|[smhd]))+$/.test(text)) return undefined
  let total = 0
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ns|us|µs|ms|[smhd])/g)) {
    total += Number(amount) * (UNITS_MS[unit ?? ''] ?? 0)
  }
  return Number.isFinite(total) ? total : undefined
}

/** Parses a switch, in any of the spellings of clients; undefined for anything else. */
export function parseSwitch(text: string): boolean | undefined {
  if (/^(on|true|yes|enabled|1)$/i.test(text)) return true
  if (/^(off|false|no|disabled|0)$/i.test(text)) return false
  return undefined
}

/** Returns the items of a list, trimmed, without empty ones. */
export function splitList(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

/** Returns what is wrong with a non-empty value; undefined if it is valid. */
export function valueTypeProblem(type: ConfigValueType, value: string): string | undefined {
  if (typeof type !== 'string') return type.includes(value) ? undefined : `must be one of ${type.join(', ')}`
  switch (type) {
    case 'on|off':
      return parseSwitch(value) === undefined ? 'must be on or off' : undefined
    case 'number':
      return /^\d{1,19}$/.test(value) ? undefined : 'must be a whole number'
    case 'duration':
      return parseDurationMs(value) === undefined ? 'must be a duration such as 90s, 24h or 7d' : undefined
    case 'url':
      return isHttpUrl(value) ? undefined : 'must be an address that begins with http:// or https://'
    default:
      return undefined
  }
}

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}

/** Returns a type as text for help calls. */
export function valueTypeName(type: ConfigValueType): string {
  return typeof type === 'string' ? type : type.join('|')
}
