import { scenario } from './support/scenario.ts'

const groups: Record<string, string[]> = {
  'apps/v1': [
    'deployments',
    'deployments/status',
    'replicasets',
    'replicasets/status',
    'statefulsets',
    'statefulsets/status',
  ],
  'batch/v1': ['jobs', 'jobs/status'],
  'rbac.authorization.k8s.io/v1': ['clusterrolebindings', 'clusterroles', 'rolebindings', 'roles'],
  'storage.k8s.io/v1': ['storageclasses'],
  'coordination.k8s.io/v1': ['leases'],
  'certificates.k8s.io/v1': [
    'certificatesigningrequests',
    'certificatesigningrequests/approval',
    'certificatesigningrequests/status',
  ],
  'apiextensions.k8s.io/v1': ['customresourcedefinitions', 'customresourcedefinitions/status'],
  'authentication.k8s.io/v1': ['selfsubjectreviews', 'tokenreviews'],
  'authorization.k8s.io/v1': ['selfsubjectaccessreviews', 'selfsubjectrulesreviews', 'subjectaccessreviews'],
}
const core = [
  'configmaps',
  'events',
  'namespaces',
  'namespaces/finalize',
  'namespaces/status',
  'nodes',
  'nodes/status',
  'persistentvolumeclaims',
  'persistentvolumeclaims/status',
  'persistentvolumes',
  'persistentvolumes/status',
  'pods',
  'pods/binding',
  'pods/log',
  'pods/status',
  'resourcequotas',
  'resourcequotas/status',
  'secrets',
  'serviceaccounts',
  'serviceaccounts/token',
  'services',
  'services/status',
]

type Resources = { resources: { name: string; storageVersionHash?: string }[] }
/** Selects the kinds used in operator mode; a real server has more. Hashes describe how etcd stores them. */
const only = (names: string[]) => (body: Resources) => ({
  ...body,
  resources: body.resources
    .filter(({ name }) => names.includes(name))
    .map(({ storageVersionHash: _, ...rest }) => rest),
})

scenario('groups, versions and kinds', async (api) => {
  await api.step('versions', 'GET', '/api', undefined, { pick: ({ kind, versions }) => ({ kind, versions }) })
  const names = Object.keys(groups).map((version) => version.split('/')[0])
  await api.step('groups', 'GET', '/apis', undefined, {
    pick: ({ kind, groups: all }) => ({
      kind,
      groups: all
        .filter(({ name }: { name: string }) => names.includes(name))
        .sort((a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1)),
    }),
  })
  await api.step('core', 'GET', '/api/v1', undefined, { pick: only(core) })
  for (const [version, kinds] of Object.entries(groups))
    await api.step(version, 'GET', `/apis/${version}`, undefined, { pick: only(kinds) })
  await api.step('one group', 'GET', '/apis/batch')
  await api.step('no group', 'GET', '/apis/example.com')
  await api.step('no version', 'GET', '/apis/batch/v9')
  await api.step('health', 'GET', '/livez')
  await api.step('a slash at the end', 'GET', '/api/', undefined, {
    pick: ({ kind, versions }) => ({ kind, versions }),
  })
  await api.step('POST on discovery', 'POST', '/api/v1', {})
})
