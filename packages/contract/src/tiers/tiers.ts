import { z } from 'zod'
import { listSchema, routes } from '../call/route.ts'
import { withReason } from '../reasons/issue-reason.ts'
import { reason } from '../reasons/reason.ts'
import { tierEndpoints } from './endpoints.ts'
import { TIER_NAME } from './tier-name.ts'

const type = z.enum(['s3', 'gcs', 'azure', 'minio'])

const tierName = z
  .string()
  .refine(
    (text) => TIER_NAME.test(text),
    withReason(reason('tier-name'), 'must have upper-case letters, digits, dashes and underscores only'),
  )
const required = z.string().min(1)

const place = { name: z.string(), endpoint: z.string(), bucket: z.string(), prefix: z.string(), region: z.string() }
const usage = { usage: z.number().optional(), objects: z.number().optional(), versions: z.number().optional() }

const Tier = z.object({
  type: z.enum(['s3', 'gcs', 'azure', 'minio', 'unsupported']),
  s3: z
    .object({ ...place, ...usage, accesskey: z.string(), secretkey: z.string(), storageclass: z.string() })
    .optional(),
  gcs: z.object({ ...place, ...usage, creds: z.string() }).optional(),
  azure: z.object({ ...place, ...usage, accountname: z.string(), accountkey: z.string() }).optional(),
  minio: z.object({ ...place, ...usage, accesskey: z.string(), secretkey: z.string() }).optional(),
  /** The name of a tier of unknown type. */
  name: z.string().optional(),
})
export type Tier = z.infer<typeof Tier>

const TierState = z.object({
  name: z.string(),
  /** Whether the server could reach it, within the last minute. Absent if the server cannot test tiers. */
  online: z.boolean().optional(),
  /** The server's message if it could not. */
  problem: z.string().optional(),
  /** Buckets with lifecycle rules that move objects to the tier, at most 20, of those that the user may read. */
  buckets: listSchema(z.string()),
  total_buckets: z.number(),
})
export type TierState = z.infer<typeof TierState>

const newPlace = { name: tierName, endpoint: required, bucket: required, prefix: required, region: required }

const NewTier = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('s3'),
    s3: z.object({ ...newPlace, accesskey: required, secretkey: required, storageclass: z.string().default('') }),
  }),
  z.object({ type: z.literal('minio'), minio: z.object({ ...newPlace, accesskey: required, secretkey: required }) }),
  z.object({
    type: z.literal('gcs'),
    // The original console ignores the endpoint: the server uses its own value.
    gcs: z.object({ ...newPlace, endpoint: z.string().default(''), creds: z.base64().min(1) }),
  }),
  z.object({ type: z.literal('azure'), azure: z.object({ ...newPlace, accountname: required, accountkey: required }) }),
])

const params = z.object({ type, name: z.string().min(1).max(128) })

export const tierCalls = routes(tierEndpoints, {
  listTiers: {
    summary: 'The tiers and their usage; secrets are shown as REDACTED',
    response: z.object({ items: listSchema(Tier) }),
  },
  listTierStates: {
    summary: 'Whether the storage server can reach each tier, and the buckets whose lifecycle rules use it',
    /** `fresh` tests tiers again that were tested within the last minute. */
    query: z.object({ fresh: z.enum(['true', 'false']).optional() }),
    response: z.object({ items: listSchema(TierState) }),
  },
  addTier: { summary: 'Add a tier; the storage server tests it first', body: NewTier },
  getTier: { summary: 'One tier', params, response: Tier },
  setTierCredentials: {
    summary: 'Replace the credentials of a tier',
    params,
    body: z.object({
      access_key: z.string().optional(),
      secret_key: z.string().optional(),
      /** The key file in Base64. */
      creds: z.base64().optional(),
    }),
  },
  verifyTier: { summary: 'Test whether the storage server can reach a tier', params, body: z.object({}).nullish() },
  deleteTier: { summary: 'Remove an empty tier', params },
})
