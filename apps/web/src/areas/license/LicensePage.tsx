import { Button } from '@mantine/core'
import type { Subscription } from '@stowage/contract'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/api/api.ts'
import { asFailure } from '../../lib/api/api-failure.ts'
import { invalidate, q } from '../../lib/api/query.ts'
import { useSession } from '../../lib/session/session.ts'
import { formatSize } from '../../lib/text/format.ts'
import { useT } from '../../lib/text/i18n.ts'
import { Trans } from '../../lib/text/Trans.tsx'
import { Disabled, useDisabledReason } from '../../ui/controls/Disabled.tsx'
import { whileBusy } from '../../ui/controls/while-busy.tsx'
import { loadableDialog } from '../../ui/lazy/loadable.tsx'
import { Page } from '../../ui/page/Page.tsx'
import { AdvisoryList } from './Advisories.tsx'
import { isMinioRelease } from './advisories.ts'
import css from './license.module.css'
import { licensePlanName, SUBNET_URL } from './license-plans.ts'
import { PlanTable } from './PlanTable.tsx'
import { serverVersionQuery } from './server-version.ts'

const AgplDialog = loadableDialog(async () => (await import('./AgplDialog.tsx')).AgplDialog)

const NoticesDialog = loadableDialog(async () => (await import('./NoticesDialog.tsx')).NoticesDialog)

const ActivateModal = loadableDialog(async () => (await import('./ActivateModal.tsx')).ActivateModal)

/** The permission that is needed to see or change the license of the cluster. */
const SECRETS_PERMISSION = 'get secrets'

const TB = 1_099_511_627_776

/** The page with the license terms of the connected server and of this console. */
export function LicensePage() {
  const t = useT()
  const { capabilities, operator, features } = useSession()
  const hasAccount = operator || features.includes('license-account')
  const { data: license, error } = useQuery({ ...q('getSubscription', {}), retry: false })
  const [reading, setReading] = useState<'agpl' | 'notices'>()
  const ours = capabilities.includes('aws-policies')
  const subject = operator ? t('Tenants of the cluster') : t('Storage server')
  const known = license !== undefined || error !== null
  return (
    <Page>
      <div className={css.body}>
        <section className={css.card} aria-label={subject}>
          <h2 className={css.title}>{subject}</h2>
          {hasAccount && <LicenseActions isActive={license !== undefined} error={error} />}
          {license ? (
            <LicenseFacts license={license} />
          ) : ours ? (
            <p>
              {t(
                'The connected server is the embedded store of Stowage. It is open source under the Apache License, version 2.0.',
              )}
            </p>
          ) : (
            known && <TermsOfServer onRead={() => setReading('agpl')} />
          )}
          {error !== null && asFailure(error).status !== 404 && (
            <p className="ink-2">{t('Whether a license is registered could not be read.')}</p>
          )}
        </section>
        {!operator && !ours && <AdvisoryList />}
        <section className={css.card} aria-label={t('This console')}>
          <h2 className={css.title}>{t('This console')}</h2>
          <p>
            {t(
              'Stowage is open source under the Apache License, version 2.0. It needs no license and sends no data to other services.',
            )}
          </p>
          <Button onClick={() => setReading('notices')}>{t('Notices of the libraries')}</Button>
        </section>
        <details className={css.card} open={!ours}>
          <summary className={css.title}>{t('About MinIO servers')}</summary>
          {(ours || license) && <AgplText onRead={() => setReading('agpl')} />}
          <h3 className={css.subtitle}>{t("The vendor's offer of September 2021")}</h3>
          <PlanTable current={known ? licensePlanName(license?.plan) : undefined} />
          <p className="ink-2">
            {t(
              'All paid plans give 24x7 L4 engineering support and include annual architecture and performance reviews.',
            )}
          </p>
        </details>
      </div>
      {reading === 'agpl' && <AgplDialog onClose={() => setReading(undefined)} />}
      {reading === 'notices' && <NoticesDialog onClose={() => setReading(undefined)} />}
    </Page>
  )
}

/** The actions for the license of the cluster, or of the server where a service issues licenses. */
function LicenseActions({ isActive, error }: { isActive: boolean; error: Error | null }) {
  const t = useT()
  const { operator } = useSession()
  const needs = useDisabledReason()
  const noSecrets = error !== null && asFailure(error).status === 403 && (
    <Trans text="Needs the right <right/>" parts={{ right: <code>{SECRETS_PERMISSION}</code> }} />
  )
  const reason = operator ? noSecrets : needs('admin:ConfigUpdate')
  const [activating, setActivating] = useState(false)
  const refresh = useMutation({
    // As specified, an error is not shown; the page continues to show the current license.
    mutationFn: async () => await call('refreshSubscription', {}).catch(() => undefined),
    onSuccess: async () => await invalidate('getSubscription', 'getTenant'),
  })
  return (
    <div className={css.actions}>
      <Disabled reason={reason}>
        <Button variant="filled" onClick={() => setActivating(true)}>
          {t('Activate')}
        </Button>
      </Disabled>
      {isActive && (
        <Disabled reason={reason}>
          <Button {...whileBusy(refresh.isPending)} onClick={() => refresh.mutate()}>
            {t('Refresh Licence')}
          </Button>
        </Disabled>
      )}
      {operator && (
        <Button component="a" href={SUBNET_URL} target="_blank" rel="noopener noreferrer">
          {t('Login to SUBNET')}
        </Button>
      )}
      {activating && <ActivateModal onClose={() => setActivating(false)} />}
    </div>
  )
}

/** The terms of a server that is not the embedded store. Without the right to read its version, it is taken for MinIO. */
function TermsOfServer({ onRead }: { onRead: () => void }) {
  const t = useT()
  const { operator } = useSession()
  const { data, error } = useQuery({ ...serverVersionQuery, enabled: !operator })
  if (!operator && !data && !error) return null
  const version = data?.servers[0]?.version
  if (version === undefined || isMinioRelease(version)) return <AgplText onRead={onRead} />
  return (
    <p>
      {t('The connected server reports version {{version}}, which is no release of MinIO. Its own license applies.', {
        version,
      })}
    </p>
  )
}

function AgplText({ onRead }: { onRead: () => void }) {
  const t = useT()
  return (
    <>
      <p>
        {t(
          'MinIO servers are open source under the GNU Affero General Public License, version 3 (AGPL). Anyone who changes such a server and offers it over a network must offer the changed source too.',
        )}
      </p>
      <Button onClick={onRead}>{t('Read the AGPL')}</Button>
    </>
  )
}

function LicenseFacts({ license }: { license: Subscription }) {
  const t = useT()
  const { organization, storage_capacity, expires_at, plan, email } = license
  const facts = [
    [t('Organization'), organization],
    [t('Registered Capacity'), formatSize(storage_capacity * TB)],
    [t('Expiry Date'), expires_at.split(' ')[0] ?? ''],
    [t('Subscription Plan'), plan],
    [t('Requester'), email],
  ] as const
  return (
    <>
      <p>{t('Commercial License')}</p>
      <dl className={css.facts}>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}
