import { Button } from '@mantine/core'
import type { Pool, PoolState } from '@stowage/contract'
import { IconDatabaseExport, IconPlayerStop, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../../lib/api/query.ts'
import { withData } from '../../../lib/api/query-result.ts'
import { msg, useT } from '../../../lib/text/i18n.ts'
import { Disabled } from '../../../ui/controls/Disabled.tsx'
import { Icon } from '../../../ui/icons/Icon.tsx'
import { loadableDialog } from '../../../ui/lazy/loadable.tsx'
import { type Column, DataTable, type RowAction } from '../../../ui/table/DataTable.tsx'
import { Count, Size } from '../../../ui/values/Size.tsx'
import { useKubePermissions } from '../cluster/use-kube-permissions.tsx'
import { PoolStateCell } from './PoolStateCell.tsx'
import { askCancelDrain, askDrainPool, askRemovePool } from './pool-actions.tsx'

const EditPoolModal = loadableDialog(async () => (await import('./EditPoolModal.tsx')).EditPoolModal)
const AddPoolModal = loadableDialog(async () => (await import('./AddPoolModal.tsx')).AddPoolModal)

/** Refresh interval while a pool is drained (ms), because its progress causes no change in the cluster. */
const DRAINING_MS = 3_000

type PoolRow = Pool & { state: PoolState | undefined }

const poolCapacity = ({ servers, volumes_per_server, volume_configuration }: Pool) =>
  servers * volumes_per_server * volume_configuration.size

const columns: Column<PoolRow>[] = [
  { key: 'name', label: msg('Name'), fixed: true, small: 'title' },
  {
    key: 'state',
    label: msg('State'),
    width: 220,
    small: 'note',
    value: ({ state }) => state?.state ?? '',
    cell: ({ state }) => <PoolStateCell state={state} />,
  },
  {
    key: 'capacity',
    label: msg('Capacity'),
    width: 130,
    align: 'right',
    headerPad: 29,
    small: 'aside',
    value: poolCapacity,
    cell: (pool) => <Size bytes={poolCapacity(pool)} />,
  },
  {
    key: 'servers',
    label: msg('# of Instances'),
    width: 130,
    align: 'right',
    cell: ({ servers }) => <Count of={servers} />,
  },
  {
    key: 'drives',
    label: msg('# of Drives'),
    width: 130,
    align: 'right',
    value: ({ servers, volumes_per_server }) => servers * volumes_per_server,
    cell: ({ servers, volumes_per_server }) => <Count of={servers * volumes_per_server} />,
  },
]

/** The pools of a tenant. Pools can be added, edited, drained and removed. */
export function PoolsSection({ namespace, tenant }: { namespace: string; tenant: string }) {
  const t = useT()
  const params = { namespace, tenant }
  const states = useQuery({
    ...q('listPoolStates', { params }),
    retry: false,
    refetchInterval: ({ state }) => (state.data?.pools.some((pool) => pool.state === 'draining') ? DRAINING_MS : false),
  })
  const known = states.data?.supported ? states.data.pools : []
  const findPoolState = (pool: string) => known.find(({ name }) => name === pool)
  const whole = useQuery(q('getTenant', { params }))
  const query = withData(
    whole,
    whole.data?.pools.map((pool): PoolRow => ({ ...pool, state: findPoolState(pool.name) })),
  )
  const [adding, setAdding] = useState(false)
  const [edited, setEdited] = useState<string>()
  const refused = useKubePermissions(['update tenants.minio.min.io'], namespace)
  const noUpdate = refused('update tenants.minio.min.io')
  const isAlone = (query.data ?? []).length < 2
  const cannotDrain = () => {
    if (noUpdate) return noUpdate
    if (isAlone) return t('The tenant has no other pool that can take the objects.')
    if (states.isError) return t('The tenant did not answer.')
    return states.data?.supported === false && t('The servers of this tenant cannot drain pools.')
  }
  const at = ({ name }: PoolRow) => ({ ...params, pool: name })
  const actions: RowAction<PoolRow>[] = [
    {
      type: 'edit',
      label: msg('Edit'),
      onClick: ({ name }) => setEdited(name),
      disabled: () => noUpdate,
    },
    {
      type: 'edit',
      icon: IconDatabaseExport,
      label: msg('Drain'),
      onClick: (pool) => askDrainPool(at(pool)),
      disabled: cannotDrain,
      hidden: ({ state }) => state?.state === 'draining' || state?.state === 'drained',
    },
    {
      type: 'edit',
      icon: IconPlayerStop,
      label: msg('Stop Draining'),
      onClick: (pool) => askCancelDrain(at(pool)),
      disabled: () => noUpdate,
      hidden: ({ state }) => state?.state !== 'draining',
    },
    {
      type: 'delete',
      label: msg('Remove'),
      onClick: (pool) => askRemovePool(at(pool)),
      disabled: ({ state }) => noUpdate || (state?.state !== 'drained' && t('Drain the pool first.')),
    },
  ]
  return (
    <>
      <DataTable
        name="pools"
        texts={{ name: msg('Pools'), empty: msg('No Pools found'), noMatch: msg('No Pools match the filter.') }}
        query={query}
        rowId={({ name }) => name}
        columns={columns}
        actions={actions}
        defaultSort={{ key: 'name', desc: false }}
        filter={{ placeholder: msg('Filter') }}
        tools={
          <Disabled reason={noUpdate}>
            <Button size="xs" leftSection={<Icon of={IconPlus} />} onClick={() => setAdding(true)}>
              {t('Expand Tenant')}
            </Button>
          </Disabled>
        }
      />
      {edited !== undefined && (
        <EditPoolModal namespace={namespace} tenant={tenant} name={edited} onClose={() => setEdited(undefined)} />
      )}
      {adding && (
        <AddPoolModal
          namespace={namespace}
          tenant={tenant}
          taken={(query.data ?? []).map(({ name }) => name)}
          onClose={() => setAdding(false)}
        />
      )}
    </>
  )
}
