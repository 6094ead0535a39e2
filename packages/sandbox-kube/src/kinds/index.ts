import type { KubeObject } from '@stowage/kube'
import { fail } from '../errors.ts'
import type { JsonObject } from '../json.ts'
import type { StoredObject } from '../object.ts'
import { decode } from '../types/go-types.ts'
import type { NameRule } from '../validation/labels.ts'
import { certificateSigningRequests } from './certificates.ts'
import { events, leases, namespaces, nodes, quotas, serviceAccounts } from './cluster.ts'
import { configMaps, secrets } from './data.ts'
import { customResourceDefinitions } from './definitions.ts'
import { ALL_VERBS, apiVersion, type Kind, type Rules, STATUS_VERBS, type Subresource } from './kind.ts'
import { pods } from './pods.ts'
import { clusterRoleBindings, clusterRoles, roleBindings, roles } from './rbac.ts'
import { services } from './services.ts'
import { claims, storageClasses, volumes } from './storage.ts'
import { deployments, jobs, replicaSets, statefulSets } from './workloads.ts'

interface BuiltIn<T extends KubeObject> {
  plural: string
  kind: string
  /** Name in go-types.json, with its package. */
  struct: string
  namespaced: boolean
  shortNames?: string[]
  categories?: string[]
  verbs?: string[]
  /** In addition to the plain `status`. */
  subresources?: Subresource[]
  nameRule?: NameRule
  rules?: Rules<T>
}

function builtIn<T extends KubeObject>(group: string, of: BuiltIn<T>): Kind {
  const version = { group, version: 'v1' }
  const type = { apiVersion: apiVersion(version), kind: of.kind }
  return {
    ...version,
    key: group === '' ? of.plural : `${of.plural}.${group}`,
    plural: of.plural,
    singular: of.kind.toLowerCase(),
    kind: of.kind,
    listKind: `${of.kind}List`,
    namespaced: of.namespaced,
    ...(of.shortNames ? { shortNames: of.shortNames } : {}),
    ...(of.categories ? { categories: of.categories } : {}),
    verbs: of.verbs ?? ALL_VERBS,
    subresources: of.subresources ?? [],
    nameRule: of.nameRule ?? 'subdomain',
    custom: false,
    // These rules only get objects of this kind.
    rules: (of.rules ?? {}) as Rules,
    read(body) {
      checkKind(body, type, group)
      const { object, unknown } = decode(of.struct, body)
      return { object: { ...object, ...type }, unknown }
    },
    show: (object: StoredObject) => object,
  }
}

/** Checks the kind in a body, which may be absent but must not differ. @throws DecodeError, ApiError */
function checkKind(body: JsonObject, type: { apiVersion: string; kind: string }, group: string): void {
  const given = { apiVersion: body.apiVersion || type.apiVersion, kind: body.kind || type.kind }
  if (given.apiVersion === type.apiVersion && given.kind === type.kind) return
  const version = String(given.apiVersion)
  const known = BUILT_IN.some((each) => apiVersion(each) === given.apiVersion && each.kind === given.kind)
  const why = known
    ? `converting (${version.split('/').at(-1)}.${given.kind}) to (${group === '' ? 'core' : group.split('.')[0]}.${type.kind}): unknown conversion`
    : `no kind ${JSON.stringify(given.kind)} is registered for version ${JSON.stringify(version)} in scheme "pkg/runtime/scheme.go:110"`
  const shown = version.split('/').at(-1) ?? ''
  throw fail.badRequest(
    `${String(given.kind)} in version ${JSON.stringify(shown)} cannot be handled as a ${type.kind}: ${why}`,
  )
}

const status = (kind: string): Subresource => ({ name: 'status', kind, verbs: STATUS_VERBS })
const RBAC = 'rbac.authorization.k8s.io'

