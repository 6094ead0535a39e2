import { Button } from '@mantine/core'
import { TiB } from '@stowage/contract'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../../lib/api/query.ts'
import { useChange } from '../../../lib/changes/change.ts'
import { formatDate, formatSize } from '../../../lib/text/format.ts'
import { useT } from '../../../lib/text/i18n.ts'
import { Disabled } from '../../../ui/controls/Disabled.tsx'
import { Link } from '../../../ui/controls/Link.tsx'
import { whileBusy } from '../../../ui/controls/while-busy.tsx'
import { FormError } from '../../../ui/dialog/FormModal.tsx'
import { QueryView } from '../../../ui/feedback/QueryView.tsx'
import { EmptyState } from '../../../ui/feedback/states.tsx'
import { useKubePermissions } from '../cluster/use-kube-permissions.tsx'
import css from '../tenants.module.css'

/** The license of a tenant or, if it has none, a button to attach the cluster's. */
export function TenantLicenseSection({ namespace, tenant }: { namespace: string; tenant: string }) {
  const t = useT()
  const params = { namespace, tenant }
  const query = useQuery(q('getTenant', { params }))
  const subscription = useQuery({ ...q('getSubscription', {}), retry: false })
  const refused = useKubePermissions(['update secrets'], namespace)
  const attach = useChange('activateTenantLicense', {
    message: () => t('{{name}}: license attached', { name: tenant }),
  })
  return (
    <QueryView query={query}>
      {({ subnet_license: license }) =>
        license ? (
          <div className={css.body}>
            <dl className={css.facts}>
              <dt>{t('License')}</dt>
              <dd>{t('Commercial License')}</dd>
              <dt>{t('Organization')}</dt>
              <dd>{license.organization}</dd>
              <dt>{t('Registered Capacity')}</dt>
              <dd>{formatSize(license.storage_capacity * TiB)}</dd>
              <dt>{t('Expiry Date')}</dt>
              <dd>{formatDate(license.expires_at)}</dd>
              <dt>{t('Subscription Plan')}</dt>
              <dd>{license.plan}</dd>
              <dt>{t('Requester')}</dt>
              <dd>{license.email}</dd>
            </dl>
          </div>
        ) : (
          <EmptyState
            title={t('The tenant has no license.')}
            actions={
              subscription.isPending ? undefined : subscription.data ? (
                <Disabled reason={refused('update secrets')}>
                  <Button {...whileBusy(attach.isPending)} onClick={() => attach.run({ params })}>
                    {t('Attach License')}
                  </Button>
                </Disabled>
              ) : (
                <Button component={Link} to="/license">
                  {t('Activate Product')}
                </Button>
              )
            }
          >
            {attach.error && <FormError error={attach.error} />}
          </EmptyState>
        )
      }
    </QueryView>
  )
}
