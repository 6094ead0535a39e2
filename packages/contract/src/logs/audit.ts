import { z } from 'zod'
import { booleanQuery, listSchema, routes } from '../call/route.ts'
import { LogMessage } from './console-log.ts'
import { logEndpoints } from './endpoints.ts'

/** The fields that audit records can be filtered by. */
export const AUDIT_FIELDS = [
  'bucket',
  'object',
  'api_name',
  'request_id',
  'user_agent',
  'response_status',
  // Not in the specification:
  'user',
  'source',
] as const
export type AuditField = (typeof AUDIT_FIELDS)[number]

/** A request, as recorded by the storage server. */
export const AuditRow = z.object({
  /** RFC 3339 with a fraction. */
  time: z.string(),
  api_name: z.string(),
  bucket: z.string(),
  object: z.string(),
  time_to_response_ns: z.number(),
  remote_host: z.string(),
  request_id: z.string(),
  user_agent: z.string(),
  /** `OK` */
  response_status: z.string(),
  response_status_code: z.number(),
  request_content_length: z.number().nullable(),
  response_content_length: z.number().nullable(),
  /** Not in the specification: */
  id: z.string(),
  access_key: z.string(),
  /** The user that the access key belongs to, if the server reports it; otherwise the access key. */
  user: z.string(),
  /** The server that recorded it. */
  source: z.string(),
  /** The server's own record, without secrets. */
  raw: z.record(z.string(), z.unknown()),
})
export type AuditRow = z.infer<typeof AuditRow>

const FILTER = new RegExp(`^(${AUDIT_FIELDS.join('|')}):`)
const filter = z
  .string()
  .max(2048)
  .regex(FILTER, `should be one of [${AUDIT_FIELDS.join(' ')}], a colon and a pattern`)

/** A time in RFC 3339, or a date. */
const moment = z
  .string()
  .max(64)
  .refine((text) => text === '' || !Number.isNaN(Date.parse(text)), 'should be a time such as 2026-11-22T12:00:00Z')
  .optional()

/** The parameters that select records. */
const selection = {
  /** `field:pattern`, repeatable. In a pattern `*` matches any text, `.` one character; a backslash escapes them. */
  fp: z.preprocess(
    (value) => (Array.isArray(value) || value === undefined ? value : [value]),
    z.array(filter).max(32).default([]),
  ),
  /** Inclusive. */
  timeStart: moment,
  /** Exclusive. */
  timeEnd: moment,
  /** Includes calls that the console makes by itself, such as sampling metrics. */
  tools: booleanQuery,
}

/** Set if the search took too long and stopped at this time (RFC 3339): further records may match. */
const searchedTo = z.string().optional()

const order = z.enum(['timeDesc', 'timeAsc']).default('timeDesc')

/** A value, and the number of records that have it. */
const Count = z.object({ value: z.string(), count: z.number() })

/** A name for a server, chosen by the console. */
const source = z.string().regex(/^[\w.-]{1,64}$/, 'should be a name of letters, digits, dots and dashes')

export const auditCalls = routes(logEndpoints, {
  searchLogs: {
    summary: 'Audit records. Filters of one field are combined with "or", filters of different fields with "and"',
    query: z.object({
      ...selection,
      /** Sent by the original console; ignored. */
      q: z.string().max(64).optional(),
      pageSize: z.coerce.number().int().min(1).max(1000).default(10),
      pageNo: z.coerce.number().int().min(0).max(1_000_000).default(0),
      /** The `next` of the page before, in place of `pageNo`: records that came meanwhile do not move the pages. */
      cursor: z.string().max(4096).optional(),
      order,
    }),
    response: z.object({
      results: listSchema(AuditRow),
      searched_to: searchedTo,
      /** The cursor of the next page; absent after the last one. If the search took too long, it goes on from there. */
      next: z.string().optional(),
    }),
  },
  summarizeLogs: {
    summary: 'The number of audit records over time, and their most frequent users, buckets and calls',
    query: z.object(selection),
    response: z.object({
      total: z.number(),
      /** The length of each interval in `counts` (seconds). */
      step: z.number(),
      /** Intervals with records, sorted by time. `time` is the start, seconds since 1970. */
      counts: listSchema(z.object({ time: z.number(), count: z.number(), errors: z.number() })),
      users: listSchema(Count),
      buckets: listSchema(Count),
      calls: listSchema(Count),
      searched_to: searchedTo,
    }),
  },
  exportLogs: {
    summary: 'All audit records that match, as lines of JSON or as CSV',
    query: z.object({ ...selection, order, format: z.enum(['csv', 'ndjson']).default('ndjson') }),
  },
  followRequest: {
    summary:
      'One request: its audit records, those of the requests that it caused, and lines of the log. ' +
      'The ID is from a storage server or from this console',
    params: z.object({ id: z.string().regex(/^[\w-]{8,64}$/, 'should be a request ID') }),
    query: z.object({
      /** The time of the request (RFC 3339), which makes the search faster. */
      at: moment,
    }),
    response: z.object({
      records: listSchema(AuditRow),
      log: listSchema(LogMessage),
      /** False if the server's log could not be read. */
      log_read: z.boolean(),
    }),
  },
  getAuditReceiver: {
    summary: 'The address and token for a storage server to send its audit records',
    query: z.object({ source }),
    response: z.object({
      /** The path to append to the address at which the server reaches this console. */
      path: z.string(),
      token: z.string(),
      /** When the last record of this source arrived, RFC 3339; absent if none has arrived since the console started. */
      last_record: z.string().optional(),
      /** The delay between the creation of that record and its arrival (ms). */
      lag: z.number().optional(),
    }),
  },
  recordAudit: {
    summary: 'Set an audit webhook of the storage server to this console, and wait until a record arrives',
    body: z.object({
      /** The address at which the storage server reaches this console: scheme, host, port, and base path. */
      address: z
        .url({ protocol: /^https?$/, error: 'should be a URL such as https://console.example.com' })
        .max(1024)
        .refine((text) => {
          if (!URL.canParse(text)) return false
          const { username, search, hash } = new URL(text)
          return username === '' && search === '' && hash === ''
        }, 'should have no user, query or fragment'),
      source,
      /** How long to wait for a record (seconds). */
      wait: z.number().int().min(0).max(20).default(20),
    }),
    response: z.object({
      /** Whether the server must be restarted before it sends records. */
      restart: z.boolean(),
      /** Whether a record has arrived. */
      arrived: z.boolean(),
    }),
  },
  ingestAudit: {
    summary:
      'Receive audit records from a storage server: JSON, one record per line. The token is in the query, or in Authorization',
    query: z.object({ token: z.string().max(1024).optional() }),
  },
})
