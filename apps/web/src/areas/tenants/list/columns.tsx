import { pathTo } from '../../../lib/navigation/pages.ts'
import { formatCount, formatDate, formatPercent, formatSize } from '../../../lib/text/format.ts'
import { msg, plural, t } from '../../../lib/text/i18n.ts'
import { useSmallScreen } from '../../../lib/use-small-screen.ts'
import { Link } from '../../../ui/controls/Link.tsx'
import { StatusIcon } from '../../../ui/icons/StatusIcon.tsx'
import type { Column } from '../../../ui/table/DataTable.tsx'
import { Gauge, LimitUsage } from '../../../ui/values/Gauge.tsx'
import { Count, Size } from '../../../ui/values/Size.tsx'
import { tenantHealth } from '../cluster/tenant-health.ts'
import css from '../tenants.module.css'
import { imageRelease } from './image-release.ts'
import { daysToExpiry, EXPIRY_WARNING_DAYS, expectedPods, type TenantRow } from './tenant-rows.ts'

const UNKNOWN_VALUE = <span className="ink-3">–</span>

const usageShare = ({ capacity, capacity_usage }: TenantRow) => (capacity > 0 ? capacity_usage / capacity : -1)

export const tenantColumns: Column<TenantRow>[] = [
  {
    key: 'name',
    label: msg('Name'),
    width: 148,
    fixed: true,
    small: 'title',
    cell: ({ name, namespace, health_status }) => (
      <span className={css.name}>
        <StatusIcon state={tenantHealth(health_status).mark}>
          <span className="visually-hidden">{t(tenantHealth(health_status).word)}</span>
        </StatusIcon>
        <Link
          to={pathTo('/namespaces/$namespace/tenants/$tenant/summary', { namespace, tenant: name })}
          title={name}
          data-row-link
        >
          {name}
        </Link>
      </span>
    ),
  },
  {
    key: 'namespace',
    label: msg('Namespace'),
    width: 116,
    small: 'note',
    cell: ({ namespace }) => <code title={namespace}>{namespace}</code>,
  },
  {
    key: 'total_size',
    label: msg('Capacity'),
    width: 106,
    align: 'right',
    headerPad: 29,
    small: 'aside',
    cell: (row) => <Capacity row={row} />,
  },
  {
    key: 'usage',
    label: msg('Usage'),
    width: 206,
    hidden: true,
    value: usageShare,
    cell: (row) => (row.capacity > 0 ? <LimitUsage used={row.capacity_usage} limit={row.capacity} /> : UNKNOWN_VALUE),
  },
  {
    key: 'pool_count',
    label: msg('# of Pools'),
    width: 100,
    align: 'right',
    cell: ({ pool_count }) => <Count of={pool_count} />,
  },
  {
    key: 'currentState',
    label: msg('State'),
    width: 138,
    small: 'extra',
    cell: ({ currentState, deletion_date }) => {
      const state = currentState || t('Waiting for the operator')
      return deletion_date === undefined ? (
        <span className={css.clamp} title={state}>
          {state}
        </span>
      ) : (
        <StatusIcon state="run">{t('Is being deleted')}</StatusIcon>
      )
    },
  },
  {
    key: 'pods',
    label: msg('Pods'),
    width: 68,
    align: 'right',
    yields: 2,
    value: ({ readiness }) => readiness?.pods_ready ?? -1,
    cell: (row) => <PodsReady row={row} />,
  },
  {
    key: 'image',
    label: msg('Version'),
    width: 102,
    yields: 4,
    value: ({ image }) => imageRelease(image),
    cell: ({ image }) => (image ? <code title={image}>{imageRelease(image) || image}</code> : UNKNOWN_VALUE),
  },
  {
    key: 'certificate',
    label: msg('Certificate'),
    width: 104,
    yields: 3,
    numeric: true,
    value: ({ certificate }) => (certificate ? Date.parse(certificate.expiry) : Number.POSITIVE_INFINITY),
    cell: (row) => <CertificateExpiry row={row} />,
  },
  {
    key: 'problem',
    label: msg('What Is Wrong'),
    yields: 1,
    small: 'whole',
    cell: (row) => <ProblemCell row={row} />,
  },
]

/** The size, and below it the share of the usable capacity that is used. */
function Capacity({ row }: { row: TenantRow }) {
  const share = usageShare(row)
  return (
    <span className={css.lines}>
      <Size bytes={row.total_size} />
      {share >= 0 && (
        <span
          className={css.used}
          title={t('{{used}} of {{total}} usable', {
            used: formatSize(row.capacity_usage),
            total: formatSize(row.capacity),
          })}
        >
          <Gauge share={share} />
          {t('{{percent}} used', { percent: formatPercent(share) })}
        </span>
      )}
    </span>
  )
}

function PodsReady({ row }: { row: TenantRow }) {
  if (!row.readiness) return UNKNOWN_VALUE
  const text = `${formatCount(row.readiness.pods_ready)}/${formatCount(expectedPods(row))}`
  return (
    <span className="figures" title={t('{{ready}} pods are ready', { ready: text })}>
      {text}
    </span>
  )
}

function CertificateExpiry({ row: { certificate } }: { row: TenantRow }) {
  if (!certificate) return UNKNOWN_VALUE
  const days = daysToExpiry(certificate)
  const text = days < 0 ? t('Ended') : t(plural('{{count}} day', '{{count}} days'), { count: days })
  return (
    <span
      title={t('{{secret}} ends on {{date}}', { secret: certificate.secret, date: formatDate(certificate.expiry) })}
    >
      {days >= EXPIRY_WARNING_DAYS ? text : <StatusIcon state={days < 0 ? 'bad' : 'warn'}>{text}</StatusIcon>}
    </span>
  )
}

/** A sentence in at most two lines. On a small screen, the figures that have no column there are above it. */
function ProblemCell({ row }: { row: TenantRow }) {
  const small = useSmallScreen()
  if (!small)
    return row.problem === '' ? (
      UNKNOWN_VALUE
    ) : (
      <span className={css.clamp} title={row.problem}>
        {row.problem}
      </span>
    )
  const { readiness, certificate, image } = row
  return (
    <>
      <span className={css.figures}>
        {readiness && (
          <span>
            {t('{{ready}} of {{pods}} pods ready', {
              ready: formatCount(readiness.pods_ready),
              pods: formatCount(expectedPods(row)),
            })}
          </span>
        )}
        {image !== '' && <span>{imageRelease(image) || image}</span>}
        {certificate && (
          <span>
            {t('Certificate:')} <CertificateExpiry row={row} />
          </span>
        )}
      </span>
      {row.problem !== '' && <span className={css.wrong}>{row.problem}</span>}
    </>
  )
}
