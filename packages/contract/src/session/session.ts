import { z } from 'zod'
import { listSchema, routes } from '../call/route.ts'
import { sessionEndpoints } from './endpoints.ts'

/** The tenant whose screens an operator has opened. */
const TenantName = z.object({ namespace: z.string(), name: z.string() })

export const LoginStrategy = z.object({
  loginStrategy: z.enum(['unknown', 'form', 'redirect', 'service-account']),
  /** The URL for the strategy `redirect`; empty for others. */
  redirect: z.string(),
  /** All identity providers; `redirect` is the URL of the first one. */
  redirectRules: listSchema(z.object({ redirect: z.string(), displayName: z.string(), serviceType: z.string() })),
  /** Whether users of a directory (LDAP) can also sign in by form. */
  directory: z.boolean().optional(),
  /** Host and port of the storage server, as shown on the login page. */
  server: z.string().optional(),
  /** Whether this console manages tenants of a cluster, in which case it also accepts a JWT. */
  operator: z.boolean().optional(),
  /** Set for the screens of a tenant, which an operator opens through the console in operator mode; `redirect` is its URL. */
  tenant: TenantName.optional(),
})
export type LoginStrategy = z.infer<typeof LoginStrategy>

export const SignInResult = z.object({
  /** For a browser an opaque ID; for other clients the sealed session, valid as cookie `token` or as Bearer token. */
  sessionId: z.string(),
  error: z.string().optional(),
})

/**
 * A feature that not all storage servers have.
 * - `revoke-tokens` sign-out ends the session on the server too (MinIO since March 2025, the embedded store)
 * - `quota-fifo` quotas that delete the oldest objects (MinIO until early 2022)
 * - `aws-policies` policies have the same meaning as on AWS: a bucket action needs the bucket's own ARN, and bucket policies
 *   also apply to users (the embedded store)
 * - `bucket-cors` CORS rules of a bucket; MinIO has one setting for all buckets (the embedded store)
 * - `abort-uploads` lifecycle rules that delete unfinished uploads; MinIO deletes them after a day (the embedded store)
 * - `replication-retry` a call that sends rejected versions again; MinIO does so by itself (the embedded store)
 * - `conditional-copies` CopyObject with If-None-Match replaces nothing; MinIO ignores this condition (the embedded store)
 */
export const Capability = z.enum([
  'revoke-tokens',
  'quota-fifo',
  'aws-policies',
  'bucket-cors',
  'abort-uploads',
  'replication-retry',
  'conditional-copies',
])
export type Capability = z.infer<typeof Capability>

/** A bucket or prefix that the caller's policies contain. */
export const ReachableFolder = z.object({
  bucket: z.string(),
  /** Empty, or with a trailing slash. */
  prefix: z.string(),
  /** Whether it can be listed. */
  list: z.boolean(),
})
export type ReachableFolder = z.infer<typeof ReachableFolder>

export const Session = z.object({
  status: z.literal('ok'),
  /** The pages that this session may see, as route patterns of the specification (`/object-browser/:bucket/*`). */
  pages: listSchema(z.string()),
  features: listSchema(z.string()),
  operator: z.boolean(),
  distributedMode: z.boolean(),
  /** The access key used for sign-in. */
  user: z.string().optional(),
  /** Host and port of the storage server. */
  server: z.string().optional(),
  /** Its full address, such as `https://s3.example.com:9000`. */
  endpoint: z.string().optional(),
  /** The console's version. Returned only after sign-in, because known defects can be looked up by version. */
  version: z.string().optional(),
  /** When the session ends, RFC 3339. */
  expires: z.string().optional(),
  /**
   * Buckets and prefixes from the caller's policies, at most fifty: a starting point for users that cannot list all buckets.
   */
  places: z.array(ReachableFolder).optional(),
  /** Set for the screens of a tenant that an operator has opened. */
  tenant: TenantName.optional(),
  /** What the connected server can do; a screen asks for these, never for the vendor. */
  capabilities: listSchema(Capability),
})
export type Session = z.infer<typeof Session>

