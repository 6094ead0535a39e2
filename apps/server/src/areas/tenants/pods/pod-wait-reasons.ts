import {
  type Kube,
  type KubeObject,
  type KubeResource,
  type ListSelector,
  resources,
  type SavedKubeObject,
} from '@stowage/kube'
import type { Event, PersistentVolumeClaim, Pod } from 'kubernetes-types/core/v1'
import { ifAllowed } from '../../../lib/kube/if-allowed.ts'
import { unixSeconds } from '../kube-objects/object-events.ts'

/** Objects of a namespace that explain why pods are not ready. */
export interface PodContext {
  claims: readonly SavedKubeObject<PersistentVolumeClaim>[]
  /** Events of type `Warning`. */
  warnings: readonly SavedKubeObject<Event>[]
}

export function isPodReady({ status }: SavedKubeObject<Pod>): boolean {
  return status?.conditions?.some(({ type, status: met }) => type === 'Ready' && met === 'True') ?? false
}

/** Whether a pod has still to become ready. Pods that are being deleted or have ended never do. */
export function isPodAwaited(pod: SavedKubeObject<Pod>): boolean {
  return !isPodReady(pod) && pod.metadata.deletionTimestamp === undefined && pod.status?.phase !== 'Succeeded'
}

/** Returns why a pod is not running, from its own status alone; empty if that gives no reason. */
export function podOwnReason({ status }: SavedKubeObject<Pod>): string {
  const unmet = status?.conditions?.find(({ type, status: met }) => type === 'PodScheduled' && met === 'False')
  const containers = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])]
  const waiting = containers.find(({ state }) => state?.waiting)?.state?.waiting
  return unmet?.message ?? waiting?.message ?? waiting?.reason ?? status?.message ?? ''
}

/** Reasons that name the step a pod is at, not what keeps it there. */
const VAGUE = new Set(['', 'ContainerCreating', 'PodInitializing'])

/**
 * Returns what a pod waits for, in the words of the cluster: from its status, the volume claims that are not bound, and the last
 * warning about it. Empty if the cluster reports nothing.
 */
export function podWaitReason(pod: SavedKubeObject<Pod>, { claims, warnings }: PodContext): string {
  const own = podOwnReason(pod)
  const names = new Set(pod.spec?.volumes?.flatMap((each) => each.persistentVolumeClaim?.claimName ?? []))
  const unbound = claims.find(({ metadata, status }) => names.has(metadata.name) && status?.phase !== 'Bound')
  const ofClaim = unbound && lastWarning(warnings, unbound.metadata.uid)
  const ofPod = VAGUE.has(own) ? lastWarning(warnings, pod.metadata.uid) : undefined
  return [
    ofPod ?? own,
    // A claim may wait for its pod to be placed, so only a warning about it is a reason.
    ...(unbound && ofClaim ? [`PersistentVolumeClaim/${unbound.metadata.name}: ${ofClaim}`] : []),
  ]
    .filter(Boolean)
    .join(' ')
}

function lastWarning(warnings: readonly SavedKubeObject<Event>[], uid: string): string | undefined {
  const about = warnings.filter(({ involvedObject }) => involvedObject?.uid === uid)
  const time = ({ lastTimestamp, eventTime, metadata }: SavedKubeObject<Event>) =>
    unixSeconds(lastTimestamp ?? eventTime ?? metadata.creationTimestamp)
  return about.reduce<SavedKubeObject<Event> | undefined>(
    (last, each) => (last && time(last) > time(each) ? last : each),
    undefined,
  )?.message
}

/** Reads what explains the pods of a tenant; whatever the caller has no right to read is left out. */
export async function readPodContext(
  kube: Kube,
  { namespace, labelSelector }: { namespace: string; labelSelector: string },
  signal: AbortSignal,
): Promise<PodContext> {
  const [claims, warnings] = await Promise.all([
    listIfAllowed(kube, resources.persistentVolumeClaims, { namespace, labelSelector }, signal),
    listIfAllowed(kube, resources.events, { namespace, fieldSelector: 'type=Warning' }, signal),
  ])
  return { claims, warnings }
}

/** Lists objects; none without the right to. */
export async function listIfAllowed<T extends KubeObject>(
  kube: Kube,
  kind: KubeResource<T>,
  selection: ListSelector,
  signal: AbortSignal,
): Promise<SavedKubeObject<T>[]> {
  const found = await ifAllowed(kube.list(kind, { ...selection, signal }))
  return found === 'forbidden' ? [] : found.objects
}
