import type { Pool, Tenant } from '@stowage/contract'
import { GiB, TiB } from '@stowage/contract/values/units'
import { newTenantDraft, nodeLabelsText, type TenantDraft } from './tenant-draft.ts'

interface NodeAffinity {
  nodeAffinity?: {
    requiredDuringSchedulingIgnoredDuringExecution?: {
      nodeSelectorTerms?: { matchExpressions?: { key?: string; operator?: string; values?: string[] }[] }[]
    }
  }
  podAntiAffinity?: object
}

/** Returns a draft based on an existing tenant, without name and secrets. */
export function draftFromTenant(tenant: Tenant): TenantDraft {
  const draft = newTenantDraft()
  const pool = tenant.pools[0]
  const bytes = pool ? pool.servers * pool.volumes_per_server * pool.volume_configuration.size : 0
  const inTi = bytes > 0 && bytes % TiB === 0
  const memory = (pool?.resources?.requests?.memory ?? 0) / GiB
  return {
    ...draft,
    advancedModeOn: true,
    nameTenant: { ...draft.nameTenant, selectedStorageClass: pool?.volume_configuration.storage_class_name ?? '' },
    configure: { ...draft.configure, customImage: tenant.image !== '', imageName: tenant.image },
    affinity: poolPlacement(pool),
    identityProvider: {
      ...draft.identityProvider,
      idpSelection: tenant.idpAdEnabled ? 'AD' : tenant.idpOidcEnabled ? 'OpenID' : 'Built-in',
    },
    security: { ...draft.security, enableTLS: tenant.minioTLS },
    encryption: { ...draft.encryption, enableEncryption: tenant.encryptionEnabled },
    tenantSize: pool
      ? {
          ...draft.tenantSize,
          nodes: String(pool.servers),
          drivesPerServer: String(pool.volumes_per_server),
          volumeSize: String(bytes / (inTi ? TiB : GiB)),
          sizeFactor: inTi ? 'Ti' : 'Gi',
          memoryNode: String(Math.max(2, memory)),
        }
      : draft.tenantSize,
  }
}

/** Returns the choice of nodes that a pool's affinity comes closest to. */
export function poolPlacement(pool: Pool | undefined): TenantDraft['affinity'] {
  const defaults = newTenantDraft().affinity
  const affinity = pool?.affinity as NodeAffinity | undefined
  if (!affinity) return { ...defaults, podAffinity: 'none' }
  const terms = affinity.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? []
  const labels = terms
    .flatMap(({ matchExpressions = [] }) => matchExpressions)
    .flatMap(({ key = '', operator, values = [] }) =>
      operator === 'In' && values[0] !== undefined ? [{ key, value: values[0] }] : [],
    )
  const withPodAntiAffinity = affinity.podAntiAffinity !== undefined
  if (labels.length === 0) return { ...defaults, podAffinity: withPodAntiAffinity ? 'default' : 'none' }
  return { podAffinity: 'nodeSelector', withPodAntiAffinity, nodeSelectorLabels: nodeLabelsText(labels) }
}
