import { z } from 'zod'
import { listSchema, routes } from '../call/route.ts'
import { KeyPair, TenantActiveDirectory, TenantEncryption, TenantOidc } from './create-tenant.ts'
import { tenantEndpoints } from './endpoints.ts'
import { tenantParams } from './tenant-params.ts'

export const TenantCertificate = z.object({
  /** The name of the secret that contains it. */
  name: z.string(),
  serialNumber: z.string(),
  domains: listSchema(z.string()),
  /** The expiry date, RFC 3339; empty if it cannot be read. */
  expiry: z.string(),
})
export type TenantCertificate = z.infer<typeof TenantCertificate>

const File = z.string().max(1 << 20)

export const tenantSecurityCalls = routes(tenantEndpoints, {
  getTenantSecurity: {
    summary: 'The certificates of a tenant',
    params: tenantParams,
    response: z.object({
      autoCert: z.boolean(),
      customCertificates: z.object({
        minio: listSchema(TenantCertificate),
        minioCAs: listSchema(TenantCertificate),
        client: listSchema(TenantCertificate),
      }),
    }),
  },
  updateTenantSecurity: {
    summary: 'Add and remove certificates of a tenant; its pods restart',
    params: tenantParams,
    body: z.object({
      autoCert: z.boolean(),
      customCertificates: z
        .object({
          secretsToBeDeleted: z.array(z.string().max(253)).max(1_000).nullish(),
          minio: z.array(KeyPair).max(100).nullish(),
          minioCAs: z.array(File).max(100).nullish(),
        })
        .nullish(),
    }),
  },
  updateTenantCertificates: {
    summary: 'Replace the existing certificates of a tenant; its pods restart',
    params: tenantParams,
    body: z.object({
      minio: z.array(KeyPair).max(100).nullish(),
      ca_certificates: z.array(File).max(100).nullish(),
    }),
  },
  getTenantEncryption: {
    summary: 'The key server of a tenant: its image, its replicas and its key store',
    params: tenantParams,
    response: z.object({
      enabled: z.boolean(),
      image: z.string(),
      replicas: z.number(),
      /** `vault`, `aws`, `gemalto`, `gcp`, `azure`; empty for any other, or if the secret cannot be read. */
      type: z.string(),
      endpoint: z.string(),
      server: TenantCertificate.nullish(),
      client: TenantCertificate.nullish(),
    }),
  },
  updateTenantEncryption: {
    summary: 'Change the key server of a tenant; its pods restart',
    params: tenantParams,
    body: TenantEncryption,
  },
  deleteTenantEncryption: { summary: 'Remove the key server of a tenant', params: tenantParams },
  getTenantConfiguration: {
    summary: 'The environment variables of a tenant; values of secrets are not shown',
    params: tenantParams,
    response: z.object({
      environmentVariables: listSchema(
        z.object({
          key: z.string(),
          /** Empty for a secret. */
          value: z.string(),
          secret: z.boolean(),
        }),
      ),
      sftpExposed: z.boolean(),
      resourceVersion: z.string(),
    }),
  },
  updateTenantConfiguration: {
    summary: 'Set and remove environment variables of a tenant; its pods restart',
    params: tenantParams,
    body: z.object({
      environmentVariables: z
        .array(
          z.object({
            key: z
              .string()
              .max(256)
              // Names of notification targets may contain hyphens and dots.
              .regex(/^[A-Za-z_][A-Za-z0-9_.-]*$/, "should match '^[A-Za-z_][A-Za-z0-9_.-]*$'"),
            value: z.string().max(60_000),
          }),
        )
        .max(1_000)
        .nullish(),
      keysToBeDeleted: z.array(z.string().max(256)).max(1_000).nullish(),
      sftpExposed: z.boolean().optional(),
    }),
  },
  getTenantIdentityProvider: {
    summary: 'The identity provider of a tenant; secrets are not shown',
    params: tenantParams,
    response: z.object({
      oidc: z.record(z.string(), z.string()).nullish(),
      active_directory: z.record(z.string(), z.union([z.string(), z.boolean()])).nullish(),
    }),
  },
  updateTenantIdentityProvider: {
    summary: 'Change the identity provider of a tenant; its pods restart',
    params: tenantParams,
    /** Without either, the tenant uses its own users. */
    body: z.object({
      /** An empty secret leaves the current one unchanged. */
      oidc: TenantOidc.extend({ secret_id: z.string() }).nullish(),
      active_directory: TenantActiveDirectory.nullish(),
    }),
  },
  setTenantAdministrators: {
    summary: "Give users and groups of a tenant's directory the policy consoleAdmin, in addition to those they have",
    params: tenantParams,
    body: z.object({
      user_dns: z.array(z.string().min(1).max(1_024)).max(100).nullish(),
      group_dns: z.array(z.string().min(1).max(1_024)).max(100).nullish(),
    }),
  },
  updateTenantDomains: {
    summary: 'The domains of a tenant',
    params: tenantParams,
    body: z.object({
      domains: z.object({
        minio: z.array(z.string().max(253)).max(100).nullish(),
        console: z.string().max(253).nullish(),
      }),
    }),
  },
})
