import type { Capability } from '@stowage/contract'
import {
  createMadmin,
  createTransport,
  type Madmin,
  MadminError,
  type Transport,
  type TransportOptions,
} from '@stowage/madmin'

/** Capabilities of the embedded store beyond those of MinIO. */
const OWN_CAPABILITIES: readonly Capability[] = [
  'aws-policies',
  'bucket-cors',
  'abort-uploads',
  'replication-retry',
  'conditional-copies',
]

export interface DetectedServer {
  /** Has more than one drive, with redundancy. */
  distributed: boolean
  capabilities: Capability[]
}

/**
 * Detects what a server can do. Called once, at sign-in: the result does not change during a session.
 * @param options with a user's own credentials, not those of a session
 */
export async function detectServer(options: TransportOptions, signal: AbortSignal): Promise<DetectedServer> {
  const madmin = createMadmin(options)
  const [health, capabilities] = await Promise.all([
    madmin.clusterHealth({ signal }),
    detectCapabilities(madmin, createTransport(options), signal),
  ])
  // Servers that spread objects over drives report how many of them a write needs.
  return {
    distributed: health.writeQuorum !== undefined,
    capabilities: health.policies === 'aws' ? [...capabilities, ...OWN_CAPABILITIES] : capabilities,
  }
}

/** A type that matches no session. It is also needed if the caller has a session, which would be revoked otherwise. */
const NO_SESSIONS = { tokenRevokeType: 'none' }

async function detectCapabilities(madmin: Madmin, transport: Transport, signal: AbortSignal): Promise<Capability[]> {
  // This request revokes nothing and is cheap for the server: it answers that the type is missing.
  if (await isSupported(madmin.revokeTokens(NO_SESSIONS, { signal }))) return ['revoke-tokens']
  // This call was added in 2022, soon after quotas of type fifo were removed.
  const metrics = transport.call({ method: 'GET', path: 'metrics', query: { n: '1' }, signal })
  return (await isSupported(metrics)) ? [] : ['quota-fifo']
}

/** Whether the server supports a call, even if it refuses this one. */
async function isSupported(call: Promise<unknown>): Promise<boolean> {
  try {
    await call
    return true
  } catch (error) {
    if (error instanceof MadminError) return !error.unsupported
    throw error
  }
}
