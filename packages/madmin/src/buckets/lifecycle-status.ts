import { asText, pickMember } from '../transport/json-values.ts'
import type { AdminCallOptions, Transport } from '../transport/transport.ts'

export interface LifecycleStatusInfo {
  /** Set if the server does not trust its clock, and deletes nothing. Times are RFC 3339. */
  readonly waiting: { readonly expected: string; readonly found: string } | null
}

/** Returns the state of the lifecycle scanner. Needs `admin:ServerInfo`. @throws MadminError unsupported on other servers */
export async function lifecycleStatus(t: Transport, options?: AdminCallOptions): Promise<LifecycleStatusInfo> {
  const waiting = pickMember(await t.call({ method: 'GET', path: 'lifecycle-status', ...options }), 'waiting')
  return {
    waiting: waiting
      ? { expected: asText(pickMember(waiting, 'expected')), found: asText(pickMember(waiting, 'found')) }
      : null,
  }
}

/** Confirms that the server's clock is right. Needs `admin:ConfigUpdate`. @throws MadminError as `lifecycleStatus` */
export async function confirmLifecycleClock(t: Transport, options?: AdminCallOptions): Promise<void> {
  await t.call({ method: 'POST', path: 'lifecycle-confirm-clock', ...options })
}
