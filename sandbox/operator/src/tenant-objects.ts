import { hash } from 'node:crypto'
import {
  CONSOLE_LABEL,
  POOL_LABEL,
  type SavedKubeObject,
  TENANT_LABEL,
  type TenantObject,
  type TenantPool,
} from '@stowage/kube'
import type { StatefulSet } from 'kubernetes-types/apps/v1'
import type { Service } from 'kubernetes-types/core/v1'
import type { OwnerReference } from 'kubernetes-types/meta/v1'

/* The objects that a tenant asks for. */

const IMAGE = 'minio/minio:RELEASE.2021-11-09T03-21-45Z'

export function poolName(pool: TenantPool | undefined, index: number): string {
  return pool?.name || `ss-${index}`
}

export const containerImage = ({ spec }: StatefulSet) => spec?.template.spec?.containers[0]?.image

/** Annotation with a hash of the wanted template. The API server adds defaults to the template, so it cannot be compared itself. */
const TEMPLATE = 'sandbox.stowage/template'
export const templateHashAnnotation = ({ metadata }: StatefulSet) => metadata?.annotations?.[TEMPLATE]

/** Returns the metadata of an object that is deleted with its tenant. */
export function ownedMetadata(tenant: SavedKubeObject<TenantObject>, name: string) {
  const owner: OwnerReference = {
    apiVersion: 'minio.min.io/v2',
    kind: 'Tenant',
    name: tenant.metadata.name,
    uid: tenant.metadata.uid,
    controller: true,
    blockOwnerDeletion: true,
  }
  return {
    name,
    namespace: tenant.metadata.namespace ?? '',
    labels: { [TENANT_LABEL]: tenant.metadata.name },
    ownerReferences: [owner],
  }
}

/** The state of a tenant while a service is being created, the message of its event, the service, and its port on this machine. */
type WantedService = [state: string, created: string, service: Service, nodePort: number | undefined]

/** Returns the services of a tenant, in the order in which they are created. */
export function tenantServices(
  tenant: SavedKubeObject<TenantObject>,
  process: { storePort: number; consolePort: number } | undefined,
): WantedService[] {
  const { name } = tenant.metadata
  const tls = (tenant.spec?.requestAutoCert ?? true) || (tenant.spec?.externalCertSecret?.length ?? 0) > 0
  const labels = { [TENANT_LABEL]: name }
  const service = (
    at: string,
    port: number,
    targetPort: number,
    portName: string,
    nodePort: number | undefined,
    exposed: boolean | undefined,
    selector: Record<string, string>,
  ): Service => ({
    metadata: ownedMetadata(tenant, at),
    spec: {
      // Services that are not exposed can be reached too, because the sandbox has no cluster network.
      type: nodePort ? (exposed ? 'LoadBalancer' : 'NodePort') : 'ClusterIP',
      selector,
      ports: [{ name: portName, port, targetPort, protocol: 'TCP', ...(nodePort ? { nodePort } : {}) }],
    },
  })
  const expose = tenant.spec?.exposeServices ?? {}
  const console = { [CONSOLE_LABEL]: `${name}-console` }
  return [
    [
      'Provisioning MinIO Cluster IP Service',
      'MinIO Service Created',
      service(
        'minio',
        tls ? 443 : 80,
        9000,
        tls ? 'https-minio' : 'http-minio',
        process?.storePort,
        expose.minio,
        labels,
      ),
      process?.storePort,
    ],
    [
      'Provisioning Console Service',
      'Console Service Created',
      service(
        `${name}-console`,
        tls ? 9443 : 9090,
        tls ? 9443 : 9090,
        tls ? 'https-console' : 'http-console',
        process?.consolePort,
        expose.console,
        console,
      ),
      process?.consolePort,
    ],
    [
      'Provisioning MinIO Headless Service',
      'Headless Service created',
      {
        metadata: ownedMetadata(tenant, `${name}-hl`),
        spec: { clusterIP: 'None', selector: labels, ports: [{ name: 'http-minio', port: 9000 }] },
      },
      undefined,
    ],
  ]
}

/** Returns the StatefulSet of a pool. */
export function poolStatefulSet(tenant: SavedKubeObject<TenantObject>, pool: TenantPool, index: number): StatefulSet {
  const { name } = tenant.metadata
  const labels = { [TENANT_LABEL]: name, [POOL_LABEL]: poolName(pool, index), [CONSOLE_LABEL]: `${name}-console` }
  const volumes = Array.from({ length: pool.volumesPerServer }, (_, n) => `data${n}`)
  const path = tenant.spec?.mountPath ?? '/export'
  const template = {
    metadata: {
      labels: { ...labels, ...pool.labels },
      annotations: { 'min.io/revision': '0', ...pool.annotations },
    },
    spec: {
      containers: [
        {
          name: 'minio',
          image: tenant.spec?.image || IMAGE,
          args: ['server', '--certs-dir', '/tmp/certs', '--console-address', ':9443'],
          ...(tenant.spec?.env ? { env: tenant.spec.env } : {}),
          ...(pool.resources ? { resources: pool.resources } : {}),
          volumeMounts: volumes.map((volume, n) => ({
            name: volume,
            mountPath: volumes.length === 1 ? path : `${path}${n}`,
          })),
        },
      ],
      ...(pool.affinity ? { affinity: pool.affinity } : {}),
      ...(pool.nodeSelector ? { nodeSelector: pool.nodeSelector } : {}),
      ...(pool.tolerations ? { tolerations: pool.tolerations } : {}),
    },
  }
  return {
    metadata: {
      ...ownedMetadata(tenant, `${name}-${poolName(pool, index)}`),
      labels,
      annotations: { [TEMPLATE]: hash('sha256', JSON.stringify(template)) },
    },
    spec: {
      serviceName: `${name}-hl`,
      podManagementPolicy: 'Parallel',
      replicas: pool.servers,
      selector: { matchLabels: labels },
      template,
      volumeClaimTemplates: volumes.map((volume) => ({
        ...pool.volumeClaimTemplate,
        metadata: { ...pool.volumeClaimTemplate?.metadata, name: volume },
      })),
    },
  }
}
