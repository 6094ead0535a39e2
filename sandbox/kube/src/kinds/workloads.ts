import { isDeepStrictEqual } from 'node:util'
import type { Deployment, ReplicaSet, StatefulSet, StatefulSetSpec } from 'kubernetes-types/apps/v1'
import type { Job } from 'kubernetes-types/batch/v1'
import type { PodTemplateSpec } from 'kubernetes-types/core/v1'
import type { LabelSelector } from 'kubernetes-types/meta/v1'
import { type FieldError, fieldErrors } from '../object/kube-api-error.ts'
import { parseStoredSelector, type StoredSelector } from '../object/selectors.ts'
import type { KindRules } from './kind.ts'
import { defaultTemplate, podSpecProblems } from './pod-spec.ts'
import { defaultClaim } from './storage.ts'

export const statefulSetRules: KindRules<StatefulSet> = {
  counted: true,
  defaults(set) {
    set.spec ??= emptySpec()
    const { spec } = set
    spec.podManagementPolicy ||= 'OrderedReady'
    spec.updateStrategy ??= {}
    spec.updateStrategy.type ??= 'RollingUpdate'
    if (spec.updateStrategy.type === 'RollingUpdate') {
      spec.updateStrategy.rollingUpdate ??= {}
      spec.updateStrategy.rollingUpdate.partition ??= 0
    }
    const kept = spec as StatefulSetSpec & { persistentVolumeClaimRetentionPolicy?: Record<string, string> }
    kept.persistentVolumeClaimRetentionPolicy ??= {}
    kept.persistentVolumeClaimRetentionPolicy.whenDeleted ??= 'Retain'
    kept.persistentVolumeClaimRetentionPolicy.whenScaled ??= 'Retain'
    spec.replicas ??= 1
    spec.revisionHistoryLimit ??= 10
    defaultTemplate(spec.template)
    for (const claim of spec.volumeClaimTemplates ?? []) {
      defaultClaim(claim)
      claim.apiVersion = 'v1'
      claim.kind = 'PersistentVolumeClaim'
    }
  },
  prepareCreate(set) {
    set.status = {} as NonNullable<StatefulSet['status']>
  },
  problems: ({ spec }) =>
    workloadProblems(
      spec ?? emptySpec(),
      (spec?.volumeClaimTemplates ?? []).map(({ metadata }) => metadata?.name ?? ''),
    ),
  updateProblems(next, previous) {
    const fixed = ({ spec }: StatefulSet) => {
      const {
        replicas: _,
        template: __,
        updateStrategy: ___,
        revisionHistoryLimit: ____,
        minReadySeconds: _____,
        ...rest
      } = spec ?? emptySpec()
      const {
        ordinals: ______,
        persistentVolumeClaimRetentionPolicy: _______,
        ...others
      } = rest as typeof rest & Record<string, unknown>
      return others
    }
    if (isDeepStrictEqual(fixed(next), fixed(previous))) return []
    const detail =
      "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden"
    return [fieldErrors.forbidden('spec', detail)]
  },
}

function emptySpec(): StatefulSetSpec {
  return { selector: {}, serviceName: '', template: {} }
}

interface Workload {
  selector?: LabelSelector
  template: PodTemplateSpec
  replicas?: number
}

function workloadProblems(spec: Workload, claimed: readonly string[] = []): FieldError[] {
  const problems: FieldError[] = []
  if ((spec.replicas ?? 0) < 0)
    problems.push(fieldErrors.invalid('spec.replicas', spec.replicas, 'must be greater than or equal to 0'))
  const selector = (spec.selector ?? {}) as StoredSelector
  const empty = !Object.keys(selector.matchLabels ?? {}).length && !selector.matchExpressions?.length
  if (!spec.selector) problems.push(fieldErrors.required('spec.selector'))
  else if (empty) problems.push(fieldErrors.invalid('spec.selector', {}, 'empty selector is invalid for statefulset'))
  if (empty || !parseStoredSelector(selector)(spec.template.metadata?.labels ?? {}))
    problems.push(
      fieldErrors.invalid(
        'spec.template.metadata.labels',
        spec.template.metadata?.labels ?? {},
        '`selector` does not match template `labels`',
      ),
    )
  return [...problems, ...podSpecProblems(spec.template.spec ?? { containers: [] }, 'spec.template.spec', claimed)]
}

