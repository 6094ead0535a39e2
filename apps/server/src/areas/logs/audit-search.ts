import { Readable } from 'node:stream'
import { type AuditRow, type LogMessage, reason } from '@stowage/contract'
import { auditCalls } from '@stowage/contract/logs/audit'
import type { Madmin } from '@stowage/madmin'
import type { FastifyInstance } from 'fastify'
import type { AuditRecord } from '../../lib/audit/records/audit-record.ts'
import { formatCursor, parseCursor, readAuditPage, scanAuditRecords } from '../../lib/audit/search/audit-page.ts'
import type { AuditSelection } from '../../lib/audit/search/audit-source.ts'
import { summarizeAudit } from '../../lib/audit/search/audit-summary.ts'
import { HttpError } from '../../lib/errors/http-errors.ts'
import { contentDisposition } from '../../lib/http/downloads/content-disposition.ts'
import { serve } from '../../lib/http/serve.ts'
import { requireRight } from './audit-receiver.ts'
import { wireLogMessage } from './log-message.ts'

/** Maximum number of related records; one console call makes a few requests to the storage server. */
const MAX_FOLLOWED = 1000
/** Search window on each side of the time that the caller names (ms). */
const NEAR = 3_600_000
/** Number of latest log lines to search. */
const LOG_LINES = 1000
/** Timeout for the first log line, and for the silence after the last one (ms). */
const LOG_MS = 1500
const SILENCE_MS = 200

export function auditSearchRoutes(app: FastifyInstance): void {
  const { auditSource: audit } = app

  serve(app, auditCalls.searchLogs, async ({ query }, context) => {
    await requireRight(app, context, auditCalls.searchLogs.endpoint.actions)
    const after = query.cursor === undefined ? undefined : parseCursor(query.cursor)
    if (query.cursor !== undefined && after === undefined)
      throw new HttpError(400, reason('wrong-format'), { field: 'cursor' })
    const { records, searchedTo, next } = await readAuditPage(audit, {
      ...auditSelection(query, context.signal),
      newestFirst: query.order === 'timeDesc',
      after,
      skip: after === undefined ? query.pageNo * query.pageSize : 0,
      limit: query.pageSize,
    })
    return {
      results: records.map(auditRow),
      ...searchedToAnswer(searchedTo?.at),
      ...(next ? { next: formatCursor(next) } : {}),
    }
  })

  serve(app, auditCalls.summarizeLogs, async ({ query }, context) => {
    await requireRight(app, context, auditCalls.summarizeLogs.endpoint.actions)
    const { searchedTo, ...summary } = await summarizeAudit(audit, auditSelection(query, context.signal))
    return { ...summary, ...searchedToAnswer(searchedTo) }
  })

  serve(app, auditCalls.exportLogs, async ({ query }, context) => {
    await requireRight(app, context, auditCalls.exportLogs.endpoint.actions)
    const records = scanAuditRecords(audit, {
      ...auditSelection(query, context.signal),
      newestFirst: query.order === 'timeDesc',
    })
    const isCsv = query.format === 'csv'
    const lines = isCsv ? auditCsv(records) : auditNdjson(records)
    return await context.reply
      .type(isCsv ? 'text/csv; charset=utf-8' : 'application/x-ndjson')
      .header('content-disposition', contentDisposition('attachment', `audit.${query.format}`))
      .send(Readable.from(lines, { objectMode: false }))
  })

  serve(app, auditCalls.followRequest, async ({ params: { id }, query }, context) => {
    await requireRight(app, context, auditCalls.followRequest.endpoint.actions)
    const at = query.at ? Date.parse(query.at) : undefined
    const range = {
      from: at === undefined ? Number.NEGATIVE_INFINITY : at - NEAR,
      to: at === undefined ? Number.POSITIVE_INFINITY : at + NEAR,
    }
    const find = async (ids: ReadonlySet<string>) =>
      (
        await readAuditPage(audit, {
          ...range,
          filters: [],
          tools: true,
          requests: ids,
          newestFirst: true,
          skip: 0,
          limit: MAX_FOLLOWED,
        })
      ).records
    const found = await find(new Set([id]))
    // For a storage request made by a console call, also find that call and its other requests.
    const parents = new Set(found.flatMap(({ consoleRequest }) => (consoleRequest === '' ? [] : [consoleRequest])))
    const records = parents.size === 0 ? found : await find(new Set([id, ...parents]))
    const ids = new Set([id, ...records.map(({ requestId }) => requestId)])
    const log = await latestLog(context.madmin, ids, context.signal)
    return { records: records.reverse().map(auditRow), log: log ?? [], log_read: log !== undefined }
  })
}

