import { Button } from '@mantine/core'
import type { Tenant } from '@stowage/contract'
import { useQuery } from '@tanstack/react-query'
import { Fragment, useState } from 'react'
import { q } from '../../../lib/api/query.ts'
import { cx } from '../../../lib/cx.ts'
import { pathTo } from '../../../lib/navigation/pages.ts'
import { formatCount, formatPercent, formatSize } from '../../../lib/text/format.ts'
import { plural, useT } from '../../../lib/text/i18n.ts'
import { Disabled } from '../../../ui/controls/Disabled.tsx'
import { Link } from '../../../ui/controls/Link.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { QueryView } from '../../../ui/feedback/QueryView.tsx'
import { StatusIcon } from '../../../ui/icons/StatusIcon.tsx'
import { loadableDialog } from '../../../ui/lazy/loadable.tsx'
import { Cell, CellNote, Cells, CellValue } from '../../../ui/page/Cell.tsx'
import { Gauge } from '../../../ui/values/Gauge.tsx'
import { groupPodsByMessage } from '../cluster/scheduling.ts'
import { isTenantChanging, tenantHealth } from '../cluster/tenant-health.ts'
import { useKubePermissions } from '../cluster/use-kube-permissions.tsx'
import css from '../tenants.module.css'

const UpdateTenantModal = loadableDialog(async () => (await import('./UpdateTenantModal.tsx')).UpdateTenantModal)

/** The components, usage, health and features of a tenant. */
export function TenantSummarySection({ namespace, tenant }: { namespace: string; tenant: string }) {
  const query = useQuery(q('getTenant', { params: { namespace, tenant } }))
  return <QueryView query={query}>{(data) => <TenantSummary data={data} />}</QueryView>
}

function TenantSummary({ data }: { data: Tenant }) {
  const t = useT()
  const [updating, setUpdating] = useState(false)
  const refused = useKubePermissions(['update tenants.minio.min.io'], data.namespace)
  const servers = data.pools.reduce((sum, pool) => sum + pool.servers, 0)
  const volumes = data.pools.reduce((sum, pool) => sum + pool.servers * pool.volumes_per_server, 0)
  const usable = data.status.usage.capacity
  const facts: readonly (readonly [string, string | number])[] = [
    [t('Capacity'), formatSize(data.total_size)],
    // Smaller, because a part of the drives is for parity.
    ...(usable > 0 ? ([[t('Usable Capacity'), formatSize(usable)]] as const) : []),
    [t('Clusters'), data.pools.length],
    [t('Instances'), servers],
    [t('Volumes'), volumes],
  ]
  const links = [
    [t('Endpoint'), data.endpoints?.minio],
    [t('Console'), data.endpoints?.console],
  ] as const
  return (
    <>
      <TenantProgress data={data} servers={servers} />
      <Cells>
        <Cell label={t('Details')} span={2}>
          <dl className={css.facts}>
            {facts.map(([label, value]) => (
              <Fact key={label} label={label}>
                {value}
              </Fact>
            ))}
            {links.map(([label, url]) =>
              url === undefined ? null : (
                <Fact key={label} label={label}>
                  <a className="link" href={url} target="_blank" rel="noopener noreferrer">
                    {url}
                  </a>
                </Fact>
              ),
            )}
            <Fact label={t('MinIO')}>
              <Disabled reason={refused('update tenants.minio.min.io')}>
                <Button size="xs" maw="100%" title={data.image} onClick={() => setUpdating(true)}>
                  <span className={css.ellipsis}>{data.image || t("The operator's default")}</span>
                </Button>
              </Disabled>
            </Fact>
            <Fact label={t('State')}>{data.currentState || t('Waiting for the operator')}</Fact>
          </dl>
        </Cell>
        <UsageCell data={data} />
        <HealthCell data={data} />
        <FeaturesCell data={data} />
        {updating && <UpdateTenantModal tenant={data} onClose={() => setUpdating(false)} />}
      </Cells>
    </>
  )
}

/** Maximum number of pods that are named one by one. */
const NAMED_PODS = 4

