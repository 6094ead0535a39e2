import { configWords } from '@stowage/madmin/config-words'
import { S3Error } from '../lib/errors.ts'
import { DEFAULT_CONFIG_TARGET } from './config-registry.ts'

/** A line of a configuration text: `subsystem[:target] key=value key="a value"`. */
export interface ConfigLine {
  readonly subsystem: string
  readonly target: string
  readonly pairs: readonly (readonly [key: string, value: string])[]
}

/** Maximum length of a target name. */
const MAX_TARGET = 64
const TARGET = /^[A-Za-z0-9_-]+$/
const PROBLEMS = {
  'quote-inside': 'a quote inside a quoted value must be written twice',
  'open-quote': 'a quoted value does not end',
}

/**
 * Parses a configuration text. A value may be in double or single quotes; the same quote inside is doubled. A word without `=`
 * continues the previous value, as on other servers. Lines starting with `#` are skipped.
 * @throws S3Error XMinioConfigError
 */
export function parseConfigLines(text: string): ConfigLine[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map(parseLine)
}

function parseLine(line: string): ConfigLine {
  const [head = '', rest = ''] = splitOnce(line)
  const pairs: [string, string][] = []
  for (const word of configWords(rest, 'client')) {
    if (word.problem) throw malformed(PROBLEMS[word.problem])
    const last = pairs.at(-1)
    if (word.key !== undefined) pairs.push([word.key, word.value])
    else if (last) last[1] = last[1] === '' ? word.value : `${last[1]} ${word.value}`
    else throw malformed(`"${shorten(word.value)}" is not of the form key=value`)
  }
  return { ...parseConfigTarget(head), pairs }
}

/** Parses `subsystem`, `subsystem:` or `subsystem:target`. @throws S3Error XMinioConfigError */
export function parseConfigTarget(text: string): { subsystem: string; target: string } {
  const [subsystem = '', target, ...more] = text.split(':')
  if (target === undefined || target === '') return { subsystem, target: DEFAULT_CONFIG_TARGET }
  if (more.length > 0 || !TARGET.test(target) || target.length > MAX_TARGET) {
    throw malformed(`the name of a target must consist of at most ${MAX_TARGET} letters, digits, "-" and "_"`)
  }
  return { subsystem, target }
}

/** Parses the lines of a deletion: `subsystem[:target] [key …]`. @throws S3Error XMinioConfigError */
export function parseConfigDeletions(text: string): { subsystem: string; target: string; keys: string[] }[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [head = '', ...keys] = line.split(/\s+/)
      return { ...parseConfigTarget(head), keys }
    })
}

function splitOnce(line: string): [string, string] {
  const at = line.search(/\s/)
  return at < 0 ? [line, ''] : [line.slice(0, at), line.slice(at)]
}

/** Formats a line as clients expect it, with a space after each pair. */
export function configLineText({ subsystem, target, pairs }: ConfigLine): string {
  const head = target === DEFAULT_CONFIG_TARGET ? subsystem : `${subsystem}:${target}`
  return `${head} ${pairs.map(([key, value]) => `${key}=${formatValue(value)} `).join('')}`
}

function formatValue(value: string): string {
  return /[\s"']/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}

function malformed(message: string): S3Error {
  return new S3Error('XMinioConfigError', message)
}

function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}
