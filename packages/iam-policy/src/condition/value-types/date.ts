import { onlyValue } from './boolean.ts'
import { type ConditionOperator, ConditionValueError } from './operator.ts'

const RFC3339 = /^\d{4}-\d{2}-(\d{2})T(?:[01]\d|2[0-3]):\d{2}:\d{2}(?:[.,]\d+)?(?:Z|[+-]\d{2}:\d{2})$/

/** Returns the milliseconds since 1970 of an RFC 3339 time; undefined for any other text, including days that do not exist. */
export function parseTime(text: string): number | undefined {
  const day = RFC3339.exec(text)?.[1]
  if (day === undefined) return undefined
  const time = Date.parse(text.replace(',', '.'))
  if (Number.isNaN(time)) return undefined
  // Date.parse takes 31 February for 3 March.
  const daysOfMonth = new Date(Date.UTC(Number(text.slice(0, 4)), Number(text.slice(5, 7)), 0)).getUTCDate()
  return Number(day) <= daysOfMonth ? time : undefined
}

/**
 * Creates an operator on times. It uses the first value of the key, and never holds if that is absent or not a time; this
 * includes DateNotEquals.
 */
export function dateOperator(holds: (given: number, policy: number) => boolean): ConditionOperator {
  return {
    compile(values) {
      const value = onlyValue(values)
      const limit = typeof value === 'string' ? parseTime(value) : undefined
      if (limit === undefined) {
        throw new ConditionValueError(`${JSON.stringify(value)} is not a time such as "2026-01-31T12:00:00Z"`, 0)
      }
      return ([text]) => {
        const given = text === undefined ? undefined : parseTime(text)
        return given !== undefined && holds(given, limit)
      }
    },
  }
}
