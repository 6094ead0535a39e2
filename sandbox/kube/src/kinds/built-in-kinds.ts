import type { KubeObject } from '@stowage/kube'
import type { KubeJsonObject } from '../object/json.ts'
import { kubeErrors } from '../object/kube-api-error.ts'
import type { KubeNameRule } from '../object/name-rules.ts'
import type { SandboxObject } from '../object/stored-object.ts'
import { decodeStruct } from '../types/go-types.ts'
import { certificateSigningRequestRules } from './certificates.ts'
import {
  eventRules,
  leaseRules,
  namespaceRules,
  nodeRules,
  resourceQuotaRules,
  serviceAccountRules,
} from './cluster.ts'
import { configMapRules, secretRules } from './data.ts'
import { definitionRules } from './definitions.ts'
import { ALL_VERBS, apiVersion, type KindRules, type KindSubresource, type KubeKind, STATUS_VERBS } from './kind.ts'
import { podRules } from './pods.ts'
import { clusterRoleBindingRules, clusterRoleRules, roleBindingRules, roleRules } from './roles.ts'
import { serviceRules } from './services.ts'
import { claimRules, storageClassRules, volumeRules } from './storage.ts'
import { deploymentRules, jobRules, replicaSetRules, statefulSetRules } from './workloads.ts'

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
  subresources?: KindSubresource[]
  nameRule?: KubeNameRule
  rules?: KindRules<T>
}

function builtIn<T extends KubeObject>(group: string, declare: BuiltIn<T>): KubeKind {
  const version = { group, version: 'v1' }
  const type = { apiVersion: apiVersion(version), kind: declare.kind }
  return {
    ...version,
    key: group === '' ? declare.plural : `${declare.plural}.${group}`,
    plural: declare.plural,
    singular: declare.kind.toLowerCase(),
    kind: declare.kind,
    listKind: `${declare.kind}List`,
    namespaced: declare.namespaced,
    ...(declare.shortNames ? { shortNames: declare.shortNames } : {}),
    ...(declare.categories ? { categories: declare.categories } : {}),
    verbs: declare.verbs ?? ALL_VERBS,
    subresources: declare.subresources ?? [],
    nameRule: declare.nameRule ?? 'subdomain',
    custom: false,
    // These rules only get objects of this kind.
    rules: (declare.rules ?? {}) as KindRules,
    read(body) {
      checkKind(body, type, group)
      const { object, unknown } = decodeStruct(declare.struct, body)
      return { object: { ...object, ...type }, unknown }
    },
    show: (object: SandboxObject) => object,
  }
}

/** Checks the kind in a body, which may be absent but must not differ. @throws DecodeError, ApiError */
function checkKind(body: KubeJsonObject, type: { apiVersion: string; kind: string }, group: string): void {
  const given = { apiVersion: body.apiVersion || type.apiVersion, kind: body.kind || type.kind }
  if (given.apiVersion === type.apiVersion && given.kind === type.kind) return
  const version = String(given.apiVersion)
  const known = BUILT_IN_KINDS.some((each) => apiVersion(each) === given.apiVersion && each.kind === given.kind)
  const why = known
    ? `converting (${version.split('/').at(-1)}.${given.kind}) to (${group === '' ? 'core' : group.split('.')[0]}.${type.kind}): unknown conversion`
    : `no kind ${JSON.stringify(given.kind)} is registered for version ${JSON.stringify(version)} in scheme "pkg/runtime/scheme.go:110"`
  const shown = version.split('/').at(-1) ?? ''
  throw kubeErrors.badRequest(
    `${String(given.kind)} in version ${JSON.stringify(shown)} cannot be handled as a ${type.kind}: ${why}`,
  )
}

const status = (kind: string): KindSubresource => ({ name: 'status', kind, verbs: STATUS_VERBS })
const RBAC = 'rbac.authorization.k8s.io'

