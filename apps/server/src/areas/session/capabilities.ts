import type { Capability } from '@stowage/contract'
import {
  createMadmin,
  createTransport,
  type Madmin,
  MadminError,
  type Transport,
  type TransportOptions,
} from '@stowage/madmin'

/** What the embedded store can do beyond MinIO. */
const OWN_CAPABILITIES: readonly Capability[] = ['aws-policies', 'bucket-cors', 'abort-uploads', 'replication-retry']

export interface Detected {
  /** More than one drive, kept redundantly. */
  distributed: boolean
  capabilities: Capability[]
}

/**
 * Finds out what a server can do. Asked once, at sign-in: none of it changes while a session lasts.
 * @param options with a user's own credentials, not with those of a session
 */
export async function detect(options: TransportOptions, signal: AbortSignal): Promise<Detected> {
  const madmin = createMadmin(options)
  const [health, capabilities] = await Promise.all([
    madmin.clusterHealth({ signal }),
    capabilitiesOf(madmin, createTransport(options), signal),
  ])
  // Servers that spread objects over drives tell how many of them a write needs.
  return {
    distributed: health.writeQuorum !== undefined,
    capabilities: health.policies === 'aws' ? [...capabilities, ...OWN_CAPABILITIES] : capabilities,
  }
}

/** A type that no session has: also where a session asks, whose own type would be ended otherwise. */
const NO_SESSIONS = { tokenRevokeType: 'none' }

async function capabilitiesOf(madmin: Madmin, transport: Transport, signal: AbortSignal): Promise<Capability[]> {
  // Names no sessions and so ends none, nor has the server to look through them: it says what is missing.
  if (await knows(madmin.revokeTokens(NO_SESSIONS, { signal }))) return ['revoke-tokens']
  // This call came in 2022, soon after quotas of type fifo had gone.
  const metrics = transport.call({ method: 'GET', path: 'metrics', query: { n: '1' }, signal })
  return (await knows(metrics)) ? [] : ['quota-fifo']
}

/** Whether the server has a call, even if it refuses this one. */
async function knows(call: Promise<unknown>): Promise<boolean> {
  try {
    await call
    return true
  } catch (error) {
    if (error instanceof MadminError) return !error.unsupported
    throw error
  }
}
