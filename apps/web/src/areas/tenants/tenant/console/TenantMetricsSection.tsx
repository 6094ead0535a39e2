import { useT } from '../../../../lib/text/i18n.ts'
import css from '../../tenants.module.css'
import { OpenTenantButton } from './OpenTenantButton.tsx'
import { TenantConsoleFrame } from './TenantConsoleFrame.tsx'

/** The metrics of a tenant, from the tenant's own console. */
export function TenantMetricsSection({ namespace, tenant }: { namespace: string; tenant: string }) {
  const t = useT()
  return (
    <>
      <div className={css.above}>
        <p>
          {t(
            'Consoles of newer servers have no metrics. The dashboard here shows the usage, servers and drives of any tenant.',
          )}
        </p>
        <OpenTenantButton namespace={namespace} tenant={tenant} page="dashboard" />
      </div>
      <TenantConsoleFrame
        namespace={namespace}
        tenant={tenant}
        page="metrics"
        title={t('Metrics of {{name}}', { name: tenant })}
      />
    </>
  )
}
