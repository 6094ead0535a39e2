import { z } from 'zod'
import { listSchema, routes } from '../call/route.ts'
import { tenantEndpoints } from './endpoints.ts'
import { tenantParams } from './tenant-params.ts'

const poolParams = tenantParams.extend({
  pool: z
    .string()
    .max(63)
    .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/, "should match '[a-z0-9]([-a-z0-9]*[a-z0-9])?'"),
})

export const PoolState = z.object({
  name: z.string(),
  /**
   * `active`: accepts objects. `draining`: its objects are being moved to the other pools. `drained`: it is empty and can be
   * removed. `unknown`: the server does not list this pool.
   */
  state: z.enum(['active', 'draining', 'drained', 'failed', 'canceled', 'unknown']),
  /** The share of the used space that has been emptied, 0 to 1. */
  share: z.number(),
  moved_objects: z.number(),
  /** Bytes. */
  moved_size: z.number(),
  failed_objects: z.number(),
  /** RFC 3339; empty for a pool that was never drained. */
  started: z.string(),
})
export type PoolState = z.infer<typeof PoolState>

export const decommissionCalls = routes(tenantEndpoints, {
  listPoolStates: {
    summary: "The draining state of a tenant's pools, as reported by the tenant itself",
    params: tenantParams,
    response: z.object({
      /** False for servers that cannot drain pools. */
      supported: z.boolean(),
      pools: listSchema(PoolState),
    }),
  },
  drainPool: { summary: 'Move the objects of a pool to the other pools of the tenant', params: poolParams },
  cancelPoolDrain: { summary: 'Stop draining a pool; objects that were moved are not moved back', params: poolParams },
  removeTenantPool: { summary: 'Remove a drained pool from a tenant; its volumes stay', params: poolParams },
})
