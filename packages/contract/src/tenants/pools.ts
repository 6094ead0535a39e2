import { z } from 'zod'
import { routes } from '../call/route.ts'
import { tenantEndpoints } from './endpoints.ts'
import { Tenant } from './tenant.ts'
import { tenantParams } from './tenant-params.ts'

const texts = z.record(z.string(), z.string())
/** Amounts in base units: bytes, cores. */
const amounts = z.record(z.string(), z.number())

/** A Kubernetes affinity; its content is validated by the API server. */
const Affinity = z.object({
  nodeAffinity: z.record(z.string(), z.unknown()).nullish(),
  podAffinity: z.record(z.string(), z.unknown()).nullish(),
  podAntiAffinity: z.record(z.string(), z.unknown()).nullish(),
})

const Toleration = z.object({
  key: z.string().optional(),
  operator: z.string().optional(),
  value: z.string().optional(),
  effect: z.string().optional(),
  tolerationSeconds: z.object({ seconds: z.number().int() }).nullish(),
})

export const SecurityContext = z.object({
  runAsUser: z.string().regex(/^\d+$/, 'should be a number'),
  runAsGroup: z.string().regex(/^\d+$/, 'should be a number'),
  fsGroup: z.string().regex(/^\d*$/, 'should be a number').optional(),
  runAsNonRoot: z.boolean(),
  fsGroupChangePolicy: z.enum(['Always', 'OnRootMismatch']).optional(),
})
export type SecurityContext = z.infer<typeof SecurityContext>

/** A group of identical servers, as input. */
export const PoolInput = z.object({
  /** Default: the next free `pool-{n}`. */
  name: z.string().max(63).optional(),
  servers: z.number().int().min(1).max(1_000),
  volumes_per_server: z.number().int().min(1).max(1_000),
  volume_configuration: z.object({
    /** The size of each volume (bytes). */
    size: z.number().int().min(1),
    storage_class_name: z.string().optional(),
    labels: texts.nullish(),
    annotations: texts.nullish(),
  }),
  resources: z.object({ requests: amounts.nullish(), limits: amounts.nullish() }).nullish(),
  node_selector: texts.nullish(),
  affinity: Affinity.nullish(),
  tolerations: z.array(Toleration).nullish(),
  securityContext: SecurityContext.nullish(),
  /** Clusters with an older definition of a tenant refuse it. */
  runtimeClassName: z.string().max(253).nullish(),
})
export type PoolInput = z.infer<typeof PoolInput>

export const tenantPoolCalls = routes(tenantEndpoints, {
  addTenantPool: {
    summary: 'Add a pool of servers to a tenant',
    params: tenantParams,
    body: PoolInput,
  },
  setTenantPools: {
    summary:
      'Change and add pools of a tenant. All existing pools must be given. Optional fields that are not given keep their values; null removes them.',
    params: tenantParams,
    body: z.object({
      pools: z.array(PoolInput).min(1).max(100),
      /** The `generation` of the tenant when it was read. If it has changed since, the answer is 409. */
      generation: z.number().int().optional(),
    }),
    response: Tenant,
  },
})
