import { Capability } from '@stowage/contract/session/session'
import { z } from 'zod'

/** A session made of temporary credentials that the storage server's STS gave. */
const StsSession = z.object({
  v: z.literal(1),
  kind: z.literal('sts'),
  /** Opaque; the only ID that browsers get. */
  id: z.string(),
  /** Access key signed in with. */
  user: z.string(),
  /** The identity provider that the user signed in at. */
  idp: z.string().optional(),
  accessKey: z.string(),
  secretKey: z.string(),
  sessionToken: z.string(),
  /** Named when the credentials were asked for, so that sign-out can revoke these and no others. */
  revokeType: z.string(),
  /** ms since 1970. */
  expires: z.number(),
  /** Region that the server's signatures name. */
  region: z.string(),
  distributed: z.boolean(),
  capabilities: z.array(Capability),
  /** For the screens of a tenant in operator mode: which tenant, and the operator's session that opened them. */
  opened: z.object({ namespace: z.string(), tenant: z.string(), session: z.string() }).optional(),
})

export type StsSession = z.infer<typeof StsSession>

/** A session of operator mode: somebody's own credential for the cluster. */
const KubeSession = z.object({
  v: z.literal(1),
  kind: z.literal('kube'),
  /** Opaque; the only ID that browsers get. */
  id: z.string(),
  /** The user name that the API server reports; empty if the server is too old to report it. */
  user: z.string(),
  token: z.string(),
  /** ms since 1970; the token may end sooner. */
  expires: z.number(),
  /** How an identity provider renews the token; absent for a session that ends with its token. */
  renewal: z
    .object({
      provider: z.string(),
      refreshToken: z.string(),
      /** When `token` ends, ms since 1970. */
      tokenExpires: z.number(),
    })
    .optional(),
})
export type KubeSession = z.infer<typeof KubeSession>

/** What a session's cookie holds, sealed. Every later form is a further member, so that old cookies stay readable. */
export const AnySession = z.discriminatedUnion('kind', [StsSession, KubeSession])
export type AnySession = z.infer<typeof AnySession>
/** The session of a console of a storage server. */
export type SessionPayload = StsSession
