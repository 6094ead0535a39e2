import { Button } from '@mantine/core'
import type { Output } from '@stowage/contract'
import { CONFIG_FORMS } from '@stowage/contract/configs/config-forms'
import { IconDownload, IconHistory, IconUpload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../../lib/api/query.ts'
import { withData } from '../../../lib/api/query-result.ts'
import { navigate, useSearchParam } from '../../../lib/navigation/navigate.ts'
import { withSearch } from '../../../lib/navigation/pages.ts'
import { msg, useT } from '../../../lib/text/i18n.ts'
import { Disabled, useDisabledReason } from '../../../ui/controls/Disabled.tsx'
import { Link } from '../../../ui/controls/Link.tsx'
import { Icon } from '../../../ui/icons/Icon.tsx'
import { loadable, loadableDialog } from '../../../ui/lazy/loadable.tsx'
import { type Column, DataTable, type TableTexts } from '../../../ui/table/DataTable.tsx'
import { SettingForm } from '../form/SettingForm.tsx'
import { SlidingPanel } from '../form/SlidingPanel.tsx'
import { CONFIG_TITLES } from '../form/setting-labels.ts'
import { ConfigHistoryPanel } from './ConfigHistoryPanel.tsx'

const ExportConfigModal = loadableDialog(async () => (await import('./ExportConfigModal.tsx')).ExportConfigModal)
const ImportConfigPanel = loadable(async () => (await import('./ImportConfigPanel.tsx')).ImportConfigPanel)

const LIST = '/settings/configurations'
const HISTORY = ':history'
const IMPORT = ':import'
/** The target of a form that adds one. */
const NEW = ':new'

interface ConfigKind {
  key: string
  /** Undefined if the server does not have it. */
  description: string | undefined
}

const texts: TableTexts = {
  name: msg('Configurations'),
  empty: msg('This server has no settings.'),
  noMatch: msg('No settings match the filter.'),
}

const editPath = (key: string) => withSearch(LIST, { edit: key })

const columns: Column<ConfigKind>[] = [
  {
    key: 'key',
    label: msg('Name'),
    width: 220,
    fixed: true,
    small: 'title',
    sortable: false,
    cell: ({ key }) => (
      <Link to={editPath(key)} data-row-link className="mono">
        {key}
      </Link>
    ),
  },
  {
    key: 'description',
    label: msg('Description'),
    small: 'note',
    sortable: false,
    cell: ({ description }) => <Description text={description} />,
  },
]

/** Lists the eight kinds of the specification, followed by the others that the server has. */
function configKinds({ configurations }: Output<'listConfigs'>): ConfigKind[] {
  const kinds = Object.keys(CONFIG_FORMS)
  const known = new Map(configurations.map((each) => [each.key, each]))
  const more = configurations.filter(
    // Notification targets have a separate section, and the region in `site` is listed already.
    ({ key }) => !kinds.includes(key) && !key.startsWith('notify_'),
  )
  return [
    ...kinds.map((key) => ({
      key,
      description: (known.get(key) ?? (key === 'region' ? known.get('site') : undefined))?.description,
    })),
    ...more,
  ]
}

/** The configurations of the server. Selecting one slides to its form. */
export function ConfigurationsSection() {
  const t = useT()
  const [edit] = useSearchParam('edit')
  const [target = '_'] = useSearchParam('target')
  const query = useQuery(q('listConfigs', {}))
  const rows = useQuery({ ...q('listConfigs', {}), select: configKinds })
  const back = { label: t('Back To Configurations'), to: LIST } as const
  const leave = () => navigate(LIST)
  if (edit === HISTORY) {
    return (
      <SlidingPanel step="history" depth={1}>
        <ConfigHistoryPanel back={back} />
      </SlidingPanel>
    )
  }
  if (edit === IMPORT) {
    return (
      <SlidingPanel step="import" depth={1}>
        <ImportConfigPanel back={back} onDone={leave} />
      </SlidingPanel>
    )
  }
  if (edit !== undefined) {
    const title = Object.hasOwn(CONFIG_TITLES, edit) ? CONFIG_TITLES[edit] : undefined
    return (
      <SlidingPanel step={edit} depth={1}>
        <SettingForm
          key={`${edit}:${target}`}
          name={edit}
          target={target === NEW ? undefined : target}
          targetFormPath={(other = NEW) => withSearch(LIST, { edit, ...(other === '_' ? {} : { target: other }) })}
          title={title === undefined ? t('Edit {{name}} Configuration', { name: edit }) : t(title)}
          back={back}
          onSaved={leave}
        />
      </SlidingPanel>
    )
  }
  return (
    <SlidingPanel step="list" depth={0}>
      <DataTable
        name="configurations"
        texts={texts}
        query={withData(query, rows.data)}
        needs={{ action: 'admin:ConfigUpdate' }}
        rowId={({ key }) => key}
        columns={columns}
        filter={{ placeholder: msg('Filter'), text: ({ key, description = '' }) => `${key} ${description}` }}
        actions={[{ type: 'edit', label: msg('Edit'), to: ({ key }) => editPath(key) }]}
        tools={<Tools />}
      />
    </SlidingPanel>
  )
}

function Description({ text }: { text: string | undefined }) {
  const t = useT()
  if (text === undefined) return <span>{t('This server does not have this setting')}</span>
  // Text of the server, which is in English.
  return <span lang="en">{text}</span>
}

function Tools() {
  const t = useT()
  const [exporting, setExporting] = useState(false)
  const reason = useDisabledReason()('admin:ConfigUpdate')
  return (
    <>
      <Disabled reason={reason}>
        <Button size="xs" leftSection={<Icon of={IconDownload} />} onClick={() => setExporting(true)}>
          {t('Export')}
        </Button>
      </Disabled>
      <Disabled reason={reason}>
        <Button size="xs" leftSection={<Icon of={IconUpload} />} onClick={() => navigate(editPath(IMPORT))}>
          {t('Import')}
        </Button>
      </Disabled>
      <Disabled reason={reason}>
        <Button size="xs" leftSection={<Icon of={IconHistory} />} onClick={() => navigate(editPath(HISTORY))}>
          {t('History')}
        </Button>
      </Disabled>
      {exporting && <ExportConfigModal onClose={() => setExporting(false)} />}
    </>
  )
}
