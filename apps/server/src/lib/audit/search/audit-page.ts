import type { AuditRecord } from '../records/audit-record.ts'
import type { AuditPosition, AuditSelection, AuditSource } from './audit-source.ts'

/** Maximum duration of a search (ms); a longer one stops and reports how far it got. */
const SEARCH_MS = 5_000
/** The last time that a date can have (ms since 1970). */
const MAX_DATE = 8.64e15

export interface AuditQuery extends AuditSelection {
  skip: number
  limit: number
}

export interface AuditPage {
  records: AuditRecord[]
  /** The page is not full because the search took too long. It stopped here. */
  searchedTo: AuditPosition | undefined
  /** The next page begins behind this position; undefined if this was the last one. */
  next: AuditPosition | undefined
}

type Batches = Pick<AuditSource, 'batches'>

/** The matching records of a page. The search ends early after SEARCH_MS. */
export async function readAuditPage(source: Batches, query: AuditQuery): Promise<AuditPage> {
  const { skip, limit } = query
  const found: AuditRecord[] = []
  let searchedTo: AuditPosition | undefined
  for await (const records of source.batches(query, SEARCH_MS)) {
    found.push(...records)
    if (found.length >= skip + limit) {
      const page = found.slice(skip, skip + limit)
      return { records: page, searchedTo: undefined, next: page.at(-1) }
    }
    searchedTo = records.searchedTo
  }
  // If it stopped before the page began, only a search from the first page can go on.
  return { records: found.slice(skip), searchedTo, next: found.length >= skip ? searchedTo : undefined }
}

/** Yields the matching records by time, for as long as the caller reads. */
export async function* scanAuditRecords(source: Batches, query: AuditSelection): AsyncGenerator<AuditRecord, void> {
  for await (const records of source.batches(query)) yield* records
}

export function formatCursor({ at, id }: AuditPosition): string {
  return Buffer.from(JSON.stringify([at, id])).toString('base64url')
}

/** Returns undefined if the text is not a cursor. */
export function parseCursor(cursor: string): AuditPosition | undefined {
  try {
    const [at, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[]
    return typeof at === 'number' && Math.abs(at) < MAX_DATE && typeof id === 'string' ? { at, id } : undefined
  } catch {
    return undefined // The caller reports it.
  }
}
