import { isDeepStrictEqual } from 'node:util'
import type { Pod, PodSpec } from 'kubernetes-types/core/v1'
import { fieldErrors } from '../object/kube-api-error.ts'
import type { KindRules } from './kind.ts'
import { defaultPodSpec, podSpecProblems } from './pod-spec.ts'

export const podRules: KindRules<Pod> = {
  counted: true,
  returnsDeleted: true,
  defaults(pod) {
    pod.spec ??= { containers: [] }
    defaultPodSpec(pod.spec)
    pod.spec.enableServiceLinks ??= true
    for (const container of [...(pod.spec.initContainers ?? []), ...(pod.spec.containers ?? [])]) {
      const { limits, requests } = container.resources ?? {}
      // Limits are also the default of requests.
      if (limits) container.resources = { ...container.resources, requests: { ...limits, ...requests } }
    }
  },
  prepareCreate(pod) {
    pod.status = { phase: 'Pending', qosClass: qualityOfServiceClass(pod.spec) }
  },
  prepareUpdate(next, previous) {
    if (previous.status) next.status = previous.status
    else delete next.status
  },
  problems: ({ spec }) => podSpecProblems(spec ?? { containers: [] }, 'spec'),
  updateProblems(next, previous) {
    if (isDeepStrictEqual(fixedPart(next.spec), fixedPart(previous.spec))) return []
    const may =
      'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)'
    return [fieldErrors.forbidden('spec', may)]
  },
  prepareSubresource: {
    status(next, previous) {
      if (previous.spec) next.spec = previous.spec
      const quality = previous.status?.qosClass
      next.status = { ...next.status, ...(quality === undefined ? {} : { qosClass: quality }) }
    },
  },
  fields: ({ spec, status }) => ({
    'spec.nodeName': spec?.nodeName ?? '',
    'spec.restartPolicy': spec?.restartPolicy ?? '',
    'spec.schedulerName': spec?.schedulerName ?? '',
    'spec.serviceAccountName': spec?.serviceAccountName ?? '',
    'spec.hostNetwork': String(spec?.hostNetwork ?? false),
    'status.phase': status?.phase ?? '',
    'status.podIP': status?.podIP ?? '',
    'status.nominatedNodeName': status?.nominatedNodeName ?? '',
  }),
  graceSeconds({ spec, status }) {
    // Nothing runs if the pod has no node or has ended.
    if (!spec?.nodeName || status?.phase === 'Succeeded' || status?.phase === 'Failed') return 0
    return spec.terminationGracePeriodSeconds ?? 30
  },
}

/** Returns the specification without the fields that may change. */
function fixedPart(spec: PodSpec | undefined): unknown {
  const images = (list: PodSpec['containers'] | undefined) => list?.map(({ image: _, ...rest }) => rest)
  const { activeDeadlineSeconds: _, tolerations: __, ...rest } = spec ?? { containers: [] }
  return { ...rest, containers: images(spec?.containers), initContainers: images(spec?.initContainers) }
}

/** Returns the quality-of-service class of a pod. */
function qualityOfServiceClass(spec: PodSpec | undefined): string {
  const all = [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])].map(({ resources }) => resources ?? {})
  const given = all.flatMap(({ limits = {}, requests = {} }) => [...Object.keys(limits), ...Object.keys(requests)])
  if (!given.some((name) => name === 'cpu' || name === 'memory')) return 'BestEffort'
  const guaranteed = all.every(({ limits = {}, requests = {} }) =>
    ['cpu', 'memory'].every((name) => limits[name] !== undefined && requests[name] === limits[name]),
  )
  return guaranteed ? 'Guaranteed' : 'Burstable'
}
