import { parseQuantity } from '@stowage/contract/values/quantity'
import type { Lease } from 'kubernetes-types/coordination/v1'
import type { Event, Namespace, Node, ResourceQuota, ServiceAccount } from 'kubernetes-types/core/v1'
import { quoteLikeGo } from '../object/json.ts'
import { type FieldError, fieldErrors } from '../object/kube-api-error.ts'
import { qualifiedNameProblems } from '../object/name-rules.ts'
import type { KindRules } from './kind.ts'

const NAMESPACE_LABEL = 'kubernetes.io/metadata.name'

export const namespaceRules: KindRules<Namespace> = {
  defaults(namespace) {
    const { name } = namespace.metadata ?? {}
    if (name)
      namespace.metadata = { ...namespace.metadata, labels: { ...namespace.metadata?.labels, [NAMESPACE_LABEL]: name } }
  },
  prepareCreate(namespace) {
    namespace.spec = { finalizers: ['kubernetes'] }
    namespace.status = { phase: 'Active' }
  },
  prepareUpdate(next, previous) {
    if (previous.spec) next.spec = previous.spec
    if (previous.status) next.status = previous.status
  },
  prepareSubresource: {
    status(next, previous) {
      if (previous.spec) next.spec = previous.spec
    },
    finalize(next, previous) {
      if (previous.status) next.status = previous.status
    },
  },
  fields: ({ status }) => ({ 'status.phase': status?.phase ?? '' }),
}

const TAINT_EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute']
const NOT_READY = 'node.kubernetes.io/not-ready'

export const nodeRules: KindRules<Node> = {
  defaults(node) {
    node.status ??= {}
    const { capacity } = node.status
    if (capacity && !node.status.allocatable) node.status.allocatable = { ...capacity }
  },
  prepareCreate(node) {
    // A node itself reports that it is ready; until then no new pods may run on it.
    const taints = node.spec?.taints ?? []
    if (!taints.some(({ key }) => key === NOT_READY))
      node.spec = { ...node.spec, taints: [...taints, { key: NOT_READY, effect: 'NoSchedule' }] }
  },
  problems: ({ spec }) =>
    (spec?.taints ?? []).flatMap(({ key, effect }, n) => [
      ...qualifiedNameProblems(key).map((problem) => fieldErrors.invalid(`metadata.taints[${n}].key`, key, problem)),
      ...(TAINT_EFFECTS.includes(effect)
        ? []
        : [fieldErrors.notSupported(`metadata.taints[${n}].effect`, quoteLikeGo(effect), TAINT_EFFECTS)]),
    ]),
  fields: ({ spec }) => ({ 'spec.unschedulable': String(spec?.unschedulable ?? false) }),
}

const STANDARD_RESOURCES = new Set([
  ...[
    'cpu',
    'memory',
    'ephemeral-storage',
    'requests.cpu',
    'requests.memory',
    'requests.storage',
    'requests.ephemeral-storage',
  ],
  ...[
    'limits.cpu',
    'limits.memory',
    'limits.ephemeral-storage',
    'pods',
    'resourcequotas',
    'services',
    'services.nodeports',
  ],
  ...['services.loadbalancers', 'replicationcontrollers', 'secrets', 'persistentvolumeclaims', 'configmaps'],
])
/** Resources that are counted in whole numbers. */
const COUNTED = new Set([
  ...['pods', 'resourcequotas', 'services', 'services.nodeports', 'services.loadbalancers', 'replicationcontrollers'],
  ...['secrets', 'persistentvolumeclaims', 'configmaps'],
])

export const resourceQuotaRules: KindRules<ResourceQuota> = {
  returnsDeleted: true,
  prepareCreate(quota) {
    quota.status = {}
  },
  problems: ({ spec }) =>
    Object.entries(spec?.hard ?? {}).flatMap(([name, amount]) => {
      const path = `spec.hard[${name}]`
      const problems: FieldError[] = []
      if (!name.includes('/') && !STANDARD_RESOURCES.has(name)) {
        const plain = (detail: string) => ({
          reason: 'FieldValueInvalid',
          message: `Invalid value: ${name}: ${detail}`,
          field: path,
        })
        problems.push(
          plain('must be a standard resource type or fully qualified'),
          plain('must be a standard resource for quota'),
        )
      }
      const quantity = parseQuantity(amount)
      if (quantity && quantity.digits < 0n)
        problems.push(fieldErrors.invalid(path, amount, 'must be greater than or equal to 0'))
      if (
        quantity &&
        COUNTED.has(name) &&
        quantity.scale < 0 &&
        quantity.digits % 10n ** BigInt(-quantity.scale) !== 0n
      ) {
        const shown = `resource.Quantity{i:resource.int64Amount{value:${quantity.digits}, scale:${quantity.scale}}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:${quoteLikeGo(amount)}, Format:"${quantity.format}"}`
        problems.push({
          reason: 'FieldValueInvalid',
          message: `Invalid value: ${shown}: must be an integer`,
          field: path,
        })
      }
      return problems
    }),
}

export const serviceAccountRules: KindRules<ServiceAccount> = {
  returnsDeleted: true,
  prepareUpdate(next, previous) {
    if (previous.secrets && !next.secrets) next.secrets = previous.secrets
  },
}

export const eventRules: KindRules<Event> = {
  problems(event) {
    const about = event.involvedObject?.namespace ?? ''
    // Events about cluster-scoped objects are in the default namespace.
    if (about === '' || about === event.metadata?.namespace) return []
    return [fieldErrors.invalid('involvedObject.namespace', about, 'does not match event.namespace')]
  },
  fields: (event) => ({
    'involvedObject.kind': event.involvedObject?.kind ?? '',
    'involvedObject.namespace': event.involvedObject?.namespace ?? '',
    'involvedObject.name': event.involvedObject?.name ?? '',
    'involvedObject.uid': event.involvedObject?.uid ?? '',
    'involvedObject.apiVersion': event.involvedObject?.apiVersion ?? '',
    'involvedObject.resourceVersion': event.involvedObject?.resourceVersion ?? '',
    'involvedObject.fieldPath': event.involvedObject?.fieldPath ?? '',
    reason: event.reason ?? '',
    reportingComponent: event.reportingComponent ?? '',
    source: event.source?.component ?? '',
    type: event.type ?? '',
  }),
}

export const leaseRules: KindRules<Lease> = { versionRequired: true }
