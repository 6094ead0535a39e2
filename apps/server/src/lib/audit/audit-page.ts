import type { AuditRecord } from './audit-record.ts'
import type { AuditSelection, AuditSource } from './audit-store.ts'

/** Maximum duration of a search (ms); a longer one stops and reports how far it got. */
const SEARCH_MS = 5_000

export interface AuditQuery extends AuditSelection {
  skip: number
  limit: number
}

export interface AuditPage {
  records: AuditRecord[]
  /** The search stopped here because it took too long (ms since 1970). */
  searchedTo: number | undefined
}

type Batches = Pick<AuditSource, 'batches'>

/** The matching records of a page. The search ends early after SEARCH_MS. */
export async function pageOf(source: Batches, query: AuditQuery): Promise<AuditPage> {
  const { skip, limit } = query
  const found: AuditRecord[] = []
  let searchedTo: number | undefined
  for await (const records of source.batches(query, SEARCH_MS)) {
    found.push(...records)
    searchedTo = records.searchedTo
    if (found.length >= skip + limit) break
  }
  return { records: found.slice(skip, skip + limit), searchedTo }
}

/** Yields the matching records by time, for as long as the caller reads. */
export async function* scan(source: Batches, query: AuditSelection): AsyncGenerator<AuditRecord, void> {
  for await (const records of source.batches(query)) yield* records
}
