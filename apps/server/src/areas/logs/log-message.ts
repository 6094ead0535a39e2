import type { LogMessage } from '@stowage/contract/logs/console-log'
import { asObject, asText, type JsonAnswer } from '@stowage/madmin/json'
import { redactJson } from '@stowage/madmin/redact'

/**
 * Converts a log record for the console's clients: the server's record with the same two changes as in the original, and
 * without secrets.
 */
export function wireLogMessage(record: unknown): LogMessage {
  const { time, ConsoleMsg, level, errKind, node, message, error, ...rest } = asObject(redactJson(record))
  const at = parseLogTime(asText(time))
  return {
    ...rest,
    level: asText(level),
    errKind: asText(errKind),
    time: at === undefined ? asText(time) : wallClock(at),
    ...(asText(message) === '' ? {} : { message: asText(message) }),
    ...(error === undefined || error === null ? {} : { error: wireLogError(asObject(error)) }),
    ConsoleMsg: asText(ConsoleMsg).replace(/^\n/, ''),
    node: asText(node),
    at: at?.toISOString() ?? '',
  }
}

function wireLogError({ message, source, variables }: JsonAnswer): NonNullable<LogMessage['error']> {
  return {
    message: asText(message),
    source: Array.isArray(source) ? source.filter((line) => typeof line === 'string') : [],
    ...(variables === undefined || variables === null ? {} : { variables: asObject(variables) }),
  }
}

function parseLogTime(text: string): Date | undefined {
  // Go's zero time means "no time".
  if (text === '' || text.startsWith('0001-')) return undefined
  const date = new Date(text)
  return Number.isNaN(date.getTime()) ? undefined : date
}

/** `07:43:02 UTC 11/21/2026` */
function wallClock(date: Date): string {
  const [day = '', time = ''] = date.toISOString().split('T')
  const [year, month, dayOfMonth] = day.split('-')
  return `${time.slice(0, 8)} UTC ${month}/${dayOfMonth}/${year}`
}

/** Number of latest records compared to find repeats. */
const REMEMBERED = 1_000

/**
 * Detects repeated records: servers of 2025 report an event once per listening client, and reopening a broken stream returns
 * the latest lines again. Plain lines have no ID, so their repeats are shown.
 */
export class RecentRecords {
  readonly #texts = new Set<string>()

  isNew(record: unknown): boolean {
    if (asText(asObject(record).time) === '') return true
    const text = JSON.stringify(record)
    if (this.#texts.has(text)) return false
    this.#texts.add(text)
    if (this.#texts.size > REMEMBERED) for (const oldest of this.#texts) return this.#texts.delete(oldest)
    return true
  }
}
