import { createMadmin } from '@stowage/madmin'
import type { SigningCredentials } from '@stowage/sigv4'
import { TOOL_AGENT } from '../../audit/records/audit-record.ts'
import type { Upstream } from '../../storage/upstream.ts'

/** The admin calls of what samples; the audit search hides them by their agent. */
export function createSamplerClient(upstream: Upstream, credentials: SigningCredentials) {
  return createMadmin({
    endpoint: upstream.origin,
    credentials,
    dispatcher: upstream.dispatcher,
    headers: { 'user-agent': TOOL_AGENT },
  })
}
