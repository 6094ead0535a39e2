import { z } from 'zod'
import { listSchema, routes } from '../call/route.ts'
import { withReason } from '../reasons/issue-reason.ts'
import { reason } from '../reasons/reason.ts'
import { tenantEndpoints } from './endpoints.ts'
import { PoolInput, SecurityContext } from './pools.ts'
import { ImageReference, ImageRegistry } from './tenant.ts'
import { NamespaceName } from './tenant-params.ts'

/** The content of a file in Base64. */
const File = z.string().max(1 << 20)
export const KeyPair = z.object({ crt: File, key: File })
export type KeyPair = z.infer<typeof KeyPair>

/** A number that may be absent. */
const optionalAmount = z.number().int().min(0).nullish()

const Vault = z.object({
  endpoint: z.string().min(1),
  engine: z.string().optional(),
  namespace: z.string().optional(),
  prefix: z.string().optional(),
  approle: z.object({
    engine: z.string().optional(),
    id: z.string().min(1),
    secret: z.string().min(1),
    /** Seconds; 0 for the default. */
    retry: optionalAmount,
  }),
  tls: z.object({ key: File.optional(), crt: File.optional(), ca: File.optional() }).nullish(),
  /** Seconds; 0 for the default. */
  status: z.object({ ping: optionalAmount }).nullish(),
})
const Aws = z.object({
  secretsmanager: z.object({
    endpoint: z.string().min(1),
    region: z.string().min(1),
    kmskey: z.string().optional(),
    credentials: z.object({
      accesskey: z.string().min(1),
      secretkey: z.string().min(1),
      token: z.string().optional(),
    }),
  }),
})
const Gemalto = z.object({
  keysecure: z.object({
    endpoint: z.string().min(1),
    credentials: z.object({ token: z.string().min(1), domain: z.string().min(1), retry: optionalAmount }),
    tls: z.object({ ca: File.optional() }).nullish(),
  }),
})
const Gcp = z.object({
  secretmanager: z.object({
    project_id: z.string().min(1),
    endpoint: z.string().optional(),
    credentials: z
      .object({
        client_email: z.string().optional(),
        client_id: z.string().optional(),
        private_key_id: z.string().optional(),
        private_key: z.string().optional(),
      })
      .nullish(),
  }),
})
const Azure = z.object({
  keyvault: z.object({
    endpoint: z.string().min(1),
    credentials: z.object({
      tenant_id: z.string().min(1),
      client_id: z.string().min(1),
      client_secret: z.string().min(1),
    }),
  }),
})

/** The key server (KES) of a tenant and its key store, which is one of five kinds. */
export const TenantEncryption = z.object({
  image: ImageReference.optional(),
  replicas: z.union([z.string().regex(/^\d*$/), z.number().int().min(0)]).nullish(),
  server: KeyPair.nullish(),
  client: KeyPair.nullish(),
  vault: Vault.nullish(),
  aws: Aws.nullish(),
  gemalto: Gemalto.nullish(),
  gcp: Gcp.nullish(),
  azure: Azure.nullish(),
  labels: z.record(z.string(), z.string()).nullish(),
  annotations: z.record(z.string(), z.string()).nullish(),
  node_selector: z.record(z.string(), z.string()).nullish(),
  securityContext: SecurityContext.nullish(),
})
export type TenantEncryption = z.infer<typeof TenantEncryption>

export const TenantOidc = z.object({
  url: z.string().optional(),
  configuration_url: z.string().min(1),
  client_id: z.string().min(1),
  secret_id: z.string().min(1),
  claim_name: z.string().min(1),
  callback_url: z.string().optional(),
  scopes: z.string().optional(),
})
export const TenantActiveDirectory = z.object({
  url: z.string().min(1),
  skip_tls_verification: z.boolean().optional(),
  server_insecure: z.boolean().optional(),
  server_start_tls: z.boolean().optional(),
  username_format: z.string().optional(),
  username_search_filter: z.string().optional(),
  group_search_base_dn: z.string().optional(),
  group_search_filter: z.string().optional(),
  group_name_attribute: z.string().optional(),
  lookup_bind_dn: z.string().optional(),
  lookup_bind_password: z.string().optional(),
  user_dn_search_base_dn: z.string().optional(),
  user_dn_search_filter: z.string().optional(),
  user_dns: z.array(z.string().min(1)).max(100).nullish(),
})
export const TenantIdentityProvider = z.object({
  keys: z
    .array(z.object({ access_key: z.string().min(1).max(63), secret_key: z.string().min(1).max(63) }))
    .max(100)
    .nullish(),
  oidc: TenantOidc.nullish(),
  active_directory: TenantActiveDirectory.nullish(),
})
export type TenantIdentityProvider = z.infer<typeof TenantIdentityProvider>