/** What a tenant waits for until all its pods are ready: each pod with its reason, as the cluster reports it. */
function TenantProgress({ data, servers }: { data: Tenant; servers: number }) {
  const t = useT()
  const params = { namespace: data.namespace, tenant: data.name }
  const query = useQuery({ ...q('listTenantPods', { params }), retry: false })
  const pods = (query.data ?? []).filter((pod) => pod.image !== '' && pod.status !== 'Terminating')
  const waiting = pods.filter((pod) => !pod.ready)
  if (query.isPending || data.deletion_date !== undefined || (!isTenantChanging(data) && waiting.length === 0))
    return null
  const more = waiting.length - NAMED_PODS
  return (
    <div className={css.body}>
      <Banner
        kind={waiting.some(({ message }) => message !== '') ? 'warn' : 'info'}
        title={
          // Without the right to list pods, only the state is known.
          query.data === undefined
            ? t('The operator is working on the tenant.')
            : t('{{ready}} of {{pods}} pods ready', {
                ready: formatCount(pods.length - waiting.length),
                pods: formatCount(Math.max(servers, pods.length)),
              })
        }
      >
        {isTenantChanging(data) && <p>{data.currentState || t('Waiting for the operator')}</p>}
        <ul className={css.waits}>
          {groupPodsByMessage(
            waiting.slice(0, NAMED_PODS).map((pod) => ({ ...pod, message: pod.message || pod.status })),
          ).map(({ message, names }) => (
            <li key={message}>
              {names.map((name, index) => (
                <Fragment key={name}>
                  {index > 0 && ', '}
                  <Link
                    className="link"
                    to={pathTo('/namespaces/$namespace/tenants/$tenant/pods/$pod', { ...params, pod: name })}
                  >
                    {name}
                  </Link>
                </Fragment>
              ))}
              {': '}
              {message}
            </li>
          ))}
        </ul>
        {more > 0 && t(plural('and {{count}} more pod', 'and {{count}} more pods'), { count: more })}
      </Banner>
    </div>
  )
}

function Fact({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </>
  )
}

function UsageCell({ data }: { data: Tenant }) {
  const t = useT()
  const params = { namespace: data.namespace, tenant: data.name }
  const usage = useQuery({ ...q('getTenantUsage', { params }), retry: false })
  const used = usage.data?.disk_used
  return (
    <Cell label={t('Storage Usage')}>
      {used === undefined ? (
        <CellNote>{usage.isError ? t('The tenant does not report its usage.') : t('Loading...')}</CellNote>
      ) : (
        <>
          <CellValue>{formatPercent(data.total_size > 0 ? used / data.total_size : 0)}</CellValue>
          <Gauge share={data.total_size > 0 ? used / data.total_size : 0} thick />
          <CellNote>
            {t('{{used}} of {{total}}', { used: formatSize(used), total: formatSize(data.total_size) })}
          </CellNote>
        </>
      )}
    </Cell>
  )
}

function HealthCell({ data: { status } }: { data: Tenant }) {
  const t = useT()
  const health = tenantHealth(status.health_status)
  return (
    <Cell label={t('Health')}>
      <CellValue>
        <StatusIcon state={health.mark}>{t(health.word)}</StatusIcon>
      </CellValue>
      {status.health_message !== '' && <CellNote>{status.health_message}</CellNote>}
      <dl className={cx(css.facts, css.below)}>
        <Fact label={t('Drives Online')}>{status.drives_online}</Fact>
        <Fact label={t('Drives Offline')}>{status.drives_offline}</Fact>
        <Fact label={t('Write Quorum')}>{status.write_quorum}</Fact>
      </dl>
    </Cell>
  )
}

function FeaturesCell({ data }: { data: Tenant }) {
  const t = useT()
  const features = [
    [t('Logs'), data.logEnabled],
    [t('Monitoring'), data.monitoringEnabled],
    [t('MinIO TLS'), data.minioTLS],
    [t('Encryption'), data.encryptionEnabled],
    [t('Active Directory'), data.idpAdEnabled],
    [t('OpenID'), data.idpOidcEnabled],
  ] as const
  return (
    <Cell label={t('Features')} span={2}>
      <dl className={css.facts}>
        {features.map(([label, on]) => (
          <Fact key={label} label={label}>
            <StatusIcon state={on ? 'ok' : 'off'}>{on ? t('Enabled') : t('Disabled')}</StatusIcon>
          </Fact>
        ))}
      </dl>
      {!data.secretsReadable && (
        <CellNote>{t('You may not read the secrets of the tenant, so some of these may be enabled.')}</CellNote>
      )}
    </Cell>
  )
}
