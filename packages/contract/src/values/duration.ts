import { z } from 'zod'
import { withReason } from '../reasons/issue-reason.ts'
import { reason } from '../reasons/reason.ts'

const NANOSECONDS: Readonly<Record<string, number>> = {
  ns: 1,
  us: 1e3,
  µs: 1e3,
  μs: 1e3,
  ms: 1e6,
  s: 1e9,
  m: 60e9,
  h: 3600e9,
}

/**
 * Parses a duration in Go's notation, such as `1m30s`, or a plain number, into nanoseconds; undefined for any other text.
 * @see https://pkg.go.dev/time#ParseDuration
 */
export function parseDuration(text: string): number | undefined {
  if (text === '') return 0
  if (/^\d+$/.test(text)) return Number(text)
  if (!/^(?:\d+(?:\.\d*)?(?:ns|us|µs|μs|ms|s|m|h))+$/.test(text)) return undefined
  let sum = 0
  for (const [, number, unit] of text.matchAll(/(\d+(?:\.\d*)?)(ns|us|µs|μs|ms|s|m|h)/g))
    sum += Number(number) * (NANOSECONDS[unit ?? ''] ?? 0)
  return Math.round(sum)
}

/** A duration in a query, in nanoseconds. */
export const durationQuery = z
  .string()
  .min(1)
  .max(64)
  .transform((given, context) => {
    const nanoseconds = parseDuration(given.trim())
    if (nanoseconds === undefined || nanoseconds > Number.MAX_SAFE_INTEGER) {
      context.addIssue({ code: 'custom', ...withReason(reason('not-a-duration'), 'is not a duration') })
      return z.NEVER
    }
    return nanoseconds
  })
  .meta({ type: 'string', description: 'A duration such as 5ms or 1.5s; a plain number counts nanoseconds' })
