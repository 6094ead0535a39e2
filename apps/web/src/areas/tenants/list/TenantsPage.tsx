import { Button } from '@mantine/core'
import { parseNamespaces } from '@stowage/contract/tenants/parse-namespaces'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { asFailure } from '../../../lib/api/api.ts'
import { invalidate, q } from '../../../lib/api/query.ts'
import { withData } from '../../../lib/api/query-result.ts'
import { navigate, useSearchParam } from '../../../lib/navigation/navigate.ts'
import { pathTo } from '../../../lib/navigation/pages.ts'
import { formatCount, formatSize } from '../../../lib/text/format.ts'
import { msg, plural, useT } from '../../../lib/text/i18n.ts'
import { useAfterPaint } from '../../../lib/use-after-paint.ts'
import { Disabled } from '../../../ui/controls/Disabled.tsx'
import { Icon } from '../../../ui/icons/Icon.tsx'
import { StatusIcon } from '../../../ui/icons/StatusIcon.tsx'
import { loadableDialog } from '../../../ui/lazy/loadable.tsx'
import { Page } from '../../../ui/page/Page.tsx'
import { DataTable, type RowAction } from '../../../ui/table/DataTable.tsx'
import { FactFilter } from '../../../ui/table/FactFilter.tsx'
import { NamespacesForm } from '../cluster/NamespacesForm.tsx'
import { StaleDataNote } from '../cluster/StaleDataNote.tsx'
import { isTenantChanging } from '../cluster/tenant-health.ts'
import { useClusterChanges } from '../cluster/use-cluster-changes.ts'
import { useKubePermissionsIn } from '../cluster/use-kube-permissions.tsx'
import { useNamespaces } from '../cluster/use-namespaces.ts'
import { tenantColumns } from './columns.tsx'
import { daysToExpiry, EXPIRY_WARNING_DAYS, expectedPods, type TenantRow, tenantRows } from './tenant-rows.ts'

const DeleteTenantModal = loadableDialog(
  async () => (await import('../delete/DeleteTenantModal.tsx')).DeleteTenantModal,
)

const NO_ROWS: TenantRow[] = []
/** Certificates seldom change, and each is a call to the cluster (ms). */
const CERTIFICATES_MS = 5 * 60_000
const rowId = ({ namespace, name }: Pick<TenantRow, 'namespace' | 'name'>) => `${namespace}/${name}`
const KINDS = ['tenants', 'statefulsets'] as const
const EVERYWHERE = [undefined]
const hasProblem = ({ problem }: TenantRow) => problem !== ''
const certificateExpiresSoon = ({ certificate }: TenantRow) =>
  certificate !== undefined && daysToExpiry(certificate) < EXPIRY_WARNING_DAYS
const ROW_FILTERS = new Map([
  ['attention', hasProblem],
  ['certificate', certificateExpiresSoon],
])

/** Refresh interval while a tenant is being changed and changes are not received (ms). */
const POLL_MS = 3_000

