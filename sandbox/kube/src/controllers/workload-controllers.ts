import { createHash } from 'node:crypto'
import type { Deployment, ReplicaSet, StatefulSetSpec } from 'kubernetes-types/apps/v1'
import type { Job } from 'kubernetes-types/batch/v1'
import type { PersistentVolumeClaim, Pod, PodTemplateSpec } from 'kubernetes-types/core/v1'
import { controllerReference, type SandboxObject } from '../object/stored-object.ts'
import {
  type Controller,
  type ControllerContext,
  createAsController,
  deleteAsController,
  joinTaskName,
  kubeTime,
  ownerReferenceTo,
  putAsController,
  setStatusAsController,
  splitTaskName,
} from './controller.ts'

const SETS = 'statefulsets.apps'
const REPLICA_SETS = 'replicasets.apps'
const DEPLOYMENTS = 'deployments.apps'
const JOBS = 'jobs.batch'
const REVISION = 'controller-revision-hash'
const TEMPLATE_HASH = 'pod-template-hash'

export function workloadControllers(context: ControllerContext): Controller[] {
  return [
    workloadController(context, 'stateful sets', SETS, 'StatefulSet', 'pods', (set) =>
      reconcileStatefulSet(context, set),
    ),
    workloadController(context, 'replica sets', REPLICA_SETS, 'ReplicaSet', 'pods', (set) =>
      reconcileReplicaSet(context, set),
    ),
    workloadController(context, 'deployments', DEPLOYMENTS, 'Deployment', REPLICA_SETS, (each) =>
      reconcileDeployment(context, each),
    ),
    workloadController(context, 'jobs', JOBS, 'Job', 'pods', (job) => reconcileJob(context, job)),
  ]
}

/** Creates a controller of one kind, which also follows the objects that it creates. */
function workloadController(
  { store }: ControllerContext,
  name: string,
  key: string,
  kind: string,
  made: string,
  reconcile: (object: SandboxObject) => void,
): Controller {
  return {
    name,
    all: () => store.list(key).map(({ metadata }) => joinTaskName(metadata.namespace, metadata.name)),
    affected({ kind: changed, object }) {
      const { namespace } = object.metadata
      if (changed === key) return [joinTaskName(namespace, object.metadata.name)]
      const owner = changed === made ? controllerReference(object) : undefined
      return owner?.kind === kind ? [joinTaskName(namespace, owner.name)] : []
    },
    reconcile(joined) {
      const { namespace, name } = splitTaskName(joined)
      const object = store.get(key, namespace, name)
      if (object && !object.metadata.deletionTimestamp) reconcile(object)
    },
  }
}

function ownedObjects({ store }: ControllerContext, key: string, owner: SandboxObject): SandboxObject[] {
  return store
    .list(key, owner.metadata.namespace)
    .filter((object) => controllerReference(object)?.uid === owner.metadata.uid)
}

function isReady({ status }: Pod): boolean {
  return (
    status?.phase === 'Running' &&
    !!status.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True')
  )
}

const isBeingDeleted = (object: SandboxObject) => object.metadata.deletionTimestamp !== undefined

/** Returns a short hash, the same for equal templates. */
function templateHash(template: unknown): string {
  return createHash('sha256').update(JSON.stringify(template)).digest('hex').slice(0, 10)
}

interface SetStatus {
  currentRevision?: string
  observedGeneration?: number
}

function reconcileStatefulSet(context: ControllerContext, object: SandboxObject): void {
  const { spec, status } = object as unknown as { spec: StatefulSetSpec; status?: SetStatus }
  const { name } = object.metadata
  const replicas = spec.replicas ?? 1
  const revision = `${name}-${templateHash(spec.template)}`
  const pods = new Map(
    ownedObjects(context, 'pods', object).map(
      (pod) => [Number(pod.metadata.name.slice(name.length + 1)), pod] as const,
    ),
  )
  const ordered = spec.podManagementPolicy !== 'Parallel'
  const isOld = (pod: SandboxObject) => pod.metadata.labels?.[REVISION] !== revision

  // First create missing pods, starting with the first.
  let waiting = false
  for (let n = 0; n < replicas && !(ordered && waiting); n++) {
    const pod = pods.get(n)
    if (!pod) pods.set(n, createMember(context, object, spec, n, revision))
    else if ((pod as Pod).status?.phase === 'Failed' && !isBeingDeleted(pod)) deleteAsController(context, 'pods', pod)
    const is = pods.get(n)
    waiting ||= !is || isBeingDeleted(is) || !isReady(is as Pod)
  }
  // Then delete surplus pods, starting with the last.
  const extra = [...pods].filter(([n]) => n >= replicas).sort(([a], [b]) => b - a)
  for (const [, pod] of ordered ? extra.slice(0, 1) : extra)
    if (!isBeingDeleted(pod)) deleteAsController(context, 'pods', pod)
  // Then replace pods of an older template, starting with the last, one at a time.
  if (spec.updateStrategy?.type !== 'OnDelete' && extra.length === 0) {
    const first = spec.updateStrategy?.rollingUpdate?.partition ?? 0
    for (let n = replicas - 1; n >= first; n--) {
      const pod = pods.get(n)
      if (!pod || isBeingDeleted(pod)) break
      if (isOld(pod)) {
        deleteAsController(context, 'pods', pod)
        break
      }
      if (!isReady(pod as Pod)) break
    }
  }

  const current = context.store.get(SETS, object.metadata.namespace, name)
  if (!current || current.metadata.uid !== object.metadata.uid) return
  const members = ownedObjects(context, 'pods', object)
  const ready = members.filter((pod) => isReady(pod as Pod) && !isBeingDeleted(pod)).length
  const updated = members.filter((pod) => !isOld(pod) && !isBeingDeleted(pod)).length
  const isDone = updated === replicas && ready === replicas
  const currentRevision = isDone || status?.currentRevision === undefined ? revision : status.currentRevision
  const ofCurrent = members.filter(
    (pod) => pod.metadata.labels?.[REVISION] === currentRevision && !isBeingDeleted(pod),
  ).length
  setStatusAsController(context, SETS, current, {
    observedGeneration: object.metadata.generation,
    replicas: members.length,
    ...(ready > 0 ? { readyReplicas: ready } : {}),
    ...(ofCurrent > 0 ? { currentReplicas: ofCurrent } : {}),
    ...(updated > 0 ? { updatedReplicas: updated } : {}),
    currentRevision,
    updateRevision: revision,
    collisionCount: 0,
    availableReplicas: ready,
  })
}

