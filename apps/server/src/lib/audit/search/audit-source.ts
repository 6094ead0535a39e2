import type { AuditRecord } from '../records/audit-record.ts'

/** What a search asks for. */
export interface AuditSelection {
  /** `field:pattern`: a record must match one filter of each field that is named. */
  filters: readonly string[]
  /** Includes calls that the console makes by itself. */
  tools: boolean
  /** Only these requests, and those that they caused, by ID. */
  requests?: ReadonlySet<string> | undefined
  /** ms since 1970: from, inclusive, and to, exclusive. */
  from: number
  to: number
  newestFirst: boolean
  /** Begins behind this position. Records that come meanwhile do not move it. */
  after?: AuditPosition | undefined
  /** Only time, status code, user, bucket and call of the records are needed. */
  brief?: boolean
  /** Ends the search. */
  signal?: AbortSignal
}

/** A place in the order of records, which is by time and then by ID. */
export type AuditPosition = Pick<AuditRecord, 'at' | 'id'>

/** `searchedTo`: the search stopped here, because it took too long. It goes on behind this position. */
export type AuditBatch = AuditRecord[] & { searchedTo?: AuditPosition }

/** Records that have all of this in common, and their number. */
export interface AuditCount extends Pick<AuditRecord, 'at' | 'user' | 'bucket' | 'api' | 'statusCode'> {
  /** They are of this interval, which begins at `at` (seconds); 0: they are of this time. */
  step: number
  count: number
}

/** `searchedTo`: no older records are counted, because reading them took too long (ms since 1970; exact to a minute). */
export type AuditCounts = AuditCount[] & { searchedTo?: number | undefined }

/** When the latest record of a source arrived (ms since 1970), and how long after its creation (ms). */
export interface SourceArrival {
  at: number
  lag: number
}

/** Where audit records can be searched. */
export interface AuditSource {
  /** Whether there are any records. */
  hasRecords(): Promise<boolean>
  /**
   * The matching records, in batches in the order of their times.
   * @param maxMs then the search ends soon, and the last batch has `searchedTo`
   */
  batches(query: AuditSelection, maxMs?: number): AsyncGenerator<AuditBatch, void>
  /** The numbers of the matching records, in any order, if they can be known without reading all records. */
  counts?(query: AuditSelection, maxMs?: number): AsyncGenerator<AuditCounts, void>
}

/** Where audit records are kept. */
export interface AuditKeeper extends AuditSource {
  /**
   * Stores records that are not stored yet. Resolves with their number once they are stored.
   * @param isSynced false: they may be synced to the drive up to 100 ms later, so that a kill of this process loses none, but a
   * power failure may. Default: true
   */
  append(records: readonly AuditRecord[], isSynced?: boolean): Promise<number>
  /** Returns the latest record of a source; undefined if none is known. */
  latestArrival(source: string): Promise<SourceArrival | undefined>
  close(): Promise<void>
}

/** How much is kept. */
export interface AuditLimits {
  maxBytes: number
  days: number
}