/** Returns the log lines about these requests, among the latest ones; undefined if the server does not return its log. */
async function latestLog(
  madmin: Madmin,
  ids: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<LogMessage[] | undefined> {
  const lines: LogMessage[] = []
  // The stream continues with new lines, so a pause means that the old ones are complete.
  const over = new AbortController()
  const end = () => over.abort()
  signal.addEventListener('abort', end)
  let timer = setTimeout(end, LOG_MS)
  try {
    const stream = await madmin.consoleLog({ limit: LOG_LINES, signal: over.signal })
    clearTimeout(timer)
    timer = setTimeout(end, SILENCE_MS)
    for await (const record of stream) {
      timer.refresh()
      const message = wireLogMessage(record)
      if (message.requestID !== undefined && ids.has(message.requestID)) lines.push(message)
    }
  } catch {
    // The log is optional: if it cannot be read, return the records anyway.
    signal.throwIfAborted()
    if (!over.signal.aborted) return undefined
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', end)
  }
  return lines
}

const searchedToAnswer = (searchedTo: number | undefined) =>
  searchedTo === undefined ? {} : { searched_to: new Date(searchedTo).toISOString() }

interface LogSearchQuery {
  fp: readonly string[]
  timeStart?: string | undefined
  timeEnd?: string | undefined
  tools: boolean
}

function auditSelection(
  { fp, timeStart, timeEnd, tools }: LogSearchQuery,
  signal: AbortSignal,
): Omit<AuditSelection, 'newestFirst'> {
  return {
    signal,
    filters: fp,
    tools,
    from: timeStart ? Date.parse(timeStart) : Number.NEGATIVE_INFINITY,
    to: timeEnd ? Date.parse(timeEnd) : Number.POSITIVE_INFINITY,
  }
}

function auditRow(record: AuditRecord): AuditRow {
  return {
    time: record.time,
    api_name: record.api,
    bucket: record.bucket,
    object: record.object,
    time_to_response_ns: record.duration,
    remote_host: record.remoteHost,
    request_id: record.requestId,
    user_agent: record.userAgent,
    response_status: record.status,
    response_status_code: record.statusCode,
    request_content_length: record.bytesIn,
    response_content_length: record.bytesOut,
    id: record.id,
    access_key: record.accessKey,
    user: record.user,
    source: record.source,
    raw: record.raw as Record<string, unknown>,
  }
}

async function* auditNdjson(records: AsyncIterable<AuditRecord>): AsyncGenerator<string> {
  for await (const record of records) yield `${JSON.stringify(auditRow(record))}\n`
}

const CSV_COLUMNS = [
  'time',
  'api_name',
  'bucket',
  'object',
  'user',
  'access_key',
  'remote_host',
  'response_status_code',
  'response_status',
  'time_to_response_ns',
  'request_content_length',
  'response_content_length',
  'request_id',
  'user_agent',
  'source',
] as const satisfies (keyof AuditRow)[]

async function* auditCsv(records: AsyncIterable<AuditRecord>): AsyncGenerator<string> {
  yield `${CSV_COLUMNS.join(',')}\r\n`
  for await (const record of records) {
    const row = auditRow(record)
    yield `${CSV_COLUMNS.map((column) => csvCell(row[column])).join(',')}\r\n`
  }
}

/**
 * Returns a CSV cell. Spreadsheets run cells that begin with one of these characters as formulas; an apostrophe in front makes
 * them text.
 */
export function csvCell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
