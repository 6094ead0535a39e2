import { Button } from '@mantine/core'
import type { Output } from '@stowage/contract'
import type { ConfigTarget } from '@stowage/contract/configs/configs'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../lib/api/query.ts'
import { withData } from '../../lib/api/query-result.ts'
import { navigate, useSearchParam } from '../../lib/navigation/navigate.ts'
import { pathTo, withSearch } from '../../lib/navigation/pages.ts'
import { msg, useT } from '../../lib/text/i18n.ts'
import { Disabled, useDisabledReason } from '../../ui/controls/Disabled.tsx'
import { Link } from '../../ui/controls/Link.tsx'
import { Icon } from '../../ui/icons/Icon.tsx'
import { StatusIcon } from '../../ui/icons/StatusIcon.tsx'
import { Page } from '../../ui/page/Page.tsx'
import { type Column, DataTable, type TableTexts } from '../../ui/table/DataTable.tsx'
import { SettingForm } from './form/SettingForm.tsx'
import { SlidingPanel } from './form/SlidingPanel.tsx'
import { askResetTarget, setTargetEnabled } from './form/target-actions.ts'

const texts: TableTexts = {
  name: msg('Webhooks'),
  empty: msg('There are no webhooks yet.'),
  emptyHint: msg('The server posts each record to the address of a webhook.'),
  noMatch: msg('No webhooks match the filter.'),
}

const NEW = ':new'

/** The default target exists even if nothing is configured. */
const webhookTargets = ({ targets }: Output<'getConfig'>): ConfigTarget[] =>
  targets.filter(({ target, enabled }) => target !== '_' || enabled)

const webhookEndpoint = ({ key_values }: ConfigTarget) => key_values.find(({ key }) => key === 'endpoint')?.value ?? '–'

/** The webhooks that receive the server's log or its audit records. Renders nothing for any other kind. */
export function WebhookPage({ kind }: { kind: string }) {
  return kind === 'logger' || kind === 'audit' ? <Webhooks kind={kind} /> : null
}

function Webhooks({ kind }: { kind: 'logger' | 'audit' }) {
  const t = useT()
  const needs = useDisabledReason()
  const name = `${kind}_webhook`
  const list = pathTo('/webhook/$kind', { kind })
  const [target] = useSearchParam('target')
  const query = useQuery(q('getConfig', { params: { name } }))
  const rows = useQuery({ ...q('getConfig', { params: { name } }), select: webhookTargets })
  const disabled = () => needs('admin:ConfigUpdate')
  const title = kind === 'logger' ? t('Logger Webhook') : t('Audit Webhook')
  const editPath = (row: ConfigTarget) => withSearch(list, { target: row.target })
  const columns: Column<ConfigTarget>[] = [
    {
      key: 'target',
      label: msg('Name'),
      fixed: true,
      small: 'title',
      cell: (row) => (
        <Link to={editPath(row)} data-row-link>
          {row.target}
        </Link>
      ),
    },
    { key: 'endpoint', label: msg('Endpoint'), small: 'note', value: webhookEndpoint, cell: webhookEndpoint },
    {
      key: 'enabled',
      label: msg('Status'),
      width: 140,
      small: 'aside',
      value: ({ enabled }) => Number(enabled),
      cell: ({ enabled, waiting }) =>
        enabled && waiting ? (
          <StatusIcon state="warn">{t('After a restart')}</StatusIcon>
        ) : enabled ? (
          <StatusIcon state="ok">{t('Enabled')}</StatusIcon>
        ) : (
          <StatusIcon state="off">{t('Disabled')}</StatusIcon>
        ),
    },
  ]
  return (
    <Page
      title={title}
      refresh={['getConfig']}
      actions={
        <Disabled reason={needs('admin:ConfigUpdate')}>
          <Button
            variant="filled"
            leftSection={<Icon of={IconPlus} />}
            onClick={() => navigate(withSearch(list, { target: NEW }))}
          >
            {t('Add Webhook Configuration')}
          </Button>
        </Disabled>
      }
    >
      {target === undefined ? (
        <SlidingPanel step="list" depth={0}>
          <DataTable
            name="webhooks"
            texts={texts}
            query={withData(query, rows.data)}
            needs={{ action: 'admin:ConfigUpdate' }}
            rowId={(row) => row.target}
            columns={columns}
            filter={{ placeholder: msg('Filter') }}
            actions={[
              { type: 'edit', label: msg('Edit'), to: editPath },
              {
                type: 'disable',
                label: msg('Disable'),
                onClick: ({ target }) => void setTargetEnabled({ name, target }, 'off'),
                hidden: ({ enabled }) => !enabled,
                disabled,
              },
              {
                type: 'view',
                label: msg('Enable'),
                onClick: ({ target }) => void setTargetEnabled({ name, target }, 'on'),
                hidden: ({ enabled }) => enabled,
                disabled,
              },
              {
                type: 'delete',
                label: msg('Delete'),
                onClick: ({ target }) => askResetTarget({ name, target }),
                disabled,
              },
            ]}
          />
        </SlidingPanel>
      ) : (
        <SlidingPanel step={target} depth={1}>
          <SettingForm
            key={target}
            name={name}
            target={target === NEW ? undefined : target}
            title={target === NEW ? t('Add Webhook Configuration') : title}
            back={{ label: t('Back To Webhooks'), to: list }}
            onSaved={() => navigate(list)}
          />
        </SlidingPanel>
      )}
    </Page>
  )
}
