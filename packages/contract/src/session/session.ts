import { z } from 'zod'
import { list, route } from '../route.ts'
import { sessionEndpoints as endpoints } from './endpoints.ts'

export const LoginStrategy = z.object({
  loginStrategy: z.enum(['unknown', 'form', 'redirect', 'service-account']),
  /** Where `redirect` leads; empty for the other strategies. */
  redirect: z.string(),
  /** Host and port of the storage server, as shown on the login page. */
  server: z.string().optional(),
  /** The console's version. */
  version: z.string().optional(),
})
export type LoginStrategy = z.infer<typeof LoginStrategy>

export const getLoginStrategy = route(endpoints.getLoginStrategy, { response: LoginStrategy })

const SignedIn = z.object({
  /** To a browser an opaque id; to other clients the sealed session, valid as cookie `token` or as Bearer. */
  sessionId: z.string(),
  error: z.string().optional(),
})

export const login = route(endpoints.login, {
  body: z.object({
    accessKey: z.string().min(1).max(1024),
    secretKey: z.string().min(1).max(1024),
  }),
  response: SignedIn,
})

export const loginOperator = route(endpoints.loginOperator, {
  body: z.object({ jwt: z.string().min(1).max(65_536) }),
  response: SignedIn,
})

export const logout = route(endpoints.logout)

/**
 * What a storage server can do beyond what all of them can.
 * - `revoke-tokens` sign-out ends the session on the server too (MinIO since March 2025, the embedded store)
 * - `quota-fifo` quotas that delete the oldest objects (MinIO until early 2022)
 */
export const Capability = z.enum(['revoke-tokens', 'quota-fifo'])
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
  /** When the session ends, RFC 3339. */
  expires: z.string().optional(),
  /** What the connected server can do; a screen asks for these, never for the vendor. */
  capabilities: list(Capability),
})
export type Session = z.infer<typeof Session>

export const getSession = route(endpoints.getSession, { response: Session })

export const hasPermission = route(endpoints.hasPermission, {
  body: z.object({
    actions: z
      .array(
        z.object({
          id: z.string(),
          action: z.string(),
          bucket_name: z.string().optional(),
        }),
      )
      .max(1000),
  }),
  response: z.object({ permissions: list(z.object({ id: z.string(), can: z.boolean() })) }),
})
