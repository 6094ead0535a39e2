import { z } from 'zod'
import { listSchema, routes } from '../call/route.ts'
import { Subscription } from '../license/license.ts'
import { tenantEndpoints } from './endpoints.ts'
import { NamespaceName, namespaceParams, namespacesQuery, tenantParams } from './tenant-params.ts'

const texts = z.record(z.string(), z.string())
const amounts = z.record(z.string(), z.number())

/** A pool of a tenant: a group of identical servers. */
export const Pool = z.object({
  name: z.string(),
  servers: z.number(),
  volumes_per_server: z.number(),
  volume_configuration: z.object({
    /** The size of each volume (bytes). */
    size: z.number(),
    storage_class_name: z.string(),
    labels: texts.optional(),
    annotations: texts.optional(),
  }),
  resources: z.object({ requests: amounts.optional(), limits: amounts.optional() }).optional(),
  node_selector: texts.optional(),
  affinity: z.record(z.string(), z.unknown()).optional(),
  tolerations: listSchema(z.record(z.string(), z.unknown())),
  securityContext: z.record(z.string(), z.unknown()).optional(),
  runtimeClassName: z.string().optional(),
})
export type Pool = z.infer<typeof Pool>

/** A tenant in the list. Sizes are in bytes. */
export const TenantItem = z.object({
  name: z.string(),
  namespace: z.string(),
  total_size: z.number(),
  pool_count: z.number(),
  instance_count: z.number(),
  volume_count: z.number(),
  creation_date: z.string(),
  /** Set only while it is being deleted. */
  deletion_date: z.string().optional(),
  currentState: z.string(),
  /** `green`, `yellow`, `red`; empty until the operator has checked it. */
  health_status: z.string(),
  /** The problem reported by the operator; empty if it reports no problem. */
  health_message: z.string(),
  capacity_raw: z.number(),
  capacity_raw_usage: z.number(),
  capacity: z.number(),
  capacity_usage: z.number(),
  /** The image in the tenant's specification; empty for the operator's default. */
  image: z.string(),
})
export type TenantItem = z.infer<typeof TenantItem>

export const Tenant = z.object({
  name: z.string(),
  namespace: z.string(),
  creation_date: z.string(),
  deletion_date: z.string().optional(),
  currentState: z.string(),
  /** Changes with each change of the specification. */
  generation: z.number(),
  image: z.string(),
  total_size: z.number(),
  pools: listSchema(Pool),
  enable_prometheus: z.boolean(),
  logEnabled: z.boolean(),
  monitoringEnabled: z.boolean(),
  encryptionEnabled: z.boolean(),
  minioTLS: z.boolean(),
  consoleTLS: z.boolean(),
  consoleEnabled: z.boolean(),
  idpAdEnabled: z.boolean(),
  idpOidcEnabled: z.boolean(),
  /** False without the right to read the tenant's secrets; features that depend on them are then unknown, not disabled. */
  secretsReadable: z.boolean(),
  subnet_license: Subscription.nullish(),
  endpoints: z.object({ minio: z.string().optional(), console: z.string().optional() }).optional(),
  domains: z.object({ console: z.string().optional(), minio: listSchema(z.string()) }).optional(),
  status: z.object({
    health_status: z.string(),
    health_message: z.string(),
    drives_online: z.number(),
    drives_offline: z.number(),
    drives_healing: z.number(),
    write_quorum: z.number(),
    usage: z.object({
      raw: z.number(),
      raw_usage: z.number(),
      capacity: z.number(),
      capacity_usage: z.number(),
    }),
  }),
})
export type Tenant = z.infer<typeof Tenant>

const listQuery = z.object({
  sort_by: z.string().max(100).optional(),
  offset: z.coerce.number().int().min(0).optional(),
  limit: z.coerce.number().int().min(1).optional(),
})
const Tenants = z.object({
  tenants: listSchema(TenantItem),
  /** The total number of tenants, even if not all are returned. */
  total: z.number(),
})

/** Letters, digits and `-` before a port or a path: `registry/project/image:tag`. */
export const IMAGE_PATTERN = /^((.*?)\/(.*?):(.+))$/

