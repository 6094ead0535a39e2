import type { Tenant, TenantItem } from '@stowage/contract'
import { type Kube, KubeError, resources, type SavedKubeObject, type TenantObject } from '@stowage/kube'
import type { Service } from 'kubernetes-types/core/v1'
import { safeSum } from '../../../lib/kube/quantities.ts'
import { effectiveConfiguration } from '../configuration/tenant-configuration.ts'
import { poolSize, wirePool } from '../pools/pool-object.ts'

export function wireTenantItem({ metadata, spec, status }: SavedKubeObject<TenantObject>): TenantItem {
  const pools = spec?.pools ?? []
  const { usage = {} } = status ?? {}
  return {
    name: metadata.name,
    namespace: metadata.namespace ?? '',
    total_size: safeSum(pools.map(poolSize)),
    pool_count: pools.length,
    instance_count: safeSum(pools.map(({ servers }) => servers)),
    volume_count: safeSum(pools.map(({ servers, volumesPerServer }) => servers * volumesPerServer)),
    creation_date: metadata.creationTimestamp ?? '',
    ...(metadata.deletionTimestamp ? { deletion_date: metadata.deletionTimestamp } : {}),
    currentState: status?.currentState ?? '',
    health_status: status?.healthStatus ?? '',
    health_message: status?.healthMessage ?? '',
    capacity_raw: usage.rawCapacity ?? 0,
    capacity_raw_usage: usage.rawUsage ?? 0,
    capacity: usage.capacity ?? 0,
    capacity_usage: usage.usage ?? 0,
    image: spec?.image ?? '',
  }
}

/** Reads the license of a tenant; null if it is not valid. */
export type ReadTenantLicense = (token: string) => Promise<Tenant['subnet_license']>

/** Returns all details of a tenant, from its object, its secrets and its services. */
export async function describeTenant(
  kube: Kube,
  tenant: SavedKubeObject<TenantObject>,
  readLicense: ReadTenantLicense,
  signal: AbortSignal,
): Promise<Tenant> {
  const { metadata, spec, status } = tenant
  const { namespace, name } = metadata
  const [{ variables, readable }, minio, web] = await Promise.all([
    effectiveConfiguration(kube, tenant, signal),
    readService(kube, namespace, 'minio', signal),
    readService(kube, namespace, `${name}-console`, signal),
  ])
  const minioTLS = tenantHasTls(tenant)
  const annotations = metadata.annotations ?? {}
  const { usage = {} } = status ?? {}
  const endpoints = {
    ...address('minio', minio, minioTLS, ''),
    ...address('console', web, minioTLS, minioTLS ? ':9443' : ':9090'),
  }
  const item = wireTenantItem(tenant)
  return {
    name: item.name,
    namespace: item.namespace,
    creation_date: item.creation_date,
    ...(item.deletion_date ? { deletion_date: item.deletion_date } : {}),
    currentState: item.currentState,
    generation: metadata.generation ?? 0,
    image: item.image,
    total_size: item.total_size,
    pools: (spec?.pools ?? []).map(wirePool),
    enable_prometheus: ['path', 'port', 'scrape'].every((key) => `prometheus.io/${key}` in annotations),
    logEnabled: spec?.log !== undefined,
    monitoringEnabled: spec?.prometheus !== undefined,
    encryptionEnabled: spec?.kes !== undefined || Boolean(variables.MINIO_KMS_SECRET_KEY),
    minioTLS,
    consoleTLS: minioTLS,
    consoleEnabled: variables.MINIO_BROWSER !== 'off',
    idpAdEnabled: Boolean(variables.MINIO_IDENTITY_LDAP_SERVER_ADDR),
    idpOidcEnabled: Boolean(variables.MINIO_IDENTITY_OPENID_CONFIG_URL),
    secretsReadable: readable,
    subnet_license: variables.MINIO_SUBNET_LICENSE ? await readLicense(variables.MINIO_SUBNET_LICENSE) : null,
    ...(Object.keys(endpoints).length > 0 ? { endpoints } : {}),
    ...(spec?.features?.domains
      ? {
          domains: {
            minio: spec.features.domains.minio ?? [],
            ...(spec.features.domains.console ? { console: spec.features.domains.console } : {}),
          },
        }
      : {}),
    status: {
      health_status: item.health_status,
      health_message: item.health_message,
      drives_online: status?.drivesOnline ?? 0,
      drives_offline: status?.drivesOffline ?? 0,
      drives_healing: status?.drivesHealing ?? 0,
      write_quorum: status?.writeQuorum ?? 0,
      usage: {
        raw: usage.rawCapacity ?? 0,
        raw_usage: usage.rawUsage ?? 0,
        capacity: usage.capacity ?? 0,
        capacity_usage: usage.usage ?? 0,
      },
    },
  }
}

/** Whether a tenant's servers use TLS: with certificates that the operator makes, which is the default, or with their own. */
export function tenantHasTls({ spec }: TenantObject): boolean {
  return (spec?.requestAutoCert ?? true) || (spec?.externalCertSecret?.length ?? 0) > 0
}

/** Returns a service; undefined if it does not exist, or the caller has no right to see it. */
async function readService(kube: Kube, namespace: string | undefined, name: string, signal: AbortSignal) {
  try {
    return await kube.get(resources.services, { namespace, name }, { signal })
  } catch (error) {
    if (error instanceof KubeError && (error.code === 'NotFound' || error.code === 'Forbidden')) return undefined
    throw error
  }
}

function address(key: 'minio' | 'console', service: Service | undefined, tls: boolean, port: string) {
  const [ingress] = service?.status?.loadBalancer?.ingress ?? []
  const host = ingress?.hostname || ingress?.ip
  if (!host) return {}
  return { [key]: `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}${port}` }
}
