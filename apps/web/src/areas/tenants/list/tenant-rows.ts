import type { NextExpiry, TenantItem, TenantReadiness } from '@stowage/contract'
import { formatPercent } from '../../../lib/text/format.ts'
import { plural, type Translate } from '../../../lib/text/i18n.ts'
import { NEAR_LIMIT_SHARE } from '../../../ui/values/Gauge.tsx'
import { parseScheduling } from '../cluster/scheduling.ts'
import { isTenantChanging } from '../cluster/tenant-health.ts'

/** A tenant in the list, with what other calls return about it; undefined while or if that is not known. */
export interface TenantRow extends TenantItem {
  readiness: Omit<TenantReadiness, 'namespace' | 'name'> | undefined
  certificate: NextExpiry | undefined
  /** What is wrong with it, in a sentence; empty if nothing is. */
  problem: string
}

/** A certificate that ends within this time is reported, as newer operators do (days). */
export const EXPIRY_WARNING_DAYS = 30
const DAY_MS = 86_400_000

/** Returns the whole days until a certificate ends; negative afterwards. */
export const daysToExpiry = ({ expiry }: NextExpiry, now = Date.now()): number =>
  Math.floor((Date.parse(expiry) - now) / DAY_MS)

/** Returns what is wrong with a tenant, the most urgent first; empty if nothing is. */
export function tenantProblem(t: Translate, tenant: Omit<TenantRow, 'problem'>, now = Date.now()): string {
  const { readiness, health_status, health_message, capacity, capacity_usage, currentState } = tenant
  if (tenant.deletion_date !== undefined) return ''
  const waiting = readiness?.waiting
  if (waiting) {
    const cause = parseScheduling(waiting.message)?.causes[0]?.cause
    if (cause !== undefined) return t('{{pod}} has no node: {{cause}}', { pod: waiting.pod, cause })
    return waiting.message === ''
      ? t('{{pod}} is not ready.', { pod: waiting.pod })
      : t('{{pod}} is not ready: {{message}}', { pod: waiting.pod, message: waiting.message })
  }
  if (health_message !== '' && health_status !== 'green') return health_message
  if (readiness && readiness.pods_ready < readiness.pods)
    return t(plural('{{count}} pod is not ready.', '{{count}} pods are not ready.'), {
      count: readiness.pods - readiness.pods_ready,
    })
  // Without pods its state is the reason why it has none.
  if (isTenantChanging(tenant)) return readiness?.pods === 0 ? currentState : ''
  if (readiness && readiness.pods_outdated > 0)
    return t(plural('{{count}} pod still runs the old version.', '{{count}} pods still run the old version.'), {
      count: readiness.pods_outdated,
    })
  if (health_status === 'red') return t('It is not healthy.')
  if (health_status === 'yellow') return t('Its health is degraded.')
  if (capacity > 0 && capacity_usage / capacity >= NEAR_LIMIT_SHARE)
    return t('{{percent}} full.', { percent: formatPercent(capacity_usage / capacity) })
  return certificateProblem(t, tenant.certificate, now)
}

function certificateProblem(t: Translate, certificate: NextExpiry | undefined, now: number): string {
  if (!certificate) return ''
  const days = daysToExpiry(certificate, now)
  if (days < 0) return t('Its certificate {{secret}} has ended.', { secret: certificate.secret })
  if (days >= EXPIRY_WARNING_DAYS) return ''
  return t(
    plural('Its certificate {{secret}} ends in {{count}} day.', 'Its certificate {{secret}} ends in {{count}} days.'),
    { secret: certificate.secret, count: days },
  )
}

/** Returns the tenants with what other calls returned about them. */
export function tenantRows(
  t: Translate,
  tenants: readonly TenantItem[],
  readiness: readonly TenantReadiness[] | undefined,
  certificates: readonly NextExpiry[] | undefined,
): TenantRow[] {
  const key = ({ namespace, name }: { namespace: string; name: string }) => `${namespace}/${name}`
  const ready = new Map(readiness?.map((each) => [key(each), each]))
  const ends = new Map(certificates?.map((each) => [key(each), each]))
  return tenants.map((tenant) => {
    const row = {
      ...tenant,
      readiness: readiness && (ready.get(key(tenant)) ?? { pods: 0, pods_ready: 0, pods_outdated: 0 }),
      certificate: ends.get(key(tenant)),
    }
    return { ...row, problem: tenantProblem(t, row) }
  })
}

/** The pods that a tenant should have. */
export const expectedPods = ({ instance_count, readiness }: Omit<TenantRow, 'problem'>): number =>
  Math.max(instance_count, readiness?.pods ?? 0)
