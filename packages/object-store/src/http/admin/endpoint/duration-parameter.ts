import { S3Error } from '../../../lib/errors.ts'

const UNITS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1e3,
  m: 6e4,
  h: 36e5,
}
const PART = /(\d+(?:\.\d*)?)(ns|us|µs|μs|ms|s|m|h)/g
const WHOLE = /^(?:\d+(?:\.\d*)?(?:ns|us|µs|μs|ms|s|m|h))+$/

/**
 * Reads a duration as clients of MinIO write it, such as `500ns`, `5ms` or `1m30s`. Returns ms.
 * @param fallback default of a missing parameter
 * @throws S3Error XMinioAdminInvalidArgument
 */
export function durationParameter(query: URLSearchParams, name: string, fallback: number): number {
  const text = query.get(name) ?? ''
  if (text === '') return fallback
  if (text === '0') return 0
  if (text.length > 64 || !WHOLE.test(text))
    throw new S3Error('XMinioAdminInvalidArgument', `${name} is not a duration such as 5ms.`)
  let sum = 0
  for (const [, number, unit] of text.matchAll(PART)) sum += Number(number) * (UNITS[unit ?? ''] ?? 0)
  return sum
}