/** The form of image references. Kubernetes stores any text, and then cannot start the pods. */
const REFERENCE =
  /^(?:(?:localhost|[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+)(?::\d{1,5})?\/|[A-Za-z0-9-]+:\d{1,5}\/)?[a-z0-9]+(?:(?:\.|__?|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|__?|-+)[a-z0-9]+)*)*(?::\w[\w.-]{0,127})?(?:@[a-z][a-z0-9]*(?:[+._-][a-z][a-z0-9]*)*:[0-9a-fA-F]{32,})?$/

/** A reference to an image; empty for the default. */
export const ImageReference = z
  .string()
  .max(1024)
  .refine((text) => text === '' || REFERENCE.test(text), 'should be an image, as in registry/project/image:tag')

export const ImageRegistry = z.object({
  registry: z.string().min(1),
  username: z.string().min(1),
  password: z.string().min(1),
})

export const tenantCalls = routes(tenantEndpoints, {
  listTenants: {
    summary: 'All tenants of the cluster, or of the given namespaces',
    query: listQuery.extend({
      /** Namespaces, separated by commas, for callers without the right to list the whole cluster. */
      namespaces: namespacesQuery.optional(),
    }),
    response: Tenants,
  },
  listNamespaceTenants: {
    summary: 'The tenants of a namespace',
    params: namespaceParams,
    query: listQuery,
    response: Tenants,
  },
  createNamespace: {
    summary: 'Create a namespace',
    body: z.object({ name: NamespaceName }),
  },
  getTenant: { summary: 'A tenant with its pools, features and health', params: tenantParams, response: Tenant },
  updateTenant: {
    summary: 'Change the image and the registry of a tenant',
    params: tenantParams,
    body: z.object({
      /** Empty to leave it unchanged. */
      image: ImageReference.refine(
        (text) => text === '' || IMAGE_PATTERN.test(text),
        `should match '${IMAGE_PATTERN.source}'`,
      ).optional(),
      enable_prometheus: z.boolean().optional(),
      image_registry: ImageRegistry.nullish(),
      image_pull_secret: z.string().max(253).optional(),
    }),
  },
  deleteTenant: {
    summary: 'Delete a tenant; its volumes and secrets are kept unless requested otherwise',
    params: tenantParams,
    body: z
      .object({
        /** Also deletes the volumes with all data, and the secrets. */
        delete_pvcs: z.boolean().optional(),
        /** Also deletes the secrets. */
        delete_secrets: z.boolean().optional(),
      })
      .nullish(),
  },
  getTenantYaml: {
    summary: 'The tenant as YAML',
    params: tenantParams,
    response: z.object({ yaml: z.string(), resourceVersion: z.string() }),
  },
  updateTenantYaml: {
    summary: 'Replace labels, annotations, finalizers and specification of a tenant from YAML',
    params: tenantParams,
    body: z.object({
      yaml: z
        .string()
        .min(1)
        .max(1 << 20),
      /** The version that was edited. If the tenant has changed since, the response is 409. */
      resourceVersion: z.string().max(100).optional(),
      /** Validates without saving. */
      dryRun: z.boolean().optional(),
    }),
  },
  getTenantUsage: {
    summary: 'The used bytes of a tenant, as reported by the tenant itself',
    params: tenantParams,
    response: z.object({ used: z.number(), disk_used: z.number() }),
  },
  openTenantConsole: {
    summary: "Sign in to a tenant's own console with the tenant's credentials; returns its URL",
    params: tenantParams,
    body: z.object({
      page: z.enum(['console', 'metrics']).default('console'),
      /** Sends the tenant's credentials even though it has no TLS. */
      insecure: z.boolean().optional(),
    }),
    response: z.object({
      /** At the separate origin for consoles of tenants. Valid once, for 30 s. */
      url: z.string(),
    }),
  },
  openTenantHere: {
    summary: "Open this console's own screens for a tenant, with temporary keys from the tenant's credentials",
    params: tenantParams,
    body: z.object({
      /** Sends the tenant's credentials to it although it has no TLS. */
      insecure: z.boolean().optional(),
    }),
    response: z.object({
      /** The path of the screens, relative to this console. */
      path: z.string(),
      /** For a browser an opaque ID; for other clients the sealed session, valid as Bearer token below the path. */
      sessionId: z.string(),
    }),
  },
  activateTenantLicense: { summary: "Attach the cluster's license to a tenant", params: tenantParams },
})
