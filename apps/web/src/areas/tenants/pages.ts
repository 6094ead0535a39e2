import { IconBuildingWarehouse } from '@tabler/icons-react'
import { prefetch } from '../../lib/api/query.ts'
import { definePage } from '../../lib/navigation/pages.ts'
import { msg } from '../../lib/text/message.ts'

const operator = { mode: 'operator' } as const
/** The session's name for the pages of a tenant. */
const ofTenant = { mode: 'operator', page: '/namespaces/:tenantNamespace/tenants/:tenantName' } as const
const TENANT = '/namespaces/$namespace/tenants/$tenant'

export const tenantPages = [
  definePage({
    path: '/tenants',
    page: '/tenants',
    ...operator,
    label: msg('Tenants'),
    group: 'operator',
    icon: IconBuildingWarehouse,
    load: async () => (await import('./list/TenantsPage.tsx')).TenantsPage,
    prefetch: () => prefetch('listTenants', { query: {} }),
  }),
  definePage({
    path: '/tenants/add',
    page: '/tenants/add',
    ...operator,
    under: '/tenants',
    label: msg('Create New Tenant'),
    load: async () => (await import('./wizard/TenantWizardPage.tsx')).TenantWizardPage,
  }),
  definePage({
    path: '/namespaces/$namespace/tenants/$tenant',
    ...ofTenant,
    under: '/tenants',
    load: async () => (await import('./tenant/TenantPage.tsx')).TenantPage,
    prefetch: ({ params }) => prefetch('getTenant', { params }),
  }),
  definePage({
    path: '/namespaces/$namespace/tenants/$tenant/summary',
    in: TENANT,
    ...ofTenant,
    label: msg('Summary'),
    load: async () => (await import('./tenant/TenantSummarySection.tsx')).TenantSummarySection,
  }),
  definePage({
    path: '/namespaces/$namespace/tenants/$tenant/metrics',
    in: TENANT,
    ...ofTenant,
    label: msg('Metrics'),
    load: async () => (await import('./tenant/console/TenantMetricsSection.tsx')).TenantMetricsSection,
  }),
  definePage({
    path: '/namespaces/$namespace/tenants/$tenant/security',
    in: TENANT,
    ...ofTenant,
    label: msg('Security'),
    load: async () => (await import('./tenant/TenantSecuritySection.tsx')).TenantSecuritySection,
    prefetch: ({ params }) => prefetch('getTenantSecurity', { params }),
  }),
  definePage({
    path: '/namespaces/$namespace/tenants/$tenant/pools',
    in: TENANT,
    ...ofTenant,
    label: msg('Pools'),
    load: async () => (await import('./pools/PoolsSection.tsx')).PoolsSection,
  }),
  definePage({
    path: '/namespaces/$namespace/tenants/$tenant/pods',
    in: TENANT,
    ...ofTenant,
    label: msg('Pods'),
    load: async () => (await import('./tenant/pods/PodsSection.tsx')).PodsSection,
    prefetch: ({ params }) => prefetch('listTenantPods', { params }),
  }),
  definePage({
    path: '/namespaces/$namespace/tenants/$tenant/pods/$pod',
    in: TENANT,
    ...ofTenant,
    load: async () => (await import('./tenant/pods/PodSection.tsx')).PodSection,
  }),
  definePage({
    path: '/namespaces/$namespace/tenants/$tenant/logs',
    in: TENANT,
    ...ofTenant,
    label: msg('Logs'),
    load: async () => (await import('./tenant/logs/TenantLogsSection.tsx')).TenantLogsSection,
  }),
  definePage({
    path: '/namespaces/$namespace/tenants/$tenant/license',
    in: TENANT,
    ...ofTenant,
    label: msg('License'),
    load: async () => (await import('./tenant/TenantLicenseSection.tsx')).TenantLicenseSection,
  }),
  definePage({
    path: '/namespaces/$namespace/tenants/$tenant/volumes',
    in: TENANT,
    ...ofTenant,
    label: msg('Volumes'),
    load: async () => (await import('./tenant/volumes/TenantVolumesSection.tsx')).TenantVolumesSection,
  }),
  definePage({
    path: '/namespaces/$namespace/tenants/$tenant/events',
    in: TENANT,
    ...ofTenant,
    label: msg('Events'),
    load: async () => (await import('./tenant/events/TenantEventsSection.tsx')).TenantEventsSection,
  }),
  definePage({
    path: '/namespaces/$namespace/tenants/$tenant/drift',
    in: TENANT,
    ...ofTenant,
    label: msg('Drift'),
    load: async () => (await import('./tenant/TenantDriftSection.tsx')).TenantDriftSection,
  }),
  definePage({
    path: '/namespaces/$namespace/tenants/$tenant/configuration',
    in: TENANT,
    ...ofTenant,
    label: msg('Configuration'),
    load: async () => (await import('./tenant/TenantConfigurationSection.tsx')).TenantConfigurationSection,
  }),
  definePage({
    path: '/namespaces/$namespace/tenants/$tenant/identity-provider',
    in: TENANT,
    ...ofTenant,
    label: msg('Identity Provider'),
    load: async () => (await import('./tenant/TenantIdentitySection.tsx')).TenantIdentitySection,
  }),
  definePage({
    path: '/namespaces/$namespace/tenants/$tenant/encryption',
    in: TENANT,
    ...ofTenant,
    label: msg('Encryption'),
    load: async () => (await import('./tenant/TenantEncryptionSection.tsx')).TenantEncryptionSection,
  }),
  definePage({
    path: '/namespaces/$namespace/tenants/$tenant/csr',
    in: TENANT,
    ...ofTenant,
    label: msg('CSR'),
    load: async () => (await import('./tenant/TenantCsrSection.tsx')).TenantCsrSection,
  }),
  definePage({
    path: '/namespaces/$namespace/tenants/$tenant/hop',
    ...ofTenant,
    under: '/tenants',
    load: async () => (await import('./tenant/console/TenantConsolePage.tsx')).TenantConsolePage,
  }),
]
