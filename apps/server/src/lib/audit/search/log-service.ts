import { reason } from '@stowage/contract'
import { asObject, asText, numberOrNull } from '@stowage/madmin/json'
import { Agent } from 'undici'
import { HttpError } from '../../errors/http-errors.ts'
import type { AuditRecord } from '../records/audit-record.ts'
import { createAuditMatcher, selectionTimes } from './audit-match.ts'
import type { AuditBatch, AuditSelection, AuditSource } from './audit-source.ts'

/** Number of records in an answer; the service allows 10,000. */
const PAGE = 1000
/** Number of pages whose records are remembered. */
const RECENT = 10
const CONNECT_MS = 2_000
const QUERY_MS = 10_000
const MAX_BYTES = 64 << 20
/** Source of its records, as shown on the page. */
const SOURCE = 'log-search'
/** Fields that the service can compare. */
const SERVICE_FIELDS = new Set(['bucket', 'object', 'api_name', 'request_id', 'user_agent', 'response_status'])

/**
 * A log search service of 2021, as the MinIO operator started one for each tenant. It has fewer fields than our own records,
 * and compares patterns as SQL does. The console therefore compares again what it gets.
 */
export class LogService implements AuditSource {
  readonly #agent = new Agent({
    connections: 4,
    connect: { timeout: CONNECT_MS },
    headersTimeout: QUERY_MS,
    bodyTimeout: QUERY_MS,
    maxResponseSize: MAX_BYTES,
  })

  constructor(private readonly options: { url: URL; token: string }) {}

  /** The page is offered without asking: whether the service answers is shown there. */
  async hasRecords(): Promise<boolean> {
    return true
  }

  async *batches(query: AuditSelection, maxMs = Number.POSITIVE_INFINITY): AsyncGenerator<AuditBatch, void> {
    const end = performance.now() + maxMs
    const matches = createAuditMatcher(query)
    // Records that come while pages are read would move the others to later pages, where they would be found again.
    const recent: Set<string>[] = []
    for (let page = 0; ; page++) {
      const rows = await this.#page(query, page)
      const records = rows.map(toAuditRecord)
      const ids = new Set<string>()
      const found = records.filter((record) => {
        const isNew = !ids.has(record.id) && !recent.some((each) => each.has(record.id))
        ids.add(record.id)
        return isNew && matches(record)
      })
      const last = records.at(-1)
      if (!last || rows.length < PAGE) {
        yield found
        return
      }
      const before = recent.at(-1)
      // It ignores the number of the page, and would send this one for ever.
      if (before && [...ids].every((id) => before.has(id))) throw new HttpError(502, reason('log-search-other'))
      recent.push(ids)
      if (recent.length > RECENT) recent.shift()
      if (performance.now() > end) {
        yield Object.assign(found, { searchedTo: { at: last.at, id: last.id } })
        return
      }
      yield found
    }
  }

  async close(): Promise<void> {
    await this.#agent.destroy()
  }

  /** @throws HttpError with the original's texts */
  async #page(selection: AuditSelection, page: number): Promise<unknown[]> {
    const { url, token } = this.options
    const { filters, newestFirst, signal } = selection
    const { from, to } = selectionTimes(selection)
    const query = new URLSearchParams({ token, q: 'reqinfo', pageSize: String(PAGE) })
    // The documentation says `pageNo`, the program reads `pageStart`.
    query.set('pageNo', String(page))
    query.set('pageStart', String(page))
    query.set(newestFirst ? 'timeDesc' : 'timeAsc', 'ok')
    if (Number.isFinite(from)) query.set('timeStart', new Date(from).toISOString())
    if (Number.isFinite(to)) query.set('timeEnd', new Date(to).toISOString())
    for (const filter of serviceFilters(filters)) query.append('fp', filter)
    const { statusCode, body } = await this.#agent
      .request({
        origin: url.origin,
        path: `${url.pathname.replace(/\/+$/, '')}/api/query?${query}`,
        method: 'GET',
        headers: { accept: 'application/json' },
        signal: signal ?? null,
      })
      .catch((cause: unknown) => {
        signal?.throwIfAborted()
        throw unreachableError(cause)
      })
    const text = await body.text().catch((cause: unknown) => {
      signal?.throwIfAborted()
      throw unreachableError(cause)
    })
    if (statusCode !== 200) throw new HttpError(502, reason('log-search-refused', { status: statusCode }))
    return parseRows(text)
  }
}

function unreachableError(cause: unknown): HttpError {
  return new HttpError(502, reason('log-search-unreachable'), { detail: reason('log-search-check-url'), cause })
}

/** @throws HttpError */
function parseRows(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text)
    if (value === null) return []
    if (Array.isArray(value)) return value
  } catch {
    // Reported like any other answer that is not a list.
  }
  throw new HttpError(502, reason('log-search-other'))
}

/** Filters that the service understands as we do: of several for one field it would use the last alone. */
function serviceFilters(filters: readonly string[]): string[] {
  const filterField = (filter: string) => filter.slice(0, filter.indexOf(':'))
  return filters.filter((filter) => {
    const field = filterField(filter)
    const pattern = filter.slice(field.length + 1)
    // `_` and `%` are wildcards there. A status is compared as its text alone.
    if (!SERVICE_FIELDS.has(field) || /[\\_%]/.test(pattern) || (field === 'response_status' && /\d/.test(pattern)))
      return false
    return filters.filter((other) => filterField(other) === field).length === 1
  })
}

function toAuditRecord(row: unknown): AuditRecord {
  const fields = asObject(row)
  const text = (name: string) => asText(fields[name]).slice(0, 4096)
  const time = text('time')
  const at = Date.parse(time)
  return {
    id: [time, text('request_id'), text('api_name'), text('object')].join(' '),
    source: SOURCE,
    at: Number.isNaN(at) ? 0 : at,
    time,
    api: text('api_name'),
    bucket: text('bucket'),
    object: text('object'),
    status: text('response_status'),
    statusCode: numberOrNull(fields.response_status_code) ?? 0,
    remoteHost: text('remote_host'),
    requestId: text('request_id'),
    userAgent: text('user_agent'),
    accessKey: '',
    user: '',
    consoleRequest: '',
    duration: numberOrNull(fields.time_to_response_ns) ?? 0,
    bytesIn: numberOrNull(fields.request_content_length),
    bytesOut: numberOrNull(fields.response_content_length),
    raw: {},
  }
}
