import { z } from 'zod'
import { booleanQuery, listSchema, routes } from '../call/route.ts'
import { tenantEndpoints } from './endpoints.ts'
import { podParams, tenantParams, volumeParams } from './tenant-params.ts'

export const TenantPod = z.object({
  name: z.string(),
  /** `Pending`, `Running`, `Succeeded`, `Failed`, `Unknown`, or `Terminating`. */
  status: z.string(),
  /** Seconds since 1970. */
  timeCreated: z.number(),
  podIP: z.string(),
  restarts: z.number(),
  node: z.string(),
  containers: listSchema(z.string()),
  /** Image of its storage server; empty if it is not a pod of a pool. */
  image: z.string(),
  ready: z.boolean(),
  /** Why it is not running, as reported by the cluster; empty if it is running. */
  message: z.string(),
})
export type TenantPod = z.infer<typeof TenantPod>

export const KubeEvent = z.object({
  namespace: z.string(),
  /** Seconds since 1970. */
  last_seen: z.number(),
  event_type: z.string(),
  reason: z.string(),
  message: z.string(),
  object: z.string(),
})
export type KubeEvent = z.infer<typeof KubeEvent>

export const TenantVolume = z.object({
  name: z.string(),
  namespace: z.string(),
  status: z.string(),
  volume: z.string(),
  tenant: z.string(),
  /** In Kubernetes notation: `10Gi`. */
  capacity: z.string(),
  storageClass: z.string(),
  /** When it was created, RFC 3339. */
  age: z.string(),
})
export type TenantVolume = z.infer<typeof TenantVolume>

/** A line of the combined log of several pods. */
export const PodLogLine = z.object({ pod: z.string(), line: z.string() })
export type PodLogLine = z.infer<typeof PodLogLine>

const podDescription = z.object({
  /** The object as YAML; values that may be secrets are masked. */
  yaml: z.string(),
})

export const tenantPodCalls = routes(tenantEndpoints, {
  listTenantPods: { summary: 'The pods of a tenant', params: tenantParams, response: listSchema(TenantPod) },
  getPodLog: {
    summary: 'The log of a container of a pod',
    params: podParams,
    query: z.object({
      /** Default: the server. */
      container: z.string().max(63).optional(),
      /** The number of lines from the end. Default and maximum: 10,000. */
      tailLines: z.coerce.number().int().min(1).max(10_000).optional(),
      /** Returns the log of the previous run. */
      previous: booleanQuery,
      timestamps: booleanQuery,
    }),
    response: z.string(),
  },
  followPodLog: {
    summary: 'The live log of a container of a pod, line by line',
    params: podParams,
    query: z.object({
      /** Default: the server. */
      container: z.string().max(63).optional(),
      /** The number of existing lines to send first. Default: 1,000. */
      tailLines: z.coerce.number().int().min(1).max(10_000).optional(),
    }),
    response: z.string(),
  },
  followTenantLog: {
    summary: 'The live logs of all pods of a tenant, line by line; pods that start later are included',
    params: tenantParams,
    query: z.object({
      /** Default: the server of each pod. Pods without this container are skipped. */
      container: z.string().max(63).optional(),
      /** The number of existing lines of each pod to send first. Default: 200. */
      tailLines: z.coerce.number().int().min(1).max(10_000).optional(),
    }),
    response: PodLogLine,
  },
  deletePod: { summary: 'Delete a pod; its StatefulSet starts it again', params: podParams },
  listPodEvents: { summary: 'The events of a pod, oldest first', params: podParams, response: listSchema(KubeEvent) },
  describePod: { summary: 'A pod as YAML', params: podParams, response: podDescription },
  listTenantVolumes: {
    summary: 'The volumes of a tenant',
    params: tenantParams,
    response: z.object({ pvcs: listSchema(TenantVolume) }),
  },
  deleteTenantVolume: { summary: 'Delete a volume of a tenant with its data', params: volumeParams },
  listVolumeEvents: {
    summary: 'The events of a volume, oldest first',
    params: volumeParams,
    response: listSchema(KubeEvent),
  },
  describeVolume: { summary: 'A volume as YAML', params: volumeParams, response: podDescription },
  listTenantEvents: {
    summary: 'The events of a tenant, oldest first',
    params: tenantParams,
    response: listSchema(KubeEvent),
  },
  listTenantCsrs: {
    summary: 'The certificate signing requests of a tenant',
    params: tenantParams,
    response: z.object({
      csrElement: listSchema(
        z.object({
          name: z.string(),
          status: z.string(),
          signer: z.string(),
          created: z.string(),
          annotations: z.record(z.string(), z.string()),
        }),
      ),
    }),
  },
  getTenantLogReport: {
    summary: 'The logs and events of a tenant as a zip file in Base64, without values that may be secrets',
    params: tenantParams,
    response: z.object({ filename: z.string(), blob: z.string() }),
  },
})