/** Names of services begin with it, so it must begin with a letter. */
const TenantName = z
  .string()
  .regex(/^[a-z0-9-]{3,63}$/, "should match '^[a-z0-9-]{3,63}$'")
  .refine(
    (name) => /^[a-z]/.test(name) && !name.endsWith('-'),
    withReason(reason('tenant-name-hyphen'), 'should begin with a letter, and end with a letter or a digit'),
  )

const LogSearch = z.object({
  storageClass: z.string().optional(),
  /** GiB. */
  storageSize: z.number().min(0).nullish(),
  image: ImageReference.optional(),
  postgres_image: ImageReference.optional(),
  postgres_init_image: ImageReference.optional(),
})
const Prometheus = z.object({
  storageClass: z.string().optional(),
  /** GiB. */
  storageSize: z.number().min(0).nullish(),
  image: ImageReference.optional(),
  sidecar_image: ImageReference.optional(),
  init_image: ImageReference.optional(),
})

export const CreateTenant = z.object({
  name: TenantName,
  namespace: NamespaceName,
  image: ImageReference.optional(),
  pools: z.array(PoolInput).min(1).max(100),
  mount_path: z.string().optional(),
  /** Spelled as in the original console. */
  mounth_path: z.string().optional(),
  /** Of the root user; empty: generated. MinIO does not start with shorter ones. */
  access_key: z.union([z.literal(''), z.string().min(3).max(128)]).optional(),
  secret_key: z.union([z.literal(''), z.string().min(8).max(128)]).optional(),
  enable_console: z.boolean().default(true),
  enable_tls: z.boolean().default(true),
  enable_prometheus: z.boolean().default(false),
  erasureCodingParity: z.number().int().nullish(),
  annotations: z.record(z.string(), z.string()).nullish(),
  labels: z.record(z.string(), z.string()).nullish(),
  expose_minio: z.boolean().default(true),
  expose_console: z.boolean().default(true),
  image_registry: ImageRegistry.nullish(),
  image_pull_secret: z.string().max(253).optional(),
  logSearchConfiguration: LogSearch.nullish(),
  prometheusConfiguration: Prometheus.nullish(),
  tls: z
    .object({
      minio: z.array(KeyPair).max(100).nullish(),
      ca_certificates: z.array(File).max(100).nullish(),
      /** The certificate for the host name of the console; the servers select a certificate by name. */
      console: KeyPair.nullish(),
      /** Added to the servers' list of authorities, which is shared. */
      console_ca_certificates: z.array(File).max(100).nullish(),
    })
    .nullish(),
  idp: TenantIdentityProvider.nullish(),
  encryption: TenantEncryption.nullish(),
})
export type CreateTenant = z.output<typeof CreateTenant>

export const createTenantCalls = routes(tenantEndpoints, {
  createTenant: {
    summary: 'Create a tenant with its secrets',
    body: CreateTenant,
    response: z.object({
      externalIDP: z.boolean(),
      /** The first users of the tenant; empty if it uses an identity provider. */
      console: listSchema(z.object({ access_key: z.string(), secret_key: z.string() })),
    }),
  },
  previewTenant: {
    summary: 'The objects that creating a tenant would create, validated by the API server, without secrets',
    body: CreateTenant,
    response: z.object({
      objects: listSchema(
        z.object({
          kind: z.string(),
          name: z.string(),
          yaml: z.string(),
          /** Why the API server would reject it, in its own words; empty if it would accept it. */
          problem: z.string(),
        }),
      ),
    }),
  },
})
