import { z } from 'zod'
import { listSchema, routes } from '../call/route.ts'
import { StatementReport } from '../session/session.ts'
import { iamName } from '../values/iam-names.ts'
import { policyEndpoints } from './endpoints.ts'

/** The subject whose permissions are evaluated. */
export const AccessSubject = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['user', 'group', 'access-key']), name: iamName }),
  z.object({ type: z.literal('anonymous') }),
])
export type AccessSubject = z.infer<typeof AccessSubject>

/** A policy that was evaluated, with the result of each statement. */
export const AccessSource = z.object({
  /**
   * - `policy` attached to the user or to one of its groups
   * - `effective` all policies of a user together, if the server does not report them individually
   * - `embedded` the policy of the access key itself, which must allow the action as well
   * - `bucket` the bucket policy
   */
  kind: z.enum(['policy', 'effective', 'embedded', 'bucket']),
  /** The name of the policy or, for the other kinds, of the bucket, access key or user. */
  name: z.string(),
  /** Whether it is attached to the user or group itself. */
  direct: z.boolean(),
  /** The groups through which it applies to the user. */
  groups: listSchema(z.string()),
  /** False if the policy is attached but does not exist. */
  found: z.boolean(),
  /** Normalized JSON text. */
  policy: z.string(),
  statements: listSchema(StatementReport),
})
export type AccessSource = z.infer<typeof AccessSource>

export const AccessExplanation = z.object({
  /** `conditional`: it depends on something that is not in the question. */
  decision: z.enum(['allow', 'deny', 'conditional']),
  /**
   * - `statement` the statement in `decidedBy` decided
   * - `no-match` no statement allows the action
   * - `no-policy` there is no policy
   * - `owner` the root user, who cannot be denied anything
   * - `suspended` the user, one of its groups, or the access key is disabled
   * - `unknown-groups` the groups of a directory's user cannot be read
   * - `unknown-parent` the access key allows the action, but the policies of its parent user cannot be read
   */
  reason: z.enum(['statement', 'no-match', 'no-policy', 'owner', 'suspended', 'unknown-groups', 'unknown-parent']),
  decidedBy: z.object({ source: z.number(), statement: z.number() }).optional(),
  /**
   * The action that decided, if it is another one: a request is decided by what the server asks for when a request does this.
   * `s3:GetObjectAttributes` needs `s3:GetObject` as well, and `s3:HeadBucket` is decided by `s3:ListBucket`.
   */
  asked: z.string().optional(),
  /** A request is answered all the same, with the buckets that the subject may list or locate. */
  filtered: z.boolean().optional(),
  /** The user whose permissions apply; absent for groups and anonymous callers. */
  user: z.string().optional(),
  /** What is disabled, for the reason `suspended`. */
  suspended: z.object({ type: z.enum(['user', 'group', 'access-key']), name: z.string() }).optional(),
  sources: listSchema(AccessSource),
  /** Why the bucket policy was not evaluated. */
  bucketPolicyUnread: z.enum(['denied', 'no-bucket']).optional(),
})
export type AccessExplanation = z.infer<typeof AccessExplanation>

export const explainAccessCalls = routes(policyEndpoints, {
  explainAccess: {
    summary:
      'Whether a subject may perform an action, and which policy statement decides. Makes no request as that subject.',
    body: z.object({
      subject: AccessSubject,
      /** An action of S3, admin, KMS or STS, without wildcards. */
      action: z.string().min(1).max(128),
      /** An ARN, a bucket, or `bucket/key`. A `*` at the end matches all keys with this prefix. Absent for any resource. */
      resource: z.string().max(2048).optional(),
      /** The conditions of the request. Absent keys are unknown. */
      conditions: z
        .array(
          z.object({
            key: z.string().min(1).max(256),
            value: z.string().max(2048).default(''),
            /** The request does not have the key; the value is ignored. */
            absent: z.boolean().optional(),
          }),
        )
        .max(50)
        .optional(),
    }),
    response: AccessExplanation,
  },
})
