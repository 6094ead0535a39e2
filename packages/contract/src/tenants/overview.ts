import { z } from 'zod'
import { listSchema, routes } from '../call/route.ts'
import { tenantEndpoints } from './endpoints.ts'
import { namespacesQuery } from './tenant-params.ts'

const namespacesParams = z.object({
  /** Separated by commas. Default: the whole cluster. */
  namespaces: namespacesQuery.optional(),
})

/** The pods of a tenant's pools, as counted by their StatefulSets. */
export const TenantReadiness = z.object({
  namespace: z.string(),
  name: z.string(),
  pods: z.number(),
  pods_ready: z.number(),
  /** Pods that run an older version of their StatefulSet. */
  pods_outdated: z.number(),
  /** A pod that is not ready, and why. Only for the first tenants with such pods, and if the caller may list pods. */
  waiting: z.object({ pod: z.string(), message: z.string() }).optional(),
})
export type TenantReadiness = z.infer<typeof TenantReadiness>

/** The certificate of a tenant that ends next. */
export const NextExpiry = z.object({
  namespace: z.string(),
  name: z.string(),
  /** Name of the secret. */
  secret: z.string(),
  /** RFC 3339. */
  expiry: z.string(),
})
export type NextExpiry = z.infer<typeof NextExpiry>

export const tenantOverviewCalls = routes(tenantEndpoints, {
  listTenantReadiness: {
    summary: 'For each tenant the number of ready pods, and what the first pod that is not ready waits for',
    query: namespacesParams,
    response: z.object({ tenants: listSchema(TenantReadiness) }),
  },
  listTenantCertificates: {
    summary: 'For each tenant the certificate of its servers or of an authority that ends next',
    query: namespacesParams,
    response: z.object({
      certificates: listSchema(NextExpiry),
      /** Whether all certificates could be read. */
      complete: z.boolean(),
    }),
  },
})
