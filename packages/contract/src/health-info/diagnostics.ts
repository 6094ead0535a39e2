import { z } from 'zod'
import { booleanQuery, listSchema, routes } from '../call/route.ts'
import { healthInfoEndpoints } from './endpoints.ts'

/** A lock that a request of the storage server holds or waits for. */
export const HeldLock = z.object({
  id: z.string(),
  /** Bucket and object, or the server's own name. */
  resource: z.string(),
  type: z.string(),
  /** Seconds since it was taken; absent where the server does not tell. */
  age: z.number().optional(),
  source: z.string(),
  owner: z.string(),
  servers: listSchema(z.string()),
  quorum: z.number(),
})
export type HeldLock = z.infer<typeof HeldLock>

const Throughput = z.object({
  /** Bytes a second. */
  bytes: z.number(),
  /** A second. */
  objects: z.number(),
})

/** What a speed test has measured so far. */
export const SpeedtestResult = z.object({
  /** Of the drives, by server. */
  servers: listSchema(
    z.object({
      endpoint: z.string(),
      /** Why the server was not measured. */
      error: z.string(),
      drives: listSchema(
        z.object({
          path: z.string(),
          /** Bytes a second. */
          read: z.number(),
          write: z.number(),
          error: z.string(),
        }),
      ),
    }),
  ),
  /** Of objects; absent in a test of drives, and until something was measured. */
  put: Throughput.optional(),
  get: Throughput.optional(),
})
export type SpeedtestResult = z.infer<typeof SpeedtestResult>

const MiB = 2 ** 20

export const diagnosticCalls = routes(healthInfoEndpoints, {
  listLocks: {
    summary: 'The locks of the storage server, the oldest first. Servers of one node have no such call (501)',
    query: z.object({
      count: z.coerce.number().int().min(1).max(1000).default(100),
      /** Those too that fewer servers hold than needed. */
      stale: booleanQuery,
    }),
    response: z.object({ locks: listSchema(HeldLock) }),
  },
  profile: {
    summary:
      'Profiles of the processes of the storage server, as a zip archive, after the time has passed: where they spend their ' +
      'time, and what allocates memory',
    query: z.object({
      kinds: z.enum(['cpu', 'mem', 'cpu,mem']).default('cpu,mem'),
      seconds: z.coerce.number().min(0.1).max(50).default(10),
    }),
  },
  inspectData: {
    summary:
      'Files of a MinIO server as they are on its drives, from all drives, to find out what is damaged. Other servers have no ' +
      'such call (501).',
    body: z.object({
      /** A bucket. */
      volume: z.string().min(1).max(255),
      /** The path in it; `*` is any text without a slash, and `**` any text. */
      file: z.string().min(1).max(1024),
    }),
    /** A zip archive in Base64. */
    response: z.object({ value: z.string() }),
  },
  speedtest: {
    summary:
      'Measures the drives of the storage server, or uploads and downloads of objects. A test of objects stops all other ' +
      'S3 traffic of a MinIO server while it runs. The last message is the result.',
    query: z.object({
      test: z.enum(['drive', 'object']),
      /** Of the file on each drive, or of an object. */
      bytes: z.coerce
        .number()
        .int()
        .min(MiB)
        .max(1024 * MiB)
        .default(64 * MiB),
      /** Of a test of objects: how many at the same time, and for how long uploads and then downloads last. */
      concurrent: z.coerce.number().int().min(1).max(64).default(16),
      seconds: z.coerce.number().min(0.1).max(60).default(10),
    }),
    response: SpeedtestResult,
  },
})
