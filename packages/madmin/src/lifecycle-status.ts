import { at, textOf } from './json.ts'
import type { CallOptions, Transport } from './transport.ts'

export interface LifecycleStatus {
  /** Set if the server does not trust its clock, and deletes nothing. Times are RFC 3339. */
  readonly waiting: { readonly expected: string; readonly found: string } | null
}

/** Returns the state of the lifecycle scanner. Needs `admin:ServerInfo`. @throws MadminError unsupported on other servers */
export async function lifecycleStatus(t: Transport, options?: CallOptions): Promise<LifecycleStatus> {
  const waiting = at(await t.call({ method: 'GET', path: 'lifecycle-status', ...options }), 'waiting')
  return {
    waiting: waiting ? { expected: textOf(at(waiting, 'expected')), found: textOf(at(waiting, 'found')) } : null,
  }
}

/** Confirms that the server's clock is right. Needs `admin:ConfigUpdate`. @throws MadminError as `lifecycleStatus` */
export async function confirmLifecycleClock(t: Transport, options?: CallOptions): Promise<void> {
  await t.call({ method: 'POST', path: 'lifecycle-confirm-clock', ...options })
}
