import type { Egress } from '@stowage/egress'
import { TIMEOUTS } from '../storage/timeouts.ts'
import { createUpstream, type Upstream } from '../storage/upstream.ts'

/** The storage of a tenant, over connections that are each checked. */
export function createTenantUpstream(
  origin: string,
  { dispatcher, openSocket }: Pick<Egress, 'dispatcher' | 'openSocket'>,
): Upstream {
  const close = async () => {}
  return createUpstream({
    origin,
    dispatcher,
    streamDispatcher: dispatcher,
    timeouts: TIMEOUTS,
    openSocket,
    close,
  })
}
