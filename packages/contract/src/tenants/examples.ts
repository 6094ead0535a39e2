import type { ExamplesOf } from '../example.ts'
import type { tenantEndpoints } from './endpoints.ts'

const params = { namespace: 'team-a', tenant: 'alpha' }
const pool = {
  name: 'pool-0',
  servers: 4,
  volumes_per_server: 2,
  volume_configuration: { size: 26843545600, storage_class_name: 'standard' },
}
const tenant = {
  name: 'alpha',
  namespace: 'team-a',
  pools: [pool],
  idp: { keys: [{ access_key: 'anna-console', secret_key: 'correct-horse-battery-staple' }] },
}

export const tenantExamples: ExamplesOf<typeof tenantEndpoints> = {
  listTenants: { query: { limit: 100 } },
  listNamespaceTenants: { params: { namespace: 'team-a' } },
  createTenant: { body: tenant },
  previewTenant: { body: tenant },
  createNamespace: { body: { name: 'team-a' } },
  getTenant: { params },
  updateTenant: { params, body: { image: 'minio/minio:RELEASE.2025-09-07T16-13-09Z' } },
  deleteTenant: { params, body: { delete_pvcs: false } },
  listFormerTenants: { query: {} },
  getTenantLeftovers: { params },
  deleteTenantLeftovers: { params, body: { volumes: true, secrets: true } },
  getTenantYaml: { params },
  updateTenantYaml: { params, body: { yaml: 'spec:\n  image: minio/minio:RELEASE.2025-09-07T16-13-09Z\n' } },
  getTenantUsage: { params },
  addTenantPool: { params, body: { ...pool, name: 'pool-1' } },
  setTenantPools: { params, body: { pools: [pool] } },
  getTenantSecurity: { params },
  updateTenantSecurity: {
    params,
    body: { autoCert: true, customCertificates: { secretsToBeDeleted: [], minio: [], minioCAs: [] } },
  },
  updateTenantCertificates: { params, body: { minio: [] } },
  getTenantEncryption: { params },
  updateTenantEncryption: {
    params,
    body: { vault: { endpoint: 'https://vault.example.com:8200', approle: { id: 'role', secret: 'secret' } } },
  },
  deleteTenantEncryption: { params },
  getTenantConfiguration: { params },
  updateTenantConfiguration: {
    params,
    body: { environmentVariables: [{ key: 'MINIO_BROWSER', value: 'on' }], keysToBeDeleted: [] },
  },
  getTenantIdentityProvider: { params },
  updateTenantIdentityProvider: {
    params,
    body: {
      oidc: {
        configuration_url: 'https://idp.example.com/.well-known/openid-configuration',
        client_id: 'stowage',
        secret_id: 'secret',
        claim_name: 'policy',
      },
    },
  },
  updateTenantDomains: { params, body: { domains: { minio: ['https://s3.example.com'] } } },
  listTenantEvents: { params },
  listTenantCsrs: { params },
  listTenantPods: { params },
  getPodLog: { params: { ...params, pod: 'alpha-pool-0-0' }, query: { tailLines: 100 } },
  deletePod: { params: { ...params, pod: 'alpha-pool-0-0' } },
  listPodEvents: { params: { ...params, pod: 'alpha-pool-0-0' } },
  describePod: { params: { ...params, pod: 'alpha-pool-0-0' } },
  listTenantVolumes: { params },
  deleteTenantVolume: { params: { ...params, volume: 'data0-alpha-pool-0-0' } },
  listVolumeEvents: { params: { ...params, volume: 'data0-alpha-pool-0-0' } },
  describeVolume: { params: { ...params, volume: 'data0-alpha-pool-0-0' } },
  getTenantLogReport: { params },
  getResourceQuota: { params: { namespace: 'team-a', quota: 'team-a-storagequota' } },
  getMaxAllocatableMemory: { query: { num_nodes: 4 } },
  getAllocatableResources: { query: { num_nodes: 4 } },
  getParity: { params: { nodes: 4, drives: 4 } },
  listNodeLabels: {},
  reviewAccess: {
    body: {
      actions: [{ id: 'create', verb: 'create', group: 'minio.min.io', resource: 'tenants', namespace: 'team-a' }],
    },
  },
  listTenantFields: { query: { path: 'spec.pools' } },
  listPoolStates: { params },
  drainPool: { params: { ...params, pool: 'pool-0' } },
  cancelPoolDrain: { params: { ...params, pool: 'pool-0' } },
  removeTenantPool: { params: { ...params, pool: 'pool-0' } },
  getTenantDrift: { params },
  followTenantLog: { params, query: { tailLines: 100 } },
  followPodLog: { params: { ...params, pod: 'alpha-pool-0-0' }, query: { tailLines: 100 } },
  followCluster: { query: { kinds: 'tenants,pods' } },
  openTenantConsole: { params, body: { page: 'console' } },
  openTenantHere: { params, body: {} },
  activateTenantLicense: { params },
}