/** Creates the missing claims of one member, and its pod. */
function createMember(
  context: ControllerContext,
  set: SandboxObject,
  spec: StatefulSetSpec,
  n: number,
  revision: string,
): SandboxObject {
  const { name, namespace = '' } = set.metadata
  const podName = `${name}-${n}`
  const claims = (spec.volumeClaimTemplates ?? []).map((template) => {
    const volume = template.metadata?.name ?? ''
    return { volume, claimName: `${volume}-${podName}`, template }
  })
  for (const { claimName, template } of claims) {
    if (context.store.get('persistentvolumeclaims', namespace, claimName)) continue
    const labels = { ...template.metadata?.labels, ...spec.selector.matchLabels }
    const { annotations } = template.metadata ?? {}
    const claim: PersistentVolumeClaim = {
      metadata: { name: claimName, labels, ...(annotations ? { annotations } : {}) },
      ...(template.spec ? { spec: template.spec } : {}),
    }
    createAsController(context, 'persistentvolumeclaims', namespace, claim)
  }
  const volumes = claims.map(({ volume, claimName }) => ({ name: volume, persistentVolumeClaim: { claimName } }))
  const own = new Set(volumes.map((volume) => volume.name))
  const others = (spec.template.spec?.volumes ?? []).filter((volume) => !own.has(volume.name))
  const labels = {
    [REVISION]: revision,
    'statefulset.kubernetes.io/pod-name': podName,
    'apps.kubernetes.io/pod-index': String(n),
  }
  return createPod(context, set, spec.template, { name: podName, generateName: `${name}-` }, labels, {
    hostname: podName,
    subdomain: spec.serviceName,
    volumes: [...volumes, ...others],
  })
}

function createPod(
  context: ControllerContext,
  owner: SandboxObject,
  { metadata = {}, spec }: PodTemplateSpec,
  name: { name?: string; generateName: string },
  labels: Record<string, string>,
  extra: object = {},
): SandboxObject {
  return createAsController(context, 'pods', owner.metadata.namespace, {
    metadata: {
      ...name,
      labels: { ...metadata.labels, ...labels },
      ...(metadata.annotations ? { annotations: metadata.annotations } : {}),
      ownerReferences: [ownerReferenceTo(owner)],
    },
    spec: { ...spec, ...extra },
  })
}

function reconcileReplicaSet(context: ControllerContext, object: SandboxObject): void {
  const { spec } = object as ReplicaSet
  const replicas = spec?.replicas ?? 1
  const pods = ownedObjects(context, 'pods', object).filter(
    (pod) => !isBeingDeleted(pod) && (pod as Pod).status?.phase !== 'Failed',
  )
  for (let n = pods.length; n < replicas; n++)
    createPod(context, object, spec?.template ?? {}, { generateName: `${object.metadata.name}-` }, {})
  // Delete pods that are not ready first.
  const spare = [...pods].sort((a, b) => Number(isReady(a as Pod)) - Number(isReady(b as Pod)))
  for (const pod of spare.slice(0, Math.max(0, pods.length - replicas))) deleteAsController(context, 'pods', pod)
  const left = ownedObjects(context, 'pods', object).filter((pod) => !isBeingDeleted(pod))
  const ready = left.filter((pod) => isReady(pod as Pod)).length
  setStatusAsController(
    context,
    REPLICA_SETS,
    context.store.get(REPLICA_SETS, object.metadata.namespace, object.metadata.name) ?? object,
    {
      replicas: left.length,
      ...(left.length > 0 ? { fullyLabeledReplicas: left.length } : {}),
      ...(ready > 0 ? { readyReplicas: ready, availableReplicas: ready } : {}),
      observedGeneration: object.metadata.generation,
    },
  )
}

