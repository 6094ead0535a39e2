import type { KubeEvent } from '@stowage/contract'
import { type Kube, resources } from '@stowage/kube'
import type { Event as CoreEvent } from 'kubernetes-types/core/v1'

/** Returns the events of an object, oldest first. */
export async function listObjectEvents(
  kube: Kube,
  namespace: string,
  uid: string,
  signal: AbortSignal,
): Promise<KubeEvent[]> {
  const fieldSelector = `involvedObject.uid=${uid}`
  const { objects } = await kube.list(resources.events, { namespace, fieldSelector, signal })
  return objects.map(wireKubeEvent).sort((a, b) => a.last_seen - b.last_seen)
}

/** Converts an event to the form of the contract. An event that is repeated has the time of its last occurrence. */
export function wireKubeEvent(event: CoreEvent): KubeEvent {
  const { metadata, lastTimestamp, eventTime, type, reason, message, involvedObject } = event
  return {
    namespace: metadata.namespace ?? '',
    last_seen: unixSeconds(lastTimestamp ?? eventTime ?? metadata.creationTimestamp),
    event_type: type ?? '',
    reason: reason ?? '',
    message: message ?? '',
    object: `${involvedObject?.kind ?? ''}/${involvedObject?.name ?? ''}`,
  }
}

/** Seconds since 1970 of a time in the API server's form; 0 if absent. */
export function unixSeconds(time: string | undefined): number {
  const ms = Date.parse(time ?? '')
  return Number.isNaN(ms) ? 0 : Math.floor(ms / 1000)
}
