import type { AuditField } from '@stowage/contract/logs/audit'
import { type AuditRecord, TOOL_AGENT } from '../records/audit-record.ts'
import type { AuditSelection } from './audit-source.ts'
import { compileFilterPattern, findLongestText } from './filter-pattern.ts'

const VALUES: Readonly<Record<AuditField, (record: AuditRecord) => string[]>> = {
  bucket: ({ bucket }) => [bucket],
  object: ({ object }) => [object],
  api_name: ({ api }) => [api],
  request_id: ({ requestId }) => [requestId],
  user_agent: ({ userAgent }) => [userAgent],
  // Filters match either part of `200 (OK)`.
  response_status: ({ status, statusCode }) => [status, String(statusCode)],
  user: ({ user, accessKey }) => [user, accessKey],
  source: ({ source }) => [source],
}

/** Returns a function that tests whether a record is part of a selection. */
export function createAuditMatcher(selection: AuditSelection): (record: AuditRecord) => boolean {
  const { filters, tools, requests, from, to } = selection
  const fields = [...groupPatterns(filters)].map(
    ([field, patterns]) => [field, patterns.map(compileFilterPattern)] as const,
  )
  const isBehind = createPositionTest(selection)
  return (record) =>
    record.at >= from &&
    record.at < to &&
    isBehind(record) &&
    (tools || !record.userAgent.startsWith(TOOL_AGENT)) &&
    (requests === undefined || requests.has(record.requestId) || requests.has(record.consoleRequest)) &&
    fields.every(([field, patterns]) => VALUES[field](record).some((value) => patterns.some((fits) => fits(value))))
}

/** Returns the times between which all records of a selection are: from, inclusive, and to, exclusive. */
export function selectionTimes({ from, to, newestFirst, after }: AuditSelection): { from: number; to: number } {
  if (!after) return { from, to }
  // Times have fractions of a millisecond, and several records may have the same one.
  return newestFirst ? { from, to: Math.min(to, after.at + 1) } : { from: Math.max(from, after.at), to }
}

/** Returns a text that some member of every matching record contains: the request, or the longest filter without alternatives. */
export function findCommonText({ filters, requests }: Pick<AuditSelection, 'filters' | 'requests'>): string {
  const [request = '', ...others] = requests ?? []
  if (request !== '' && others.length === 0) return request
  const needed = [...groupPatterns(filters).values()].filter(({ length }) => length === 1).flat()
  return needed.map(findLongestText).reduce((longest, text) => (text.length > longest.length ? text : longest), '')
}

export function groupPatterns(filters: readonly string[]): Map<AuditField, string[]> {
  const fields = new Map<AuditField, string[]>()
  for (const filter of filters) {
    const colon = filter.indexOf(':')
    // The schema of the call has validated it.
    const field = filter.slice(0, colon) as AuditField
    fields.set(field, [...(fields.get(field) ?? []), filter.slice(colon + 1)])
  }
  return fields
}

function createPositionTest({ after, newestFirst }: AuditSelection): (record: AuditRecord) => boolean {
  if (!after) return () => true
  const { at, id } = after
  return newestFirst
    ? (record) => record.at < at || (record.at === at && record.id < id)
    : (record) => record.at > at || (record.at === at && record.id > id)
}
