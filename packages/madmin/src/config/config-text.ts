import { configWords } from './config-words.ts'

/** A target of a subsystem, as written by a server. */
export interface ConfigTextTarget {
  readonly subsystem: string
  /** `_` for the default target. */
  readonly target: string
  /** In the order of the text. Secrets that have a value are missing. */
  readonly values: ReadonlyMap<string, string>
  /** Keys whose value is set by the environment. */
  readonly environment: ReadonlyMap<string, { readonly variable: string; readonly value: string }>
  /** Other comments: problems found by the server. */
  readonly notes: readonly string[]
  /** The line is a comment, which means that the target is disabled in an export. */
  readonly isComment: boolean
}

const LINE = /^(# )?([a-z][a-z0-9_]*)(?::(\S+))?(?: (.*))?$/
const VARIABLE = /^# (MINIO_[A-Z0-9_]+?)=(.*)$/
const VARIABLE_OF_TARGET = /^# (MINIO_\S+?)=(.*)$/

/** Parses the text of a server's configuration. Comments belong to the line after them. */
export function readConfigText(text: string): ConfigTextTarget[] {
  const targets: ConfigTextTarget[] = []
  let variables: { variable: string; value: string }[] = []
  let notes: string[] = []
  for (const line of text.split('\n')) {
    const [, variable, value = ''] = VARIABLE.exec(line) ?? VARIABLE_OF_TARGET.exec(line) ?? []
    if (variable !== undefined) {
      variables.push({ variable, value })
      continue
    }
    const [, comment, subsystem, target = '_', rest = ''] = LINE.exec(line) ?? []
    if (subsystem === undefined || (comment !== undefined && !/^[a-z0-9_-]+=/.test(rest))) {
      if (line.startsWith('#')) notes.push(line.slice(1).trim())
      continue
    }
    const values = readPairs(rest)
    const environment = new Map(
      variables.map(({ variable, value }) => [variableKey(variable, subsystem, target), { variable, value }]),
    )
    targets.push({ subsystem, target, values, environment, notes, isComment: comment !== undefined })
    variables = []
    notes = []
  }
  return targets
}

/** Returns the key of a variable: `MINIO_NOTIFY_WEBHOOK_QUEUE_DIR_one` of the target `one` is `queue_dir`. */
function variableKey(variable: string, subsystem: string, target: string): string {
  const rest = variable.slice(`MINIO_${subsystem}_`.length)
  const key = target !== '_' && rest.endsWith(`_${target}`) ? rest.slice(0, -target.length - 1) : rest
  return key.toLowerCase()
}

function readPairs(text: string): Map<string, string> {
  const values = new Map<string, string>()
  for (const { key, value } of configWords(text, 'server')) if (key !== undefined) values.set(key, value)
  return values
}

/** Returns the numbers of the lines, from 1, that are neither comments nor of the form `subsystem[:target] key=value …`. */
export function findUnreadableLines(text: string): number[] {
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '' || line.startsWith('#')) return []
    const match = LINE.exec(line)
    const isReadable =
      match !== null && Array.from(configWords(match[4] ?? '', 'server')).every(({ key }) => key !== undefined)
    return isReadable ? [] : [index + 1]
  })
}

/** Returns a line that sets keys of a target. */
export function formatConfigLine(
  subsystem: string,
  target: string,
  pairs: Iterable<readonly [string, string]>,
): string {
  const values = Array.from(pairs, ([key, value]) => `${key}="${value}"`)
  return [formatConfigTarget(subsystem, target), ...values].join(' ')
}

/** Returns the name of a target in calls. */
export function formatConfigTarget(subsystem: string, target: string): string {
  return target === '_' || target === '' ? subsystem : `${subsystem}:${target}`
}

/**
 * Returns why a value cannot be sent: a `quote`, a `control` character or line end, or the name of a `key` followed by `=`,
 * where MinIO would cut the value, even in quotes.
 * @param keys of the subsystem
 */
export function findUnsendable(
  value: string,
  keys: Iterable<string>,
): { why: 'quote' | 'control' | 'key'; key?: string } | undefined {
  if ([...value].some((c) => c < ' ' || c === '\x7f')) return { why: 'control' }
  if (value.includes('"') || /^'|'$/.test(value)) return { why: 'quote' }
  for (const key of keys) if (value.includes(`${key}=`)) return { why: 'key', key }
  return undefined
}
