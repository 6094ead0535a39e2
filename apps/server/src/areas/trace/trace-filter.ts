import type { TraceRecord } from '@stowage/madmin'

export interface TraceFilter {
  /** The requested kinds. */
  calls: readonly string[]
  /** 0 for any. */
  statusCode: number
  method: string
  funcname: string
  path: string
}

/**
 * Whether a record matches all filters; the original applied only the first one. Servers of 2021 send S3 records even if not
 * requested.
 */
export function passesTraceFilter(
  record: TraceRecord,
  { calls, statusCode, method, funcname, path }: TraceFilter,
): boolean {
  return (
    (record.kind === 'other' || calls.includes(record.kind)) &&
    (statusCode === 0 || record.http?.status === statusCode) &&
    (method === '' || record.http?.method.toUpperCase() === method.trim().toUpperCase()) &&
    contains(record.name, funcname) &&
    contains(record.path, path)
  )
}

function contains(text: string, part: string): boolean {
  return part === '' || text.toLowerCase().includes(part.toLowerCase())
}
