import { z } from 'zod'
import { type EgressRules, parseAllowedPeer } from './rules.ts'

const allowed = z.string().transform((text, context) => {
  try {
    return text
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '')
      .map(parseAllowedPeer)
  } catch (error) {
    context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) })
    return z.NEVER
  }
})

/** The settings of the guard, for all programs that connect to addresses entered by users. */
export const egressSettings = {
  STOWAGE_EGRESS: z
    .enum(['private', 'public'], { error: 'must be private or public' })
    .default('private')
    .describe(
      'Networks that users may enter addresses of, for webhooks, replication targets and the like: private (private ' +
        'networks and the Internet) or public (the Internet only). Link-local addresses are always refused.',
    ),
  STOWAGE_EGRESS_ALLOW: allowed
    .optional()
    .describe(
      'Addresses, ranges and names that are allowed although they belong to this machine or to a network that ' +
        'STOWAGE_EGRESS excludes. Separated by commas, with or without a port: 127.0.0.1:5432, 10.1.0.0/16. Ports of this ' +
        'program itself must be named.',
    ),
}

export type EgressSettings = z.infer<z.ZodObject<typeof egressSettings>>

export function egressRules({ STOWAGE_EGRESS, STOWAGE_EGRESS_ALLOW = [] }: EgressSettings): EgressRules {
  return { networks: STOWAGE_EGRESS, allow: STOWAGE_EGRESS_ALLOW }
}
