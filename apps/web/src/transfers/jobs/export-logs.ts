import type { JobLine } from '@stowage/contract'
import { callBytes } from '../../lib/api/api.ts'
import { saveFile } from '../../lib/save-file.ts'
import { timestampedFileName } from '../../lib/save-text.ts'
import type { LogExportQuery } from '../list/types.ts'
import { LineCounter } from './line-counter.ts'

/** Downloads the audit records that match, and saves them as a file when all have arrived. */
export async function* exportLogs(query: LogExportQuery, signal: AbortSignal): AsyncGenerator<JobLine> {
  const isCsv = query.format === 'csv'
  const lines = new LineCounter(isCsv)
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  // The first line of CSV has the names of the columns.
  const sums = () => ({ count: Math.max(0, lines.count - (isCsv ? 1 : 0)), skipped: 0, failed: 0, bytes })
  for await (const piece of callBytes('exportLogs', { query, signal })) {
    pieces.push(piece)
    bytes += piece.length
    lines.add(piece)
    yield sums()
  }
  const type = isCsv ? 'text/csv' : 'application/x-ndjson'
  saveFile(timestampedFileName('audit', isCsv ? 'csv' : 'ndjson'), new Blob(pieces), type)
  yield { done: true, ...sums(), errors: [] }
}
