import { useT } from '../../lib/text/i18n.ts'
import { TenantFrame } from './TenantFrame.tsx'

/** The metrics of a tenant, from the tenant's own console. */
export function MetricsSection({ namespace, tenant }: { namespace: string; tenant: string }) {
  const t = useT()
  return (
    <TenantFrame
      namespace={namespace}
      tenant={tenant}
      page="metrics"
      title={t('Metrics of {{name}}', { name: tenant })}
    />
  )
}
