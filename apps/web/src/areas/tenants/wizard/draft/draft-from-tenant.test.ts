import type { Tenant } from '@stowage/contract'
import { GiB, TiB } from '@stowage/contract/values/units'
import { expect, test } from 'vitest'
import { defaultAffinity, nodeAffinity } from '../../cluster/affinity.ts'
import { draftFromTenant } from './draft-from-tenant.ts'

const pool = {
  name: 'pool-0',
  servers: 4,
  volumes_per_server: 2,
  volume_configuration: { size: 25 * GiB, storage_class_name: 'standard' },
  resources: { requests: { memory: 4 * GiB }, limits: {} },
  affinity: defaultAffinity('media', 'pool-0'),
}
const tenant = (changes: object = {}, more: object = {}) =>
  ({
    name: 'media',
    namespace: 'team-a',
    image: 'minio/minio:RELEASE.2025-09-07T16-13-09Z',
    minioTLS: true,
    encryptionEnabled: true,
    idpAdEnabled: false,
    idpOidcEnabled: true,
    pools: [{ ...pool, ...changes }],
    ...more,
  }) as unknown as Tenant

test('a draft is copied from another tenant, without names and secrets', () => {
  expect(draftFromTenant(tenant())).toMatchObject({
    advancedModeOn: true,
    page: 'name',
    nameTenant: { tenantName: '', namespace: '', selectedStorageClass: 'standard' },
    configure: { customImage: true, imageName: 'minio/minio:RELEASE.2025-09-07T16-13-09Z' },
    affinity: { podAffinity: 'default' },
    identityProvider: { idpSelection: 'OpenID', openID: { url: '' } },
    security: { enableTLS: true },
    encryption: { enableEncryption: true, vault: { secret: '' } },
    tenantSize: { nodes: '4', drivesPerServer: '2', volumeSize: '200', sizeFactor: 'Gi', memoryNode: '4' },
  })
})

test('whole TiB are shown as such, node labels are copied, and a tenant without pools has the defaults', () => {
  const changes = {
    volume_configuration: { size: TiB / 4, storage_class_name: 'fast' },
    affinity: nodeAffinity([{ key: 'disktype', value: 'nvme' }], undefined),
  }
  expect(draftFromTenant(tenant(changes))).toMatchObject({
    tenantSize: { volumeSize: '2', sizeFactor: 'Ti' },
    affinity: { podAffinity: 'nodeSelector', withPodAntiAffinity: false, nodeSelectorLabels: 'disktype=nvme' },
  })
  expect(draftFromTenant(tenant({ affinity: null })).affinity.podAffinity).toBe('none')
  expect(draftFromTenant(tenant({}, { pools: [] })).tenantSize.nodes).toBe('4')
})
