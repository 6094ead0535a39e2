import { Capability } from '@stowage/contract/session/session'
import { z } from 'zod'

/** How an identity provider renews the credential of a session. */
const SessionRenewal = z.object({
  provider: z.string(),
  refreshToken: z.string(),
  /** When the credential ends, ms since 1970. */
  tokenExpires: z.number(),
})
export type SessionRenewal = z.infer<typeof SessionRenewal>

/** A session made of temporary credentials that the storage server's STS gave. */
const StsSession = z.object({
  v: z.literal(1),
  kind: z.literal('sts'),
  /** Opaque; the only ID that browsers get. */
  id: z.string(),
  /** The access key used to sign in. */
  user: z.string(),
  /** The identity provider that the user signed in at. */
  idp: z.string().optional(),
  /** Absent for a session that ends with its credentials. */
  renewal: SessionRenewal.optional(),
  /** The user at the provider; set with `renewal`. */
  subject: z.string().optional(),
  accessKey: z.string(),
  secretKey: z.string(),
  sessionToken: z.string(),
  /** Chosen when the credentials were requested, so that sign-out can revoke only these. */
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

/** A session in operator mode, with the user's own credential for the cluster. */
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
  /** The identity provider that the user signed in at. */
  idp: z.string().optional(),
  /** Absent for a session that ends with its token. */
  renewal: SessionRenewal.optional(),
})
export type KubeSession = z.infer<typeof KubeSession>

/** The content of a session cookie, sealed. New fields are only added, so that old cookies stay readable. */
export const AnySession = z.discriminatedUnion('kind', [StsSession, KubeSession])
export type AnySession = z.infer<typeof AnySession>
/** The session of a console that manages a storage server. */
export type SessionPayload = StsSession
