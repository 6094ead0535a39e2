import { type Kube, type KubeObject, type Resource, resources, type Selection, type Stored } from '@stowage/kube'
import type { Event, PersistentVolumeClaim, Pod } from 'kubernetes-types/core/v1'
import { ifAllowed } from '../../lib/kube/if-allowed.ts'
import { seconds } from './events.ts'

/** Objects of a namespace that explain why pods are not ready. */
export interface Surroundings {
  claims: readonly Stored<PersistentVolumeClaim>[]
  /** Events of type `Warning`. */
  warnings: readonly Stored<Event>[]
}

export function isReady({ status }: Stored<Pod>): boolean {
  return status?.conditions?.some(({ type, status: met }) => type === 'Ready' && met === 'True') ?? false
}

/** Whether a pod has still to become ready. Pods that are being deleted or have ended never do. */
export function isAwaited(pod: Stored<Pod>): boolean {
  return !isReady(pod) && pod.metadata.deletionTimestamp === undefined && pod.status?.phase !== 'Succeeded'
}

/** Returns why a pod is not running, from its own status alone; empty if that gives no reason. */
export function ownReason({ status }: Stored<Pod>): string {
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
export function waitOf(pod: Stored<Pod>, { claims, warnings }: Surroundings): string {
  const own = ownReason(pod)
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

function lastWarning(warnings: readonly Stored<Event>[], uid: string): string | undefined {
  const about = warnings.filter(({ involvedObject }) => involvedObject?.uid === uid)
  const time = ({ lastTimestamp, eventTime, metadata }: Stored<Event>) =>
    seconds(lastTimestamp ?? eventTime ?? metadata.creationTimestamp)
  return about.reduce<Stored<Event> | undefined>(
    (last, each) => (last && time(last) > time(each) ? last : each),
    undefined,
  )?.message
}

/** Reads what explains the pods of a tenant; whatever the caller has no right to read is left out. */
export async function surroundingsOf(
  kube: Kube,
  { namespace, labelSelector }: { namespace: string; labelSelector: string },
  signal: AbortSignal,
): Promise<Surroundings> {
  const [claims, warnings] = await Promise.all([
    readable(kube, resources.persistentVolumeClaims, { namespace, labelSelector }, signal),
    readable(kube, resources.events, { namespace, fieldSelector: 'type=Warning' }, signal),
  ])
  return { claims, warnings }
}

/** Lists objects; none without the right to. */
export async function readable<T extends KubeObject>(
  kube: Kube,
  kind: Resource<T>,
  selection: Selection,
  signal: AbortSignal,
): Promise<Stored<T>[]> {
  const found = await ifAllowed(kube.list(kind, { ...selection, signal }))
  return found === 'forbidden' ? [] : found.objects
}