export const deploymentRules: KindRules<Deployment> = {
  counted: true,
  defaults(deployment) {
    deployment.spec ??= { selector: {}, template: {} }
    const { spec } = deployment
    spec.replicas ??= 1
    spec.revisionHistoryLimit ??= 10
    spec.progressDeadlineSeconds ??= 600
    spec.strategy ??= {}
    spec.strategy.type ??= 'RollingUpdate'
    if (spec.strategy.type === 'RollingUpdate') {
      spec.strategy.rollingUpdate ??= {}
      spec.strategy.rollingUpdate.maxUnavailable ??= '25%'
      spec.strategy.rollingUpdate.maxSurge ??= '25%'
    }
    defaultTemplate(spec.template)
  },
  prepareCreate(deployment) {
    deployment.status = {}
  },
  problems: ({ spec }) => workloadProblems(spec ?? { selector: {}, template: {} }),
  updateProblems: selectorProblems,
}

export const replicaSetRules: KindRules<ReplicaSet> = {
  counted: true,
  defaults(set) {
    set.spec ??= { selector: {} }
    const { spec } = set
    spec.replicas ??= 1
    spec.template ??= {}
    defaultTemplate(spec.template)
  },
  prepareCreate(set) {
    set.status = { replicas: 0 }
  },
  problems: ({ spec }) => workloadProblems({ template: {}, ...spec }),
  updateProblems: selectorProblems,
}

function selectorProblems(next: Deployment | ReplicaSet, previous: Deployment | ReplicaSet): FieldError[] {
  if (isDeepStrictEqual(next.spec?.selector, previous.spec?.selector)) return []
  return [fieldErrors.invalid('spec.selector', {}, 'field is immutable')]
}

export const JOB_LABELS = { uid: 'batch.kubernetes.io/controller-uid', name: 'batch.kubernetes.io/job-name' }

export const jobRules: KindRules<Job> = {
  counted: true,
  defaults(job) {
    job.spec ??= { template: {} }
    const spec = job.spec as NonNullable<Job['spec']> & {
      manualSelector?: boolean
      podReplacementPolicy?: string
    }
    if (spec.completions === undefined && spec.parallelism === undefined) spec.completions = 1
    spec.parallelism ??= 1
    spec.backoffLimit ??= 6
    spec.completionMode ??= 'NonIndexed'
    spec.suspend ??= false
    spec.manualSelector ??= false
    spec.podReplacementPolicy ??= 'TerminatingOrFailed'
    defaultTemplate(spec.template)
  },
  prepareCreate(job) {
    job.status = {}
    const { name = '', uid = '' } = job.metadata ?? {}
    if (!job.spec) return
    job.spec.selector = { matchLabels: { [JOB_LABELS.uid]: uid } }
    const { template } = job.spec
    const labels = { [JOB_LABELS.uid]: uid, [JOB_LABELS.name]: name, 'controller-uid': uid, 'job-name': name }
    template.metadata = { ...template.metadata, labels: { ...template.metadata?.labels, ...labels } }
  },
  problems({ spec }) {
    const policy = spec?.template.spec?.restartPolicy
    if (policy !== 'OnFailure' && policy !== 'Never')
      return [fieldErrors.required('spec.template.spec.restartPolicy', 'valid values: "OnFailure", "Never"')]
    return podSpecProblems(spec?.template.spec ?? { containers: [] }, 'spec.template.spec')
  },
}
