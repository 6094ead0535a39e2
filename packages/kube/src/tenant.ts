import type {
  Affinity,
  EnvVar,
  LocalObjectReference,
  PersistentVolumeClaim,
  PodSecurityContext,
  ResourceRequirements,
  Toleration,
} from 'kubernetes-types/core/v1'
import { defineResource, type KubeObject } from './resources.ts'

/** A secret that contains certificates. */
export interface CertificateReference {
  name: string
  /** `kubernetes.io/tls`, `cert-manager.io/v1alpha2` …, which decides the keys of the secret. */
  type?: string
}

export interface TenantPool {
  name?: string
  servers: number
  volumesPerServer: number
  volumeClaimTemplate?: PersistentVolumeClaim
  resources?: ResourceRequirements
  nodeSelector?: Record<string, string>
  affinity?: Affinity
  tolerations?: Toleration[]
  securityContext?: PodSecurityContext
  /** In definitions since operator 4.4. */
  runtimeClassName?: string
  annotations?: Record<string, string>
  labels?: Record<string, string>
}

export interface TenantKes {
  image?: string
  replicas?: number
  kesSecret: LocalObjectReference
  clientCertSecret?: CertificateReference
  externalCertSecret?: CertificateReference
  annotations?: Record<string, string>
  labels?: Record<string, string>
  nodeSelector?: Record<string, string>
  securityContext?: PodSecurityContext
}

export interface TenantSpec {
  pools: TenantPool[]
  image?: string
  imagePullSecret?: LocalObjectReference
  credsSecret?: LocalObjectReference
  configuration?: LocalObjectReference
  env?: EnvVar[]
  users?: LocalObjectReference[]
  mountPath?: string
  requestAutoCert?: boolean
  externalCertSecret?: CertificateReference[]
  externalCaCertSecret?: CertificateReference[]
  externalClientCertSecret?: CertificateReference
  externalClientCertSecrets?: CertificateReference[]
  exposeServices?: { minio?: boolean; console?: boolean }
  features?: { bucketDNS?: boolean; domains?: { minio?: string[]; console?: string }; enableSFTP?: boolean }
  kes?: TenantKes
  log?: Record<string, unknown>
  prometheus?: Record<string, unknown>
}

export interface TenantStatus {
  currentState?: string
  availableReplicas?: number
  revision?: number
  syncVersion?: string
  certificates?: {
    autoCertEnabled?: boolean
    customCertificates?: Record<string, { certName?: string; expiry?: string }[]>
  }
  pools?: { ssName: string; state: string; legacySecurityContext?: boolean }[]
  writeQuorum?: number
  drivesOnline?: number
  drivesOffline?: number
  drivesHealing?: number
  healthStatus?: string
  healthMessage?: string
  usage?: { capacity?: number; rawCapacity?: number; usage?: number; rawUsage?: number }
  provisionedUsers?: boolean
}

/** A storage cluster run by its operator: the kind managed in operator mode. */
export interface TenantObject extends KubeObject {
  spec?: TenantSpec
  status?: TenantStatus
}

export const tenants = defineResource<TenantObject>({
  group: 'minio.min.io',
  version: 'v2',
  plural: 'tenants',
  kind: 'Tenant',
  namespaced: true,
})

/** Label of the objects of a tenant. */
export const TENANT_LABEL = 'v1.min.io/tenant'
export const POOL_LABEL = 'v1.min.io/pool'
export const CONSOLE_LABEL = 'v1.min.io/console'