/** The result of a policy statement for a question, for display. */
export const StatementReport = z.object({
  /** The index in the caller's effective policy, from 0. */
  index: z.number(),
  sid: z.string().optional(),
  effect: z.enum(['Allow', 'Deny']),
  matched: z.enum(['yes', 'no', 'depends']),
  /** Why, in English. */
  because: z.string(),
  /** The same for translation. */
  reason: z.object({ id: z.string(), params: z.record(z.string(), z.union([z.string(), z.number()])).optional() }),
  actions: listSchema(z.string()),
  resources: listSchema(z.string()),
})
export type StatementReport = z.infer<typeof StatementReport>

/**
 * How a question was decided. Servers return one effective policy instead of the individual policies, so only its statements
 * can be identified.
 */
export const PermissionReport = z.object({
  decision: z.enum(['allow', 'deny', 'conditional']),
  /** `statement`: a statement decided. `no-match`: no statement allows it. `no-policy`: the caller has no policy. */
  reason: z.enum(['statement', 'no-match', 'no-policy']),
  statements: listSchema(StatementReport),
})
export type PermissionReport = z.infer<typeof PermissionReport>

export const sessionCalls = routes(sessionEndpoints, {
  getLoginStrategy: {
    summary: 'The kind of sign-in that this console offers',
    response: LoginStrategy,
  },
  login: {
    summary: 'Sign in with an access key and a secret key, with temporary keys, or as a user of the directory (LDAP)',
    body: z
      .object({
        /** With `directory`, the user name. */
        accessKey: z.string().min(1).max(1024),
        /** With `directory`, the password. */
        secretKey: z.string().min(1).max(1024),
        /** The session token of temporary keys. */
        sts: z.string().min(1).max(8192).optional(),
        /** Where the password is sent: to the directory or, as a secret key, to the storage server. Never to both. */
        directory: z.boolean().optional(),
      })
      .refine(({ sts, directory }) => sts === undefined || directory !== true, {
        path: ['sts'],
        error: 'must not be given for a user of the directory',
      }),
    response: SignInResult,
  },
  loginOperator: {
    summary:
      'Sign in with the JWT of a service account of the cluster; rejected by a console that is not in operator mode',
    body: z.object({ jwt: z.string().min(1).max(65_536) }),
    response: SignInResult,
  },
  startSignIn: {
    summary: 'Go to the sign-in page of an identity provider',
    params: z.object({ provider: z.string().min(1).max(64) }),
  },
  loginOauth2: {
    summary: 'Sign in with the code that an identity provider sent to /oauth_callback',
    body: z.object({
      code: z.string().min(1).max(4096),
      state: z.string().min(1).max(1024),
      /** The issuer, if the provider has sent it. */
      iss: z.string().max(1024).optional(),
    }),
    response: SignInResult,
  },
  logout: {
    summary: 'Sign out: the session ends here and on the storage server',
    response: z.object({
      /** A page of the identity provider that also ends the session there; empty for other sessions. */
      redirect: z.string(),
    }),
  },
  getSession: {
    summary: 'The session: pages, features and mode of the server',
    response: Session,
  },
  hasPermission: {
    summary: 'Whether the caller may perform each of the given actions',
    body: z
      .object({
        actions: z
          .array(
            z.object({
              id: z.string().max(1024),
              action: z.string().max(128),
              /** Absent for any bucket. */
              bucket_name: z.string().max(255).optional(),
              /** Only keys with this prefix. */
              prefix: z.string().max(1024).optional(),
            }),
          )
          .max(1000),
        /** Adds `why` to each result. */
        explain: z.boolean().optional(),
      })
      // Each explanation contains every statement of the caller's policy.
      .refine(({ actions, explain }) => !explain || actions.length <= 100, {
        path: ['actions'],
        error: 'should have at most 100 items that are to be explained',
      }),
    response: z.object({
      permissions: listSchema(
        z.object({
          id: z.string(),
          /** True also if it depends on a condition, or on the bucket or key if the question has none. */
          can: z.boolean(),
          /** Whether the result is unconditional. */
          sure: z.boolean(),
          why: PermissionReport.optional(),
        }),
      ),
    }),
  },
})