function reconcileDeployment(context: ControllerContext, object: SandboxObject): void {
  const { spec } = object as Deployment
  if (!spec) return
  const { name, namespace } = object.metadata
  const replicas = spec.replicas ?? 1
  const hash = templateHash(spec.template)
  const sets = ownedObjects(context, REPLICA_SETS, object)
  let own = sets.find(({ metadata }) => metadata.labels?.[TEMPLATE_HASH] === hash)
  if (!own) {
    const labels = { ...spec.template.metadata?.labels, [TEMPLATE_HASH]: hash }
    own = createAsController(context, REPLICA_SETS, namespace, {
      metadata: { name: `${name}-${hash}`, labels, ownerReferences: [ownerReferenceTo(object)] },
      spec: {
        replicas,
        selector: { matchLabels: { ...spec.selector.matchLabels, [TEMPLATE_HASH]: hash } },
        template: { ...spec.template, metadata: { ...spec.template.metadata, labels } },
      },
    })
  }
  const scale = (set: SandboxObject, to: number) => {
    if ((set as ReplicaSet).spec?.replicas === to) return
    const generation = (set.metadata.generation ?? 0) + 1
    putAsController(context, REPLICA_SETS, {
      ...set,
      metadata: { ...set.metadata, generation },
      spec: { ...(set.spec as object), replicas: to },
    })
  }
  scale(own, replicas)
  const countReady = (set: SandboxObject) => (set as ReplicaSet).status?.readyReplicas ?? 0
  // Keep the older sets until the new one has all its pods ready.
  if (countReady(own) >= replicas) for (const set of sets) if (set.metadata.uid !== own.metadata.uid) scale(set, 0)
  const all = ownedObjects(context, REPLICA_SETS, object)
  const total = all.reduce((sum, set) => sum + ((set as ReplicaSet).status?.replicas ?? 0), 0)
  const ready = all.reduce((sum, set) => sum + countReady(set), 0)
  const updated =
    (all.find(({ metadata }) => metadata.uid === own.metadata.uid) as ReplicaSet | undefined)?.status?.replicas ?? 0
  const current = context.store.get(DEPLOYMENTS, namespace, name)
  if (!current) return
  const isAvailable = ready >= replicas
  const before = (current as Deployment).status?.conditions?.find(({ type }) => type === 'Available')
  const status = isAvailable ? 'True' : 'False'
  const time = before?.status === status ? before.lastTransitionTime : kubeTime(context.now())
  const condition = {
    type: 'Available',
    status,
    reason: isAvailable ? 'MinimumReplicasAvailable' : 'MinimumReplicasUnavailable',
    message: isAvailable ? 'Deployment has minimum availability.' : 'Deployment does not have minimum availability.',
    lastUpdateTime: time,
    lastTransitionTime: time,
  }
  setStatusAsController(context, DEPLOYMENTS, current, {
    observedGeneration: object.metadata.generation,
    ...(total > 0 ? { replicas: total } : {}),
    ...(updated > 0 ? { updatedReplicas: updated } : {}),
    ...(ready > 0 ? { readyReplicas: ready, availableReplicas: ready } : {}),
    ...(replicas > ready ? { unavailableReplicas: replicas - ready } : {}),
    conditions: [condition],
  })
}

function reconcileJob(context: ControllerContext, object: SandboxObject): void {
  const { spec, status } = object as Job
  if (
    !spec ||
    status?.conditions?.some(({ type, status }) => (type === 'Complete' || type === 'Failed') && status === 'True')
  )
    return
  const pods = ownedObjects(context, 'pods', object)
  const inPhase = (phase: string) => pods.filter((pod) => (pod as Pod).status?.phase === phase).length
  const [succeeded, failed] = [inPhase('Succeeded'), inPhase('Failed')]
  const time = kubeTime(context.now())
  const wanted = spec.completions ?? 1
  const isComplete = succeeded >= wanted
  const isFailed = failed > (spec.backoffLimit ?? 6)
  let active = pods.length - succeeded - failed
  if (!isComplete && !isFailed)
    for (; active < Math.min(spec.parallelism ?? 1, wanted - succeeded); active++)
      createPod(context, object, spec.template, { generateName: `${object.metadata.name}-` }, {})
  const condition = (type: string, reason: string) => ({
    type,
    status: 'True',
    lastProbeTime: time,
    lastTransitionTime: time,
    reason,
  })
  setStatusAsController(context, JOBS, object, {
    startTime: status?.startTime ?? time,
    ...(active > 0 ? { active } : {}),
    ...(succeeded > 0 ? { succeeded } : {}),
    ...(failed > 0 ? { failed } : {}),
    ...(isComplete ? { completionTime: time } : {}),
    ...(isComplete ? { conditions: [condition('Complete', 'CompletionsReached')] } : {}),
    ...(isFailed ? { conditions: [condition('Failed', 'BackoffLimitExceeded')] } : {}),
    ready: 0,
    terminating: 0,
    uncountedTerminatedPods: {},
  })
}
