import type { CustomResourceDefinition } from 'kubernetes-types/apiextensions/v1'
import type { Deployment, ReplicaSet, StatefulSet } from 'kubernetes-types/apps/v1'
import type { Job } from 'kubernetes-types/batch/v1'
import type { CertificateSigningRequest } from 'kubernetes-types/certificates/v1'
import type { Lease } from 'kubernetes-types/coordination/v1'
import type {
  ConfigMap,
  Event,
  Namespace,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  ResourceQuota,
  Secret,
  Service,
  ServiceAccount,
} from 'kubernetes-types/core/v1'
import type { ObjectMeta } from 'kubernetes-types/meta/v1'
import type { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from 'kubernetes-types/rbac/v1'
import type { StorageClass } from 'kubernetes-types/storage/v1'

/** Any object of the API; types of specific kinds extend it. */
export interface KubeObject {
  apiVersion?: string
  kind?: string
  metadata?: ObjectMeta
}

/** An object as the server stores it: it has a name, a uid and a version. */
export type SavedKubeObject<T extends KubeObject> = T & {
  metadata: ObjectMeta & { name: string; uid: string; resourceVersion: string }
}

/** API path of the objects of one kind. */
export interface KubeResource<T extends KubeObject = KubeObject> {
  /** Empty for the core group. */
  readonly group: string
  readonly version: string
  readonly plural: string
  readonly kind: string
  readonly namespaced: boolean
  /** Never set; carries the type of the objects. */
  readonly objectType?: T
}

/** Defines a kind, for instance one of a CustomResourceDefinition. */
export function defineResource<T extends KubeObject>(definition: Omit<KubeResource<T>, 'objectType'>): KubeResource<T> {
  return definition
}

export function formatApiVersion({ group, version }: Pick<KubeResource, 'group' | 'version'>): string {
  return group === '' ? version : `${group}/${version}`
}

const core = { group: '', version: 'v1' }
const apps = { group: 'apps', version: 'v1' }
const rbac = { group: 'rbac.authorization.k8s.io', version: 'v1' }

/** The built-in kinds used in operator mode. */
export const resources = {
  namespaces: defineResource<Namespace>({ ...core, plural: 'namespaces', kind: 'Namespace', namespaced: false }),
  nodes: defineResource<Node>({ ...core, plural: 'nodes', kind: 'Node', namespaced: false }),
  persistentVolumes: defineResource<PersistentVolume>({
    ...core,
    plural: 'persistentvolumes',
    kind: 'PersistentVolume',
    namespaced: false,
  }),
  configMaps: defineResource<ConfigMap>({ ...core, plural: 'configmaps', kind: 'ConfigMap', namespaced: true }),
  events: defineResource<Event>({ ...core, plural: 'events', kind: 'Event', namespaced: true }),
  persistentVolumeClaims: defineResource<PersistentVolumeClaim>({
    ...core,
    plural: 'persistentvolumeclaims',
    kind: 'PersistentVolumeClaim',
    namespaced: true,
  }),
  pods: defineResource<Pod>({ ...core, plural: 'pods', kind: 'Pod', namespaced: true }),
  resourceQuotas: defineResource<ResourceQuota>({
    ...core,
    plural: 'resourcequotas',
    kind: 'ResourceQuota',
    namespaced: true,
  }),
  secrets: defineResource<Secret>({ ...core, plural: 'secrets', kind: 'Secret', namespaced: true }),
  serviceAccounts: defineResource<ServiceAccount>({
    ...core,
    plural: 'serviceaccounts',
    kind: 'ServiceAccount',
    namespaced: true,
  }),
  services: defineResource<Service>({ ...core, plural: 'services', kind: 'Service', namespaced: true }),
  deployments: defineResource<Deployment>({ ...apps, plural: 'deployments', kind: 'Deployment', namespaced: true }),
  replicaSets: defineResource<ReplicaSet>({ ...apps, plural: 'replicasets', kind: 'ReplicaSet', namespaced: true }),
  statefulSets: defineResource<StatefulSet>({ ...apps, plural: 'statefulsets', kind: 'StatefulSet', namespaced: true }),
  jobs: defineResource<Job>({ group: 'batch', version: 'v1', plural: 'jobs', kind: 'Job', namespaced: true }),
  leases: defineResource<Lease>({
    group: 'coordination.k8s.io',
    version: 'v1',
    plural: 'leases',
    kind: 'Lease',
    namespaced: true,
  }),
  certificateSigningRequests: defineResource<CertificateSigningRequest>({
    group: 'certificates.k8s.io',
    version: 'v1',
    plural: 'certificatesigningrequests',
    kind: 'CertificateSigningRequest',
    namespaced: false,
  }),
  customResourceDefinitions: defineResource<CustomResourceDefinition>({
    group: 'apiextensions.k8s.io',
    version: 'v1',
    plural: 'customresourcedefinitions',
    kind: 'CustomResourceDefinition',
    namespaced: false,
  }),
  storageClasses: defineResource<StorageClass>({
    group: 'storage.k8s.io',
    version: 'v1',
    plural: 'storageclasses',
    kind: 'StorageClass',
    namespaced: false,
  }),
  roles: defineResource<Role>({ ...rbac, plural: 'roles', kind: 'Role', namespaced: true }),
  roleBindings: defineResource<RoleBinding>({ ...rbac, plural: 'rolebindings', kind: 'RoleBinding', namespaced: true }),
  clusterRoles: defineResource<ClusterRole>({
    ...rbac,
    plural: 'clusterroles',
    kind: 'ClusterRole',
    namespaced: false,
  }),
  clusterRoleBindings: defineResource<ClusterRoleBinding>({
    ...rbac,
    plural: 'clusterrolebindings',
    kind: 'ClusterRoleBinding',
    namespaced: false,
  }),
} as const