export const BUILT_IN_KINDS: readonly KubeKind[] = [
  builtIn('', {
    plural: 'configmaps',
    kind: 'ConfigMap',
    struct: 'core.ConfigMap',
    namespaced: true,
    shortNames: ['cm'],
    rules: configMapRules,
  }),
  builtIn('', {
    plural: 'events',
    kind: 'Event',
    struct: 'core.Event',
    namespaced: true,
    shortNames: ['ev'],
    rules: eventRules,
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
    rules: namespaceRules,
  }),
  builtIn('', {
    plural: 'nodes',
    kind: 'Node',
    struct: 'core.Node',
    namespaced: false,
    shortNames: ['no'],
    subresources: [status('Node')],
    rules: nodeRules,
  }),
  builtIn('', {
    plural: 'persistentvolumeclaims',
    kind: 'PersistentVolumeClaim',
    struct: 'core.PersistentVolumeClaim',
    namespaced: true,
    shortNames: ['pvc'],
    subresources: [status('PersistentVolumeClaim')],
    rules: claimRules,
  }),
  builtIn('', {
    plural: 'persistentvolumes',
    kind: 'PersistentVolume',
    struct: 'core.PersistentVolume',
    namespaced: false,
    shortNames: ['pv'],
    subresources: [status('PersistentVolume')],
    rules: volumeRules,
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
    rules: podRules,
  }),
  builtIn('', {
    plural: 'resourcequotas',
    kind: 'ResourceQuota',
    struct: 'core.ResourceQuota',
    namespaced: true,
    shortNames: ['quota'],
    subresources: [status('ResourceQuota')],
    rules: resourceQuotaRules,
  }),
  builtIn('', { plural: 'secrets', kind: 'Secret', struct: 'core.Secret', namespaced: true, rules: secretRules }),
  builtIn('', {
    plural: 'serviceaccounts',
    kind: 'ServiceAccount',
    struct: 'core.ServiceAccount',
    namespaced: true,
    shortNames: ['sa'],
    subresources: [
      { name: 'token', kind: 'TokenRequest', verbs: ['create'], group: 'authentication.k8s.io', version: 'v1' },
    ],
    rules: serviceAccountRules,
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
    rules: serviceRules,
  }),
  builtIn('apiextensions.k8s.io', {
    plural: 'customresourcedefinitions',
    kind: 'CustomResourceDefinition',
    struct: 'apiextensions.CustomResourceDefinition',
    namespaced: false,
    shortNames: ['crd', 'crds'],
    categories: ['api-extensions'],
    subresources: [status('CustomResourceDefinition')],
    rules: definitionRules,
  }),
  builtIn('apps', {
    plural: 'deployments',
    kind: 'Deployment',
    struct: 'apps.Deployment',
    namespaced: true,
    shortNames: ['deploy'],
    categories: ['all'],
    subresources: [status('Deployment')],
    rules: deploymentRules,
  }),
  builtIn('apps', {
    plural: 'replicasets',
    kind: 'ReplicaSet',
    struct: 'apps.ReplicaSet',
    namespaced: true,
    shortNames: ['rs'],
    categories: ['all'],
    subresources: [status('ReplicaSet')],
    rules: replicaSetRules,
  }),
  builtIn('apps', {
    plural: 'statefulsets',
    kind: 'StatefulSet',
    struct: 'apps.StatefulSet',
    namespaced: true,
    shortNames: ['sts'],
    categories: ['all'],
    subresources: [status('StatefulSet')],
    rules: statefulSetRules,
  }),
  builtIn('batch', {
    plural: 'jobs',
    kind: 'Job',
    struct: 'batch.Job',
    namespaced: true,
    categories: ['all'],
    subresources: [status('Job')],
    rules: jobRules,
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
    rules: certificateSigningRequestRules,
  }),
  builtIn('coordination.k8s.io', {
    plural: 'leases',
    kind: 'Lease',
    struct: 'coordination.Lease',
    namespaced: true,
    rules: leaseRules,
  }),
  builtIn(RBAC, {
    plural: 'clusterrolebindings',
    kind: 'ClusterRoleBinding',
    struct: 'rbac.ClusterRoleBinding',
    namespaced: false,
    nameRule: 'path',
    rules: clusterRoleBindingRules,
  }),
  builtIn(RBAC, {
    plural: 'clusterroles',
    kind: 'ClusterRole',
    struct: 'rbac.ClusterRole',
    namespaced: false,
    nameRule: 'path',
    rules: clusterRoleRules,
  }),
  builtIn(RBAC, {
    plural: 'rolebindings',
    kind: 'RoleBinding',
    struct: 'rbac.RoleBinding',
    namespaced: true,
    nameRule: 'path',
    rules: roleBindingRules,
  }),
  builtIn(RBAC, {
    plural: 'roles',
    kind: 'Role',
    struct: 'rbac.Role',
    namespaced: true,
    nameRule: 'path',
    rules: roleRules,
  }),
  builtIn('storage.k8s.io', {
    plural: 'storageclasses',
    kind: 'StorageClass',
    struct: 'storage.StorageClass',
    namespaced: false,
    shortNames: ['sc'],
    rules: storageClassRules,
  }),
]

/** Kinds of requests that are answered and never stored. */
export interface ReviewKind extends Pick<KubeKind, 'group' | 'version' | 'plural' | 'singular' | 'kind'> {
  readonly struct: string
}

const review = (group: string, kind: string, scope: string): ReviewKind => ({
  group: `${group}.k8s.io`,
  version: 'v1',
  plural: `${kind.toLowerCase()}s`,
  singular: kind.toLowerCase(),
  kind,
  struct: `${scope}.${kind}`,
})

export const REVIEW_KINDS: readonly ReviewKind[] = [
  review('authentication', 'SelfSubjectReview', 'authentication'),
  review('authentication', 'TokenReview', 'authentication'),
  review('authorization', 'SelfSubjectAccessReview', 'authorization'),
  review('authorization', 'SelfSubjectRulesReview', 'authorization'),
  review('authorization', 'SubjectAccessReview', 'authorization'),
]
