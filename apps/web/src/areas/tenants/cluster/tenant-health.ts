import { type Message, msg } from '../../../lib/text/i18n.ts'
import type { StatusIconState } from '../../../ui/icons/StatusIcon.tsx'

interface TenantHealth {
  mark: StatusIconState
  word: Message
}

const KNOWN: Readonly<Record<string, TenantHealth>> = {
  green: { mark: 'ok', word: msg('Healthy') },
  yellow: { mark: 'warn', word: msg('Degraded') },
  red: { mark: 'bad', word: msg('Unhealthy') },
}
const UNKNOWN: TenantHealth = { mark: 'unknown', word: msg('Health unknown') }

/** Returns the health of a tenant, as reported by its operator: red, yellow or green, otherwise grey. */
export function tenantHealth(status: string): TenantHealth {
  return Object.hasOwn(KNOWN, status) ? (KNOWN[status] ?? UNKNOWN) : UNKNOWN
}

/** Reports whether the operator is still working on the tenant, so that its state will change soon. */
export function isTenantChanging({
  currentState,
  deletion_date,
}: {
  currentState: string
  deletion_date?: string | undefined
}) {
  return currentState !== 'Initialized' || deletion_date !== undefined
}