/** The tenants of the cluster, or of the namespaces that the caller may see. */
export function TenantsPage() {
  const t = useT()
  const [namespaces, setNamespaces] = useNamespaces()
  const clusterChanges = useClusterChanges(KINDS, namespaces)
  const input = { query: namespaces === undefined ? {} : { namespaces } }
  const pollInterval = (isChanging: boolean | undefined) => (!clusterChanges.live && isChanging ? POLL_MS : false)
  const listed = useQuery({
    ...q('listTenants', input),
    refetchInterval: ({ state }) => pollInterval(state.data?.tenants.some(isTenantChanging)),
  })
  const isDrawn = useAfterPaint(listed.isSuccess)
  // These come after the first rows, which they would delay. Without the right to list them, the list is shown without them.
  const readiness = useQuery({
    ...q('listTenantReadiness', input),
    retry: false,
    enabled: isDrawn,
    refetchInterval: ({ state }) => pollInterval(state.data?.tenants.some((each) => each.pods_ready < each.pods)),
  })
  const certificates = useQuery({
    ...q('listTenantCertificates', input),
    retry: false,
    staleTime: CERTIFICATES_MS,
    enabled: isDrawn && readiness.isFetched,
  })
  // A tenant has its certificates once its operator has finished.
  const finished = listed.data?.tenants
    .filter((each) => !isTenantChanging(each))
    .map(rowId)
    .join()
  const readFor = useRef(finished)
  useEffect(() => {
    if (readFor.current !== undefined && readFor.current !== finished) void invalidate('listTenantCertificates')
    readFor.current = finished
  }, [finished])
  const rows = useMemo(
    () => listed.data && tenantRows(t, listed.data.tenants, readiness.data?.tenants, certificates.data?.certificates),
    [t, listed.data, readiness.data, certificates.data],
  )
  const query = withData(listed, rows)
  const [deleting, setDeleting] = useState<TenantRow>()
  const [show = '', setShow] = useSearchParam('show')
  // Users who entered namespaces may have rights there and nowhere else.
  const searchedNamespaces = namespaces === undefined ? EVERYWHERE : parseNamespaces(namespaces)
  const refused = useKubePermissionsIn(
    ['create tenants.minio.min.io', 'delete tenants.minio.min.io'],
    searchedNamespaces,
  )
  const reasons = searchedNamespaces.map((namespace) => refused('create tenants.minio.min.io', namespace))
  const tenants = rows ?? NO_ROWS
  const actions: RowAction<TenantRow>[] = [
    {
      type: 'view',
      label: msg('View'),
      to: ({ namespace, name }) =>
        pathTo('/namespaces/$namespace/tenants/$tenant/summary', { namespace, tenant: name }),
    },
    {
      type: 'delete',
      label: msg('Delete'),
      onClick: setDeleting,
      disabled: ({ namespace }) =>
        refused('delete tenants.minio.min.io', namespaces === undefined ? undefined : namespace),
    },
  ]
  const withProblem = tenants.filter(hasProblem).length
  const expiringSoon = tenants.filter(certificateExpiresSoon).length
  // Without the right to list StatefulSets their changes do not matter.
  const refusedKinds = clusterChanges.refused.filter((kind) => kind !== 'statefulsets' || readiness.data !== undefined)
  const onlySome = namespaces === undefined && listed.isError && asFailure(listed.error).status === 403

  return (
    <Page
      facts={
        query.data ? (
          <>
            <span>{t(plural('{{count}} tenant', '{{count}} tenants'), { count: tenants.length })}</span>
            <span>
              {t('{{size}} capacity', { size: formatSize(tenants.reduce((sum, each) => sum + each.total_size, 0)) })}
            </span>
            {readiness.data && (
              <span>
                {t('{{ready}} of {{pods}} pods ready', {
                  ready: formatCount(tenants.reduce((sum, row) => sum + (row.readiness?.pods_ready ?? 0), 0)),
                  pods: formatCount(tenants.reduce((sum, row) => sum + expectedPods(row), 0)),
                })}
              </span>
            )}
            <StaleDataNote state={{ ...clusterChanges, refused: refusedKinds }} />
            {withProblem > 0 && (
              <FactFilter name="attention" show={show} onShow={setShow}>
                <StatusIcon state="warn">
                  {t(plural('{{count}} needs attention', '{{count}} need attention'), { count: withProblem })}
                </StatusIcon>
              </FactFilter>
            )}
            {expiringSoon > 0 && (
              <FactFilter name="certificate" show={show} onShow={setShow}>
                <StatusIcon state="warn">
                  {t(plural('{{count}} certificate ends soon', '{{count}} certificates end soon'), {
                    count: expiringSoon,
                  })}
                </StatusIcon>
              </FactFilter>
            )}
          </>
        ) : null
      }
      refresh={['listTenants', 'listTenantReadiness', 'listTenantCertificates']}
      actions={
        <Disabled reason={reasons.every(Boolean) && reasons[0]}>
          <Button variant="filled" leftSection={<Icon of={IconPlus} />} onClick={() => navigate('/tenants/add')}>
            {t('Create Tenant')}
          </Button>
        </Disabled>
      }
    >
      {onlySome || namespaces !== undefined ? <NamespacesForm value={namespaces} onChange={setNamespaces} /> : null}
      {!onlySome && (
        <DataTable
          name="tenants"
          texts={{
            name: msg('Tenants'),
            empty: msg('There are no Tenants yet.'),
            emptyHint: msg(
              'A tenant is a storage cluster of its own: servers, drives, users and buckets. Create one here.',
            ),
            noMatch: msg('No Tenants match the search.'),
          }}
          query={query}
          rowId={rowId}
          columns={tenantColumns}
          actions={actions}
          defaultSort={{ key: 'name', desc: false }}
          filter={{ placeholder: msg('Search Tenants'), text: ({ name }) => name, also: ROW_FILTERS.get(show) }}
        />
      )}
      {deleting && (
        <DeleteTenantModal
          namespace={deleting.namespace}
          tenant={deleting.name}
          onClose={() => setDeleting(undefined)}
          onDeleted={() => setDeleting(undefined)}
        />
      )}
    </Page>
  )
}
