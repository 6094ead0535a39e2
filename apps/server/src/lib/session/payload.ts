import { Capability } from '@stowage/contract/session/session'
import { z } from 'zod'

/** A session made of temporary credentials that the storage server's STS gave. */
const StsSession = z.object({
  v: z.literal(1),
  kind: z.literal('sts'),
  /** Opaque; browsers are told this one. */
  id: z.string(),
  /** Access key signed in with. */
  user: z.string(),
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
})

/** What a session's cookie holds, sealed. Every later form is a further member, so that old cookies stay readable. */
export const SessionPayload = z.discriminatedUnion('kind', [StsSession])
export type SessionPayload = z.infer<typeof SessionPayload>
