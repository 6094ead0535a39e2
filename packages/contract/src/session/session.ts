import { z } from 'zod'
import { list, routes } from '../route.ts'
import { sessionEndpoints } from './endpoints.ts'

export const LoginStrategy = z.object({
  loginStrategy: z.enum(['unknown', 'form', 'redirect', 'service-account']),
  /** Where `redirect` leads; empty for the other strategies. */
  redirect: z.string(),
  /** Host and port of the storage server, as shown on the login page. */
  server: z.string().optional(),
})
export type LoginStrategy = z.infer<typeof LoginStrategy>

const SignedIn = z.object({
  /** To a browser an opaque id; to other clients the sealed session, valid as cookie `token` or as Bearer. */
  sessionId: z.string(),
  error: z.string().optional(),
})

/**
 * What a storage server can do beyond what all of them can.
 * - `revoke-tokens` sign-out ends the session on the server too (MinIO since March 2025, the embedded store)
 * - `quota-fifo` quotas that delete the oldest objects (MinIO until early 2022)
 * - `aws-policies` policies mean what they mean on AWS: a bucket action needs the bucket's own ARN, and policies of buckets
 *   are about users too (the embedded store)
 */
export const Capability = z.enum(['revoke-tokens', 'quota-fifo', 'aws-policies'])
export type Capability = z.infer<typeof Capability>

export const Session = z.object({
  status: z.literal('ok'),
  /** The routes this session may see, in the specification's notation (`/object-browser/:bucket/*`). */
  pages: list(z.string()),
  features: list(z.string()),
  operator: z.boolean(),
  distributedMode: z.boolean(),
  /** Access key signed in with. */
  user: z.string().optional(),
  /** Host and port of the storage server. */
  server: z.string().optional(),
  /** Its whole address, as in `https://s3.example.com:9000`. */
  endpoint: z.string().optional(),
  /** The console's version; only told after sign-in, because it names the known defects of a program. */
  version: z.string().optional(),
  /** When the session ends, RFC 3339. */
  expires: z.string().optional(),
  /** What the connected server can do; a screen asks for these, never for the vendor. */
  capabilities: list(Capability),
})
export type Session = z.infer<typeof Session>

/** What a policy's statement has to say about a question, for a person. */
export const StatementReport = z.object({
  /** Its place in the caller's effective policy, from 0. */
  index: z.number(),
  sid: z.string().optional(),
  effect: z.enum(['Allow', 'Deny']),
  matched: z.enum(['yes', 'no', 'depends']),
  /** Why, in English. */
  because: z.string(),
  /** The same for another language. */
  reason: z.object({ id: z.string(), params: z.record(z.string(), z.union([z.string(), z.number()])).optional() }),
  actions: list(z.string()),
  resources: list(z.string()),
})
export type StatementReport = z.infer<typeof StatementReport>

/**
 * How a question was decided. Servers tell one effective policy, not the policies that it was put together of, so its
 * statements are what can be named.
 */
export const PermissionReport = z.object({
  decision: z.enum(['allow', 'deny', 'conditional']),
  /** `statement`: one of them decided. `no-match`: none allows it. `no-policy`: the caller has none. */
  reason: z.enum(['statement', 'no-match', 'no-policy']),
  statements: list(StatementReport),
})
export type PermissionReport = z.infer<typeof PermissionReport>

export const sessionCalls = routes(sessionEndpoints, {
  getLoginStrategy: {
    summary: 'Which of the three ways to sign in this console offers',
    response: LoginStrategy,
  },
  login: {
    summary: 'Sign in with an access key and a secret key',
    body: z.object({
      accessKey: z.string().min(1).max(1024),
      secretKey: z.string().min(1).max(1024),
    }),
    response: SignedIn,
  },
  loginOperator: {
    summary:
      'Sign in with the JWT of a service account of the cluster; refused by a console that is not in operator mode',
    body: z.object({ jwt: z.string().min(1).max(65_536) }),
    response: SignedIn,
  },
  logout: {
    summary: 'Sign out: the session ends here and on the storage server',
  },
  getSession: {
    summary: 'The session: pages, features and mode of the server',
    response: Session,
  },
  hasPermission: {
    summary: 'Whether the caller may do each of some actions',
    body: z
      .object({
        actions: z
          .array(
            z.object({
              id: z.string().max(1024),
              action: z.string().max(128),
              /** Absent: in any bucket. */
              bucket_name: z.string().max(255).optional(),
              /** Of this bucket only what begins with this: a folder. */
              prefix: z.string().max(1024).optional(),
            }),
          )
          .max(1000),
        /** Asks for `why` beside each answer. */
        explain: z.boolean().optional(),
      })
      // Each tells what every statement of the caller's policy says.
      .refine(({ actions, explain }) => !explain || actions.length <= 100, {
        path: ['actions'],
        error: 'should have at most 100 items that are to be explained',
      }),
    response: z.object({
      permissions: list(
        z.object({
          id: z.string(),
          /** True also where it depends on a condition, or on the bucket or key that the question leaves open. */
          can: z.boolean(),
          /** Whether it depends on nothing. */
          sure: z.boolean(),
          why: PermissionReport.optional(),
        }),
      ),
    }),
  },
})
