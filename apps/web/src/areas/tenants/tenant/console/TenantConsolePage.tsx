import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { IconArrowLeft, IconExternalLink, IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { q, queryClient } from '../../../../lib/api/query.ts'
import { pathTo } from '../../../../lib/navigation/pages.ts'
import { useT } from '../../../../lib/text/i18n.ts'
import { Link } from '../../../../ui/controls/Link.tsx'
import { Icon } from '../../../../ui/icons/Icon.tsx'
import { Crumbs } from '../../../../ui/page/Crumbs.tsx'
import { Page } from '../../../../ui/page/Page.tsx'
import { OpenTenantButton } from './OpenTenantButton.tsx'
import { TenantConsoleFrame } from './TenantConsoleFrame.tsx'

/** A tenant's own console in a frame. */
export function TenantConsolePage({ namespace, tenant }: { namespace: string; tenant: string }) {
  const t = useT()
  const back = pathTo('/namespaces/$namespace/tenants/$tenant/summary', { namespace, tenant })
  const { data } = useQuery(q('getTenant', { params: { namespace, tenant } }))
  const address = data?.endpoints?.console
  return (
    <Page
      title={tenant}
      crumbs={
        <Crumbs
          items={[{ label: t('Tenants'), to: '/tenants' }, { label: tenant, to: back }, { label: t('Management') }]}
        />
      }
      actions={
        <>
          <Tooltip label={t('Refresh')}>
            <ActionIcon
              variant="default"
              size={32}
              aria-label={t('Refresh')}
              onClick={() => void queryClient.invalidateQueries({ queryKey: ['openTenantConsole'] })}
            >
              <Icon of={IconRefresh} />
            </ActionIcon>
          </Tooltip>
          <OpenTenantButton namespace={namespace} tenant={tenant} />
          {address !== undefined && (
            <Button
              component="a"
              href={address}
              target="_blank"
              rel="noopener noreferrer"
              leftSection={<Icon of={IconExternalLink} />}
            >
              {t('Open in a tab')}
            </Button>
          )}
          <Button component={Link} to={back} leftSection={<Icon of={IconArrowLeft} />}>
            {t('Back to the tenant')}
          </Button>
        </>
      }
    >
      <TenantConsoleFrame
        namespace={namespace}
        tenant={tenant}
        page="console"
        title={t('Console of {{name}}', { name: tenant })}
      />
    </Page>
  )
}
