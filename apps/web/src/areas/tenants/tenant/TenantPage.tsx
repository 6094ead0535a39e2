import { ActionIcon, Button } from '@mantine/core'
import { IconExternalLink, IconPencil, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../../lib/api/query.ts'
import { isNotFound } from '../../../lib/api/query-result.ts'
import { navigate } from '../../../lib/navigation/navigate.ts'
import { pathTo } from '../../../lib/navigation/pages.ts'
import { formatSize } from '../../../lib/text/format.ts'
import { useT } from '../../../lib/text/i18n.ts'
import { Disabled } from '../../../ui/controls/Disabled.tsx'
import { Link } from '../../../ui/controls/Link.tsx'
import { ErrorState } from '../../../ui/feedback/states.tsx'
import { Icon } from '../../../ui/icons/Icon.tsx'
import { StatusIcon } from '../../../ui/icons/StatusIcon.tsx'
import { loadableDialog } from '../../../ui/lazy/loadable.tsx'
import { Page } from '../../../ui/page/Page.tsx'
import { Sections } from '../../../ui/page/Sections.tsx'
import { StaleDataNote } from '../cluster/StaleDataNote.tsx'
import { isTenantChanging, tenantHealth } from '../cluster/tenant-health.ts'
import { useClusterChanges } from '../cluster/use-cluster-changes.ts'
import { useKubePermissions } from '../cluster/use-kube-permissions.tsx'

const DeleteTenantModal = loadableDialog(
  async () => (await import('../delete/DeleteTenantModal.tsx')).DeleteTenantModal,
)
const TenantYamlModal = loadableDialog(async () => (await import('./yaml/TenantYamlModal.tsx')).TenantYamlModal)

const KINDS = ['tenants', 'pods', 'persistentvolumeclaims', 'events'] as const
/** Refresh interval while the operator changes the tenant and changes are not received (ms). */
const POLL_MS = 3_000

/** The page of a tenant: header, list of sections, and the open section. */
export function TenantPage({ namespace, tenant }: { namespace: string; tenant: string }) {
  const t = useT()
  const params = { namespace, tenant }
  const clusterChanges = useClusterChanges(KINDS, namespace)
  const query = useQuery({
    ...q('getTenant', { params }),
    refetchInterval: ({ state }) =>
      !clusterChanges.live && state.data && isTenantChanging(state.data) ? POLL_MS : false,
  })
  const { data } = query
  const gone = isNotFound(query)
  const [deleting, setDeleting] = useState(false)
  const [editing, setEditing] = useState(false)
  const refused = useKubePermissions(['update tenants.minio.min.io', 'delete tenants.minio.min.io'], namespace)
  const health = tenantHealth(data?.status.health_status ?? '')
  return (
    <Page
      title={tenant}
      facts={
        data ? (
          <>
            <code>{namespace}</code>
            <span>{t('{{size}} capacity', { size: formatSize(data.total_size) })}</span>
            <StatusIcon state={health.mark}>{t(health.word)}</StatusIcon>
            <span>{data.currentState}</span>
            <StaleDataNote state={clusterChanges} />
          </>
        ) : null
      }
      refresh={
        gone
          ? undefined
          : [
              'getTenant',
              'getTenantUsage',
              'getTenantSecurity',
              'listTenantPods',
              'listPoolStates',
              'listPodEvents',
              'listTenantCsrs',
              'listTenantVolumes',
              'listTenantEvents',
              'getTenantDrift',
              'getTenantConfiguration',
              'getTenantIdentityProvider',
              'getTenantEncryption',
            ]
      }
      actions={
        gone ? undefined : (
          <>
            <Button
              component={Link}
              to={pathTo('/namespaces/$namespace/tenants/$tenant/hop', params)}
              leftSection={<Icon of={IconExternalLink} />}
            >
              {t('Manage Tenant')}
            </Button>
            <Disabled reason={refused('update tenants.minio.min.io')}>
              <Button leftSection={<Icon of={IconPencil} />} onClick={() => setEditing(true)}>
                {t('Edit YAML')}
              </Button>
            </Disabled>
            <Disabled reason={refused('delete tenants.minio.min.io')} label={t('Delete')}>
              <ActionIcon variant="default" size={32} aria-label={t('Delete')} onClick={() => setDeleting(true)}>
                <Icon of={IconTrash} />
              </ActionIcon>
            </Disabled>
          </>
        )
      }
    >
      {gone ? (
        <ErrorState
          error={query.error}
          actions={
            <Button component={Link} to="/tenants">
              {t('Back To Tenants List')}
            </Button>
          }
        />
      ) : (
        <Sections />
      )}
      {deleting && (
        <DeleteTenantModal
          {...params}
          onClose={() => setDeleting(false)}
          onDeleted={() => {
            setDeleting(false)
            navigate('/tenants', { replace: true })
          }}
        />
      )}
      {editing && <TenantYamlModal {...params} onClose={() => setEditing(false)} />}
    </Page>
  )
}
