import { z } from 'zod'
import { name } from '../iam-names.ts'
import { list, routes } from '../route.ts'
import { StatementReport } from '../session/session.ts'
import { policyEndpoints } from './endpoints.ts'

/** Whose rights are asked about. */
export const AccessSubject = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['user', 'group', 'access-key']), name }),
  z.object({ type: z.literal('anonymous') }),
])
export type AccessSubject = z.infer<typeof AccessSubject>

/** A policy that was looked at, and what each of its statements had to say. */
export const AccessSource = z.object({
  /**
   * - `policy` attached to the user, or to one of its groups
   * - `effective` all policies of a user together, where the server does not name them one by one
   * - `embedded` the policy of the access key itself: it has to allow as well
   * - `bucket` the policy of the bucket
   */
  kind: z.enum(['policy', 'effective', 'embedded', 'bucket']),
  /** Of the policy; of the bucket, access key or user for the other kinds. */
  name: z.string(),
  /** Whether it is attached to the user or group itself. */
  direct: z.boolean(),
  /** The groups through which the user has it. */
  groups: list(z.string()),
  /** False for an attached policy that does not exist. */
  found: z.boolean(),
  /** As JSON text in its normal form. */
  policy: z.string(),
  statements: list(StatementReport),
})
export type AccessSource = z.infer<typeof AccessSource>

export const AccessExplanation = z.object({
  /** `conditional`: it depends on something that the question leaves open. */
  decision: z.enum(['allow', 'deny', 'conditional']),
  /**
   * - `statement` the one that `decidedBy` names
   * - `no-match` no statement allows it
   * - `no-policy` there is no policy at all
   * - `owner` root, whom nothing denies it
   * - `suspended` the user or one of its groups is disabled, or the access key is
   * - `unknown-parent` the access key allows it, and the rights of its parent cannot be read
   */
  reason: z.enum(['statement', 'no-match', 'no-policy', 'owner', 'suspended', 'unknown-parent']),
  decidedBy: z.object({ source: z.number(), statement: z.number() }).optional(),
  /** The user whose rights count; absent for groups and anonymous callers. */
  user: z.string().optional(),
  /** What is disabled. */
  suspended: z.object({ type: z.enum(['user', 'group', 'access-key']), name: z.string() }).optional(),
  sources: list(AccessSource),
  /** The policy of the bucket was not considered, because of this. */
  bucketPolicyUnread: z.enum(['denied', 'no-bucket']).optional(),
})
export type AccessExplanation = z.infer<typeof AccessExplanation>

export const explainCalls = routes(policyEndpoints, {
  explainAccess: {
    summary:
      'Whether somebody may do something, and which statement of which policy decides. Makes no request as them.',
    body: z.object({
      subject: AccessSubject,
      /** Of S3, admin, kms or sts, without wildcards. */
      action: z.string().min(1).max(128),
      /** An ARN, or a bucket or `bucket/key`. A `*` at the end: every key that begins so. Absent: any. */
      resource: z.string().max(2048).optional(),
      /** What the request would have. Keys that are not given are open. */
      conditions: z
        .array(z.object({ key: z.string().min(1).max(256), value: z.string().max(2048) }))
        .max(50)
        .optional(),
    }),
    response: AccessExplanation,
  },
})
