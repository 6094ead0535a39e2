import { z } from 'zod'
import { listSchema, routes } from '../call/route.ts'
import { logEndpoints } from './endpoints.ts'

/** The values of `logType` that MinIO servers accept: the kinds of 2021, and the levels of later ones. */
export const LOG_TYPES = ['all', 'minio', 'application', 'fatal', 'error', 'warning', 'event', 'info'] as const

/** A record of a server's log. Members that the server omitted are absent. */
export const LogMessage = z.object({
  deploymentid: z.string().optional(),
  /** FATAL, ERROR, WARNING, EVENT or INFO; empty for plain lines. */
  level: z.string(),
  errKind: z.string(),
  /** `HH:MM:SS ZONE MM/DD/YYYY`, or as the server wrote it. */
  time: z.string(),
  api: z
    .object({
      name: z.string(),
      args: z.object({ bucket: z.string().optional(), object: z.string().optional() }).loose().optional(),
    })
    .optional(),
  remotehost: z.string().optional(),
  host: z.string().optional(),
  requestID: z.string().optional(),
  userAgent: z.string().optional(),
  message: z.string().optional(),
  error: z
    .object({
      message: z.string(),
      source: listSchema(z.string()),
      variables: z.record(z.string(), z.unknown()).optional(),
    })
    .optional(),
  /** A line of the server's console output; the other members are then empty. Empty for structured records. */
  ConsoleMsg: z.string(),
  node: z.string(),
  /** RFC 3339; not in the specification. Empty if the server sent no time. */
  at: z.string(),
})
export type LogMessage = z.infer<typeof LogMessage>

export const consoleLogCalls = routes(logEndpoints, {
  consoleLog: {
    summary: 'The log of the storage server: the latest lines, followed by new ones',
    query: z.object({
      /** `all`, or a host with or without a port. */
      node: z.string().max(256).default(''),
      logType: z.enum(LOG_TYPES).default('all'),
    }),
    response: LogMessage,
  },
})
