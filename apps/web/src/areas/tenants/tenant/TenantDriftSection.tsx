import type { DriftField, SpecDifference } from '@stowage/contract'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../../lib/api/query.ts'
import { msg, useT } from '../../../lib/text/i18n.ts'
import type { Message } from '../../../lib/text/message.ts'
import { useSmallScreen } from '../../../lib/use-small-screen.ts'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { type Column, DataTable } from '../../../ui/table/DataTable.tsx'
import css from '../tenants.module.css'

const FIELDS: Readonly<Record<DriftField, Message>> = {
  missing: msg('Is missing'),
  surplus: msg('Belongs to no pool'),
  replicas: msg('Servers'),
  image: msg('Image'),
  drives: msg('Drives per server'),
  size: msg('Size of volumes'),
  'storage-class': msg('Storage class'),
  memory: msg('Memory request'),
  cpu: msg('CPU request'),
  keys: msg('Keys of the secret'),
  variable: msg('Value of a variable'),
  ready: msg('State'),
  revision: msg('Revision'),
}

function FieldText({ field }: { field: DriftField }) {
  const t = useT()
  return t(FIELDS[field])
}

const IN_TENANT = msg('In the tenant')
const IN_CLUSTER = msg('In the cluster')

/** A side of a difference. On a small screen there is no header, so its label is before it. */
function DifferenceSide({ label, text }: { label: Message; text: string }) {
  const t = useT()
  const small = useSmallScreen()
  if (small) return text && t('{{label}}: {{value}}', { label: t(label), value: text })
  return text ? (
    <span className={css.clamp} title={text}>
      {text}
    </span>
  ) : (
    '–'
  )
}

/** Values of variables are not sent, so only whether there is another one. */
function FoundValue({ difference: { found, field } }: { difference: SpecDifference }) {
  const t = useT()
  return <DifferenceSide label={IN_CLUSTER} text={field === 'variable' ? t('Another value') : found} />
}

const columns: Column<SpecDifference>[] = [
  { key: 'name', label: msg('Object'), fixed: true, small: 'title' },
  { key: 'kind', label: msg('Kind'), width: 150, small: 'aside' },
  {
    key: 'field',
    label: msg('Difference'),
    width: 150,
    small: 'note',
    cell: ({ field }) => <FieldText field={field} />,
  },
  {
    key: 'wanted',
    label: IN_TENANT,
    width: 160,
    small: 'whole',
    cell: ({ wanted }) => <DifferenceSide label={IN_TENANT} text={wanted} />,
  },
  {
    key: 'found',
    label: IN_CLUSTER,
    width: 160,
    small: 'whole',
    cell: (difference) => <FoundValue difference={difference} />,
  },
]

/** Lists the differences between the objects in the cluster and the tenant's specification. */
export function TenantDriftSection({ namespace, tenant }: { namespace: string; tenant: string }) {
  const t = useT()
  const whole = useQuery(q('getTenantDrift', { params: { namespace, tenant } }))
  const query = useQuery({
    ...q('getTenantDrift', { params: { namespace, tenant } }),
    select: ({ differences }) => differences,
  })
  const unread = whole.data?.unread ?? []
  return (
    <>
      {unread.length > 0 && (
        <div className={css.body}>
          <Banner kind="warn">
            {t('You may not read {{kinds}} in this namespace, so they were not compared.', {
              kinds: unread.join(', '),
            })}
          </Banner>
        </div>
      )}
      <DataTable
        name="drift"
        texts={{
          name: msg('Differences'),
          empty: msg('The cluster has what the tenant asks for.'),
          noMatch: msg('No differences match the filter.'),
        }}
        query={query}
        rowId={({ kind, name, field, wanted }) => `${kind} ${name} ${field} ${wanted}`}
        columns={columns}
        defaultSort={{ key: 'kind', desc: true }}
        filter={{ placeholder: msg('Filter'), text: ({ kind, name, field }) => `${kind} ${name} ${field}` }}
      />
    </>
  )
}
