import { z } from 'zod'
import { flag, list, routes } from '../route.ts'
import { LogMessage } from './console-log.ts'
import { logEndpoints } from './endpoints.ts'

/** What audit records can be filtered by. */
export const AUDIT_FIELDS = [
  'bucket',
  'object',
  'api_name',
  'request_id',
  'user_agent',
  'response_status',
  // Beyond the specification:
  'user',
  'source',
] as const
export type AuditField = (typeof AUDIT_FIELDS)[number]

/** One request, as the storage server recorded it. */
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
  /** Beyond the specification: */
  id: z.string(),
  access_key: z.string(),
  /** The user behind the access key, as far as the server tells it; else the access key. */
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

/** A time in RFC 3339, or a day. */
const moment = z
  .string()
  .max(64)
  .refine((text) => text === '' || !Number.isNaN(Date.parse(text)), 'should be a time such as 2026-11-22T12:00:00Z')
  .optional()

/** Which records are meant. */
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
  /** Whether calls count that the console makes by itself, such as sampling metrics. */
  tools: flag,
}

/** The search took too long and ended here: older records, or newer ones in the other order, may match too. RFC 3339. */
const searchedTo = z.string().optional()

const order = z.enum(['timeDesc', 'timeAsc']).default('timeDesc')

/** A value, and the number of records that have it. */
const Count = z.object({ value: z.string(), count: z.number() })

/** The name of a server, of our choice. */
const source = z.string().regex(/^[\w.-]{1,64}$/, 'should be a name of letters, digits, dots and dashes')

export const auditCalls = routes(logEndpoints, {
  searchLogs: {
    summary: 'Audit records. Filters of one field are joined by or, those of different fields by and',
    query: z.object({
      ...selection,
      /** As the original sends it; ignored. */
      q: z.string().max(64).optional(),
      pageSize: z.coerce.number().int().min(1).max(1000).default(10),
      pageNo: z.coerce.number().int().min(0).max(1_000_000).default(0),
      order,
    }),
    response: z.object({ results: list(AuditRow), searched_to: searchedTo }),
  },
  summarizeLogs: {
    summary: 'Audit records over time, and the most frequent users, buckets and calls among them',
    query: z.object(selection),
    response: z.object({
      total: z.number(),
      /** Of each of `counts` (seconds). */
      step: z.number(),
      /** Spans with records in the order of time. `time` is the beginning in seconds since 1970. */
      counts: list(z.object({ time: z.number(), count: z.number(), errors: z.number() })),
      users: list(Count),
      buckets: list(Count),
      calls: list(Count),
      searched_to: searchedTo,
    }),
  },
  exportLogs: {
    summary: 'All audit records that match, as lines of JSON or as CSV',
    query: z.object({ ...selection, order, format: z.enum(['csv', 'ndjson']).default('ndjson') }),
  },
  followRequest: {
    summary:
      'What is known of one request: its audit records, those of the requests that it led to, and lines of the log. ' +
      'The ID is that of a storage server, or of this console',
    params: z.object({ id: z.string().regex(/^[\w-]{8,64}$/, 'should be a request ID') }),
    query: z.object({
      /** When it was, RFC 3339: the search is quicker. */
      at: moment,
    }),
    response: z.object({
      records: list(AuditRow),
      log: list(LogMessage),
      /** False where the log of the server could not be read. */
      log_read: z.boolean(),
    }),
  },
  getAuditReceiver: {
    summary: 'Where a storage server has to send its audit records, and the token for it',
    query: z.object({ source }),
    response: z.object({
      /** To be put behind the address by which the server reaches this console. */
      path: z.string(),
      token: z.string(),
      /** When a record of this source came last, RFC 3339; absent before the first since the console started. */
      last_record: z.string().optional(),
      /** So long after it was made (ms). */
      lag: z.number().optional(),
    }),
  },
  recordAudit: {
    summary: 'Sets an audit webhook of the storage server to this console, and waits until a record arrives',
    body: z.object({
      /** By which the storage server reaches this console: scheme, host, port, and the base path. */
      address: z
        .url({ protocol: /^https?$/, error: 'should be a URL such as https://console.example.com' })
        .max(1024)
        .refine((text) => {
          if (!URL.canParse(text)) return false
          const { username, search, hash } = new URL(text)
          return username === '' && search === '' && hash === ''
        }, 'should have no user, query or fragment'),
      source,
      /** So long it waits for a record (seconds). */
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
      'Takes audit records from a storage server: JSON, one record a line. Its token is in the query, or in Authorization',
    query: z.object({ token: z.string().max(1024).optional() }),
  },
})
