import { z } from 'zod'
import { listSchema, routes } from '../call/route.ts'
import { tenantEndpoints } from './endpoints.ts'
import { namespacesQuery, tenantParams } from './tenant-params.ts'

/** A deleted tenant whose volumes or secrets remain. */
export const FormerTenant = z.object({
  namespace: z.string(),
  tenant: z.string(),
  volumes: z.number(),
  /** Size of all its volumes (bytes). */
  size: z.number(),
  /** Null without the right to list secrets. */
  secrets: z.number().nullable(),
})
export type FormerTenant = z.infer<typeof FormerTenant>

export const Leftovers = z.object({
  /** Sizes in bytes. */
  volumes: listSchema(z.object({ name: z.string(), size: z.number(), status: z.string() })),
  secrets: listSchema(z.object({ name: z.string(), type: z.string() })),
})
export type Leftovers = z.infer<typeof Leftovers>

export const leftoverCalls = routes(tenantEndpoints, {
  listFormerTenants: {
    summary: 'All deleted tenants whose volumes or secrets remain, in the cluster or in the given namespaces',
    query: z.object({
      /** Separated by commas. */
      namespaces: namespacesQuery.optional(),
    }),
    response: z.object({ tenants: listSchema(FormerTenant) }),
  },
  getTenantLeftovers: {
    summary: 'The volumes and secrets that remain after deleting a tenant',
    params: tenantParams,
    response: Leftovers,
  },
  deleteTenantLeftovers: {
    summary: 'Delete what remains of a deleted tenant; refused while a tenant of this name exists',
    params: tenantParams,
    body: z.object({
      /** Deletes the volumes with all data. */
      volumes: z.boolean(),
      /** Without them the volumes cannot be used again. */
      secrets: z.boolean(),
    }),
  },
})
