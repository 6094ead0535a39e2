import { type AuditRecord, readAuditRecord } from '../records/audit-record.ts'
import { type AuditQuery, readAuditPage } from '../search/audit-page.ts'
import type { AuditSource } from '../search/audit-source.ts'

export const SAMPLE_NOW = Date.now()

/** A record of the second `n` of the last hours. */
export function sampleRecord(n: number, more: object = {}): AuditRecord {
  const time = new Date(SAMPLE_NOW - 10_000_000 + n * 1000).toISOString()
  const read = readAuditRecord({ time, requestID: `R${n}`, api: { name: 'PutObject' }, ...more }, 'test', SAMPLE_NOW)
  if (!read) throw new Error('no record')
  return read
}

/** A search for everything. */
export const sampleQuery = (more: Partial<AuditQuery> = {}): AuditQuery => ({
  filters: [],
  tools: true,
  from: Number.NEGATIVE_INFINITY,
  to: Number.POSITIVE_INFINITY,
  newestFirst: true,
  skip: 0,
  limit: 100,
  ...more,
})

/** The request IDs of what a search finds. */
export const findRequestIds = async (source: AuditSource, more?: Partial<AuditQuery>) =>
  (await readAuditPage(source, sampleQuery(more))).records.map(({ requestId }) => requestId)