export const BUILT_IN: readonly Kind[] = [
  builtIn('', {
    plural: 'configmaps',
    kind: 'ConfigMap',
    struct: 'core.ConfigMap',
    namespaced: true,
    shortNames: ['cm'],
    rules: configMaps,
  }),
  builtIn('', {
    plural: 'events',
    kind: 'Event',
    struct: 'core.Event',
    namespaced: true,
    shortNames: ['ev'],
    rules: events,
  }),
  builtIn('', {
    plural: 'namespaces',
    kind: 'Namespace',
    struct: 'core.Namespace',
    namespaced: false,
    shortNames: ['ns'],
    verbs: ALL_VERBS.filter((verb) => verb !== 'deletecollection'),
    subresources: [{ name: 'finalize', kind: 'Namespace', verbs: ['update'] }, status('Namespace')],
    nameRule: 'label',
    rules: namespaces,
  }),
  builtIn('', {
    plural: 'nodes',
    kind: 'Node',
    struct: 'core.Node',
    namespaced: false,
    shortNames: ['no'],
    subresources: [status('Node')],
    rules: nodes,
  }),
  builtIn('', {
    plural: 'persistentvolumeclaims',
    kind: 'PersistentVolumeClaim',
    struct: 'core.PersistentVolumeClaim',
    namespaced: true,
    shortNames: ['pvc'],
    subresources: [status('PersistentVolumeClaim')],
    rules: claims,
  }),
  builtIn('', {
    plural: 'persistentvolumes',
    kind: 'PersistentVolume',
    struct: 'core.PersistentVolume',
    namespaced: false,
    shortNames: ['pv'],
    subresources: [status('PersistentVolume')],
    rules: volumes,
  }),
  builtIn('', {
    plural: 'pods',
    kind: 'Pod',
    struct: 'core.Pod',
    namespaced: true,
    shortNames: ['po'],
    categories: ['all'],
    subresources: [
      { name: 'binding', kind: 'Binding', verbs: ['create'] },
      { name: 'log', kind: 'Pod', verbs: ['get'] },
      status('Pod'),
    ],
    rules: pods,
  }),
  builtIn('', {
    plural: 'resourcequotas',
    kind: 'ResourceQuota',
    struct: 'core.ResourceQuota',
    namespaced: true,
    shortNames: ['quota'],
    subresources: [status('ResourceQuota')],
    rules: quotas,
  }),
  builtIn('', { plural: 'secrets', kind: 'Secret', struct: 'core.Secret', namespaced: true, rules: secrets }),
  builtIn('', {
    plural: 'serviceaccounts',
    kind: 'ServiceAccount',
    struct: 'core.ServiceAccount',
    namespaced: true,
    shortNames: ['sa'],
    subresources: [
      { name: 'token', kind: 'TokenRequest', verbs: ['create'], group: 'authentication.k8s.io', version: 'v1' },
    ],
    rules: serviceAccounts,
  }),
  builtIn('', {
    plural: 'services',
    kind: 'Service',
    struct: 'core.Service',
    namespaced: true,
    shortNames: ['svc'],
    categories: ['all'],
    subresources: [status('Service')],
    nameRule: 'service',
    rules: services,
  }),
  builtIn('apiextensions.k8s.io', {
    plural: 'customresourcedefinitions',
    kind: 'CustomResourceDefinition',
    struct: 'apiextensions.CustomResourceDefinition',
    namespaced: false,
    shortNames: ['crd', 'crds'],
    categories: ['api-extensions'],
    subresources: [status('CustomResourceDefinition')],
    rules: customResourceDefinitions,
  }),
  builtIn('apps', {
    plural: 'deployments',
    kind: 'Deployment',
    struct: 'apps.Deployment',
    namespaced: true,
    shortNames: ['deploy'],
    categories: ['all'],
    subresources: [status('Deployment')],
    rules: deployments,
  }),
  builtIn('apps', {
    plural: 'replicasets',
    kind: 'ReplicaSet',
    struct: 'apps.ReplicaSet',
    namespaced: true,
    shortNames: ['rs'],
    categories: ['all'],
    subresources: [status('ReplicaSet')],
    rules: replicaSets,
  }),
  builtIn('apps', {
    plural: 'statefulsets',
    kind: 'StatefulSet',
    struct: 'apps.StatefulSet',
    namespaced: true,
    shortNames: ['sts'],
    categories: ['all'],
    subresources: [status('StatefulSet')],
    rules: statefulSets,
  }),
  builtIn('batch', {
    plural: 'jobs',
    kind: 'Job',
    struct: 'batch.Job',
    namespaced: true,
    categories: ['all'],
    subresources: [status('Job')],
    rules: jobs,
  }),
  builtIn('certificates.k8s.io', {
    plural: 'certificatesigningrequests',
    kind: 'CertificateSigningRequest',
    struct: 'certificates.CertificateSigningRequest',
    namespaced: false,
    shortNames: ['csr'],
    subresources: [
      { name: 'approval', kind: 'CertificateSigningRequest', verbs: STATUS_VERBS },
      status('CertificateSigningRequest'),
    ],
    nameRule: 'path',
    rules: certificateSigningRequests,
  }),
  builtIn('coordination.k8s.io', {
    plural: 'leases',
    kind: 'Lease',
    struct: 'coordination.Lease',
    namespaced: true,
    rules: leases,
  }),
  builtIn(RBAC, {
    plural: 'clusterrolebindings',
    kind: 'ClusterRoleBinding',
    struct: 'rbac.ClusterRoleBinding',
    namespaced: false,
    nameRule: 'path',
    rules: clusterRoleBindings,
  }),
  builtIn(RBAC, {
    plural: 'clusterroles',
    kind: 'ClusterRole',
    struct: 'rbac.ClusterRole',
    namespaced: false,
    nameRule: 'path',
    rules: clusterRoles,
  }),
  builtIn(RBAC, {
    plural: 'rolebindings',
    kind: 'RoleBinding',
    struct: 'rbac.RoleBinding',
    namespaced: true,
    nameRule: 'path',
    rules: roleBindings,
  }),
  builtIn(RBAC, {
    plural: 'roles',
    kind: 'Role',
    struct: 'rbac.Role',
    namespaced: true,
    nameRule: 'path',
    rules: roles,
  }),
  builtIn('storage.k8s.io', {
    plural: 'storageclasses',
    kind: 'StorageClass',
    struct: 'storage.StorageClass',
    namespaced: false,
    shortNames: ['sc'],
    rules: storageClasses,
  }),
]

/** Kinds of requests that are answered and never stored. */
export interface Review extends Pick<Kind, 'group' | 'version' | 'plural' | 'singular' | 'kind'> {
  readonly struct: string
}

const review = (group: string, kind: string, scope: string): Review => ({
  group: `${group}.k8s.io`,
  version: 'v1',
  plural: `${kind.toLowerCase()}s`,
  singular: kind.toLowerCase(),
  kind,
  struct: `${scope}.${kind}`,
})

export const REVIEWS: readonly Review[] = [
  review('authentication', 'SelfSubjectReview', 'authentication'),
  review('authentication', 'TokenReview', 'authentication'),
  review('authorization', 'SelfSubjectAccessReview', 'authorization'),
  review('authorization', 'SelfSubjectRulesReview', 'authorization'),
  review('authorization', 'SubjectAccessReview', 'authorization'),
]
