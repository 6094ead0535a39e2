import { z } from 'zod'
import { listSchema, routes } from '../call/route.ts'
import { tenantEndpoints } from './endpoints.ts'
import { tenantParams } from './tenant-params.ts'

/** How an object in the cluster can differ from its tenant's specification. */
export const driftFields = [
  'missing',
  'surplus',
  'replicas',
  'image',
  'drives',
  'size',
  'storage-class',
  'memory',
  'cpu',
  'keys',
  'variable',
  'ready',
  'revision',
] as const
export type DriftField = (typeof driftFields)[number]

export const SpecDifference = z.object({
  kind: z.enum(['StatefulSet', 'Secret', 'Pod', 'PersistentVolumeClaim']),
  name: z.string(),
  field: z.enum(driftFields),
  /** The specified value; empty if the field alone is sufficient. */
  wanted: z.string(),
  /** The value in the cluster. Values of secrets and of variables are never shown. */
  found: z.string(),
})
export type SpecDifference = z.infer<typeof SpecDifference>

export const driftCalls = routes(tenantEndpoints, {
  getTenantDrift: {
    summary: "Differences between a tenant's specification and its StatefulSets, pods, volumes and secrets",
    params: tenantParams,
    response: z.object({
      differences: listSchema(SpecDifference),
      /** Kinds that the caller has no right to read, and that were not compared. */
      unread: listSchema(z.string()),
    }),
  },
})
