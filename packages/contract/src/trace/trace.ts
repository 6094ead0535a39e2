import { z } from 'zod'
import { listSchema, routes } from '../call/route.ts'
import { withReason } from '../reasons/issue-reason.ts'
import { reason } from '../reasons/reason.ts'
import { durationQuery } from '../values/duration.ts'
import { traceEndpoints } from './endpoints.ts'

/** The kinds of records that a storage server can report, as spelled in the query. */
export const TRACE_KINDS = [
  's3',
  'internal',
  'storage',
  'os',
  'scanner',
  'decommission',
  'healing',
  'batch-replication',
  'batch-keyrotation',
  'batch-expire',
  'rebalance',
  'replication-resync',
  'bootstrap',
  'ftp',
  'ilm',
  'kms',
  'formatting',
] as const
export type TraceKind = (typeof TRACE_KINDS)[number]

const filter = z.string().max(1024).default('')

/** A comma-separated list of kinds; `all` means the four of 2021. Unknown kinds are rejected. */
const calls = z
  .string()
  .max(512)
  .default('s3')
  .transform((text, context) => {
    const words = text
      .split(',')
      .map((word) => word.trim().toLowerCase())
      .filter((word) => word !== '')
    const kinds = words.includes('all') ? ['s3', 'internal', 'storage', 'os', ...words] : words
    const chosen = TRACE_KINDS.filter((kind) => kinds.includes(kind))
    if (words.some((word) => word !== 'all' && !(TRACE_KINDS as readonly string[]).includes(word))) {
      const values = TRACE_KINDS.join(', ')
      context.addIssue({
        code: 'custom',
        ...withReason(reason('not-one-of', { values }), `should be some of [${values}]`),
      })
      return z.NEVER
    }
    return chosen
  })
  .meta({ type: 'string', description: `A comma list of ${TRACE_KINDS.join(', ')}; or all` })

const Query = z.object({
  calls,
  threshold: durationQuery.prefault('0'),
  /** `yes` reports failed requests only. */
  onlyErrors: z.string().max(8).default('no'),
  /** 0 for any. */
  statusCode: z
    .string()
    .regex(/^\d{0,3}$/, 'should be a status such as 404')
    .default('')
    .transform(Number),
  method: filter,
  funcname: filter,
  path: filter,
})

/** A call that a storage server handled, or an internal operation. */
export const TraceMessage = z.object({
  /** The request's Host header. */
  host: z.string(),
  /** When it started, RFC 3339 with a fraction. */
  time: z.string(),
  /** The address of the client. */
  client: z.string(),
  callStats: z.object({
    /** Bytes received. */
    rx: z.number(),
    /** Bytes sent. */
    tx: z.number(),
    /** For example `548.071µs`. */
    duration: z.string(),
    timeToFirstByte: z.string(),
  }),
  /** For example `s3.PutObject`. */
  api: z.string(),
  path: z.string(),
  query: z.string(),
  /** 0 for records that are not about HTTP. */
  statusCode: z.number(),
  statusMsg: z.string(),
  /** Not in the specification: */
  kind: z.enum([...TRACE_KINDS, 'other']),
  method: z.string(),
  node: z.string(),
  /** Nanoseconds. */
  durationNs: z.number(),
  timeToFirstByteNs: z.number(),
  error: z.string(),
  /**
   * The request ID that the server sent to its client. Connects the record to log entries and audit records. Empty if unknown.
   */
  requestId: z.string(),
  userAgent: z.string(),
  /** Headers without credentials. */
  requestHeaders: z.record(z.string(), listSchema(z.string())).optional(),
  responseHeaders: z.record(z.string(), listSchema(z.string())).optional(),
})
export type TraceMessage = z.infer<typeof TraceMessage>

export const traceCalls = routes(traceEndpoints, {
  trace: {
    summary: "Live trace of the storage server's calls",
    query: Query,
    response: TraceMessage,
  },
})
