import { z } from 'zod'
import { bucketParams } from '../buckets/bucket-params.ts'
import { routes } from '../call/route.ts'
import { withReason } from '../reasons/issue-reason.ts'
import { reason } from '../reasons/reason.ts'
import { healEndpoints } from './endpoints.ts'

/** A boolean as parsed by Go's `ParseBool`, which the original console uses. */
const flag = z
  .string()
  .default('false')
  .refine(
    (text) => /^(?:1|t|T|true|TRUE|True|0|f|F|false|FALSE|False|)$/.test(text),
    withReason(reason('not-one-of', { values: 'true, false' }), 'should be one of [true, false]'),
  )
  .transform((text) => /^[1tT]/.test(text))
  .meta({ type: 'string', description: 'true or false' })

/** Counts by colour, with capitals as in the original console. Colours without items are omitted. */
const HealColumns = z.object({
  Green: z.number().optional(),
  Yellow: z.number().optional(),
  Red: z.number().optional(),
  Grey: z.number().optional(),
})
export type HealColumns = z.infer<typeof HealColumns>

const Health = z.object({
  /** `grey` also if the health cannot be determined. */
  color: z.enum(['green', 'yellow', 'red', 'grey']),
  /** Numbers of drives. */
  online: z.number(),
  offline: z.number(),
  missing: z.number(),
  corrupted: z.number(),
  drives: z.array(z.object({ uuid: z.string(), endpoint: z.string(), state: z.string() })),
})

export const HealedItem = z.object({
  status: z.literal('success'),
  /** Why the item could not be healed. */
  error: z.string().optional(),
  type: z.enum(['system', 'bucket', 'object']),
  /** `{bucket}/{key}`, or a description for parts of the system. */
  name: z.string(),
  /** Empty for items without versions. */
  versionId: z.string(),
  before: Health,
  after: Health,
  /** Bytes; 0 for items that are not objects. */
  size: z.number(),
})
export type HealedItem = z.infer<typeof HealedItem>

export const HealMessage = z.object({
  /** Seconds since the heal was started. */
  healDuration: z.number(),
  /** The total size of the scanned objects. */
  bytesScanned: z.number(),
  objectsScanned: z.number(),
  itemsScanned: z.number(),
  /** Objects that are on more drives than before. */
  objectsHealed: z.number(),
  itemsHealed: z.number(),
  healthBeforeCols: HealColumns,
  healthAfterCols: HealColumns,
  /** Items since the last message. */
  itemsHealthStatus: z.array(HealedItem),
})
export type HealMessage = z.infer<typeof HealMessage>

/** The maximum number of items that a socket lists with `items=unhealthy`. They include those found before it was opened. */
export const MAX_UNHEALTHY = 1000

const query = z
  .object({
    prefix: z.string().max(1024).default(''),
    recursive: flag,
    'force-start': flag,
    /** Stops the heal of this path and starts none. */
    'force-stop': flag,
    /** Follows the heal of this path that was last started or joined here, and starts none. Without one the socket ends at once. */
    follow: flag,
    /** Deletes items that cannot be healed. */
    remove: flag,
    /** Checks without healing. */
    'dry-run': flag,
    /** `deep` reads every byte. */
    scan: z.string().max(16).default('normal'),
    /** `unhealthy` lists only items that are or were not green, at most 1,000. */
    items: z.enum(['all', 'unhealthy']).default('all'),
  })
  .refine((options) => !(options['force-start'] && options['force-stop']), {
    path: ['force-stop'],
    ...withReason(reason('heal-both-forced'), 'excludes force-start'),
  })

export const healCalls = routes(healEndpoints, {
  heal: {
    summary: 'Check and heal the copies of a bucket and its objects. A heal continues when the client disconnects.',
    params: bucketParams,
    query,
    response: HealMessage,
  },
  healAll: {
    summary: 'Check and heal all buckets',
    query,
    response: HealMessage,
  },
})
