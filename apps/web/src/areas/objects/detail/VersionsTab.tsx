import { ActionIcon, Button, Checkbox, Menu, TextInput } from '@mantine/core'
import { IconDotsVertical, IconDownload, IconSearch, IconShare } from '@tabler/icons-react'
import { useState } from 'react'
import { change } from '../../../lib/api/change.ts'
import { confirm } from '../../../lib/feedback/confirm.ts'
import { formatDateTime, formatSize } from '../../../lib/text/format.ts'
import { plural, useT } from '../../../lib/text/i18n.ts'
import { plainName } from '../../../lib/text/visible-name.ts'
import { downloadObject } from '../../../transfers/engine/downloads.ts'
import { Disabled, useNeeds } from '../../../ui/Disabled.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { loadableDialog } from '../../../ui/lazy/loadable.tsx'
import { ErrorState } from '../../../ui/states.tsx'
import { Time } from '../../../ui/Time.tsx'
import { askDeleteVersions } from './delete-versions.tsx'
import css from './detail.module.css'
import type { useVersions, VersionRow } from './use-versions.ts'

interface VersionsTabProps {
  bucket: string
  objectKey: string
  name: string
  query: ReturnType<typeof useVersions>
  /** The ID of the version shown in the drawer. */
  openId: string | undefined
  onOpen: (version: VersionRow, tab?: 'preview') => void
  onShare: (version: VersionRow) => void
}

/** The versions of an object, with search by ID, share, download, restore and delete. */
export function VersionsTab({ bucket, objectKey, name, query, openId, onOpen, onShare }: VersionsTabProps) {
  const t = useT()
  const [search, setSearch] = useState('')
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [comparing, setComparing] = useState(false)
  const needs = useNeeds({ bucket, prefix: objectKey })
  const { versions = [], hasNextPage } = query
  if (query.error !== null && query.versions === undefined)
    return <ErrorState error={query.error} needs={{ action: 's3:ListBucketVersions', bucket, prefix: objectKey }} />
  const shown = versions.filter(({ version_id: id }) => id.includes(search.trim()))
  const chosen = versions.filter(({ version_id: id }) => selected.has(id))
  // Versions are listed from newest to oldest.
  const [newer, older] = chosen
  const noCompare =
    (chosen.some((version) => version.is_delete_marker) && t('A delete marker has no content.')) ||
    needs('s3:GetObject')
  const noDelete = needs('s3:DeleteObject')
  const target = { bucket, objectKey, name }
  const clear = () => setSelected(new Set())
  const toggle = (id: string, on: boolean) =>
    setSelected((before) => new Set(on ? [...before, id] : [...before].filter((other) => other !== id)))
  const bytes = versions.reduce((sum, { size }) => sum + size, 0)
  return (
    <>
      <div className={css.tools}>
        <TextInput
          className="grow"
          leftSection={<Icon of={IconSearch} />}
          placeholder={t('Search by version ID')}
          aria-label={t('Search by version ID')}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        {chosen.length > 0 ? (
          <>
            {chosen.length === 2 && (
              <Disabled reason={noCompare}>
                <Button size="xs" onClick={() => setComparing(true)}>
                  {t('Compare')}
                </Button>
              </Disabled>
            )}
            <Disabled reason={noDelete}>
              <Button
                size="xs"
                variant="danger"
                onClick={() => askDeleteVersions({ ...target, versions: chosen, onDone: clear })}
              >
                {t(plural('Delete {{count}} version', 'Delete {{count}} versions'), { count: chosen.length })}
              </Button>
            </Disabled>
          </>
        ) : (
          <Menu>
            <Menu.Target>
              <ActionIcon aria-label={t('Delete versions')}>
                <Icon of={IconDotsVertical} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item
                disabled={Boolean(noDelete)}
                onClick={() => askDeleteVersions({ ...target, scope: 'non-current' })}
              >
                {t('Delete noncurrent versions')}
              </Menu.Item>
              <Menu.Item disabled={Boolean(noDelete)} onClick={() => askDeleteVersions({ ...target, scope: 'all' })}>
                {t('Delete all versions')}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
      </div>
      <ul className={css.versions} aria-label={t('Versions')}>
        {shown.map((version) => (
          <VersionItem
            key={version.version_id}
            bucket={bucket}
            name={name}
            version={version}
            open={version.version_id === openId}
            selected={selected.has(version.version_id)}
            onSelect={(on) => toggle(version.version_id, on)}
            onOpen={onOpen}
            onShare={onShare}
          />
        ))}
      </ul>
      <div className={css.foot}>
        {query.versions !== undefined && shown.length === 0 && search !== '' && t('No version has such an ID.')}
        {hasNextPage ? (
          <Button size="xs" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {t('Load more versions')}
          </Button>
        ) : (
          shown.length > 0 &&
          t(plural('{{count}} version holds {{size}}.', '{{count}} versions hold {{size}}.'), {
            count: versions.length,
            size: formatSize(bytes),
          })
        )}
      </div>
      {comparing && newer && older && (
        <CompareModal bucket={bucket} name={name} versions={[older, newer]} onClose={() => setComparing(false)} />
      )}
    </>
  )
}

const CompareModal = loadableDialog(async () => (await import('./CompareModal.tsx')).CompareModal)

interface VersionItemProps {
  bucket: string
  name: string
  version: VersionRow
  open: boolean
  selected: boolean
  onSelect: (on: boolean) => void
  onOpen: (version: VersionRow, tab?: 'preview') => void
  onShare: (version: VersionRow) => void
}

function VersionItem({ bucket, name, version, open, selected, onSelect, onOpen, onShare }: VersionItemProps) {
  const t = useT()
  const needs = useNeeds({ bucket, prefix: version.name })
  const { version_id: id, is_delete_marker: deleted = false, is_latest: latest = false } = version
  const noRead = (deleted && t('A delete marker has no content.')) || needs('s3:GetObject')
  const label = version.number === undefined ? id : t('version {{number}}', { number: version.number })
  return (
    <li className={css.version} data-open={open || undefined}>
      <Checkbox
        aria-label={t('Select {{name}}', { name: label })}
        checked={selected}
        onChange={(event) => onSelect(event.currentTarget.checked)}
      />
      <span className={css.number}>{version.number ?? ''}</span>
      <div className={css.versionText}>
        <button type="button" className="truncate" title={id} onClick={() => onOpen(version)}>
          <code>{id}</code>
        </button>
        <div className={css.note}>
          <Time at={version.last_modified} exact />
          {deleted ? `, ${t('Deleted')}` : `, ${formatSize(version.size)}`}
          {latest && (
            <>
              , <b>{t('latest')}</b>
            </>
          )}
        </div>
      </div>
      <Disabled reason={noRead} label={t('Share')}>
        <ActionIcon aria-label={t('Share {{name}}', { name: label })} onClick={() => onShare(version)}>
          <Icon of={IconShare} />
        </ActionIcon>
      </Disabled>
      <Disabled reason={noRead} label={t('Download')}>
        <ActionIcon
          aria-label={t('Download {{name}}', { name: label })}
          onClick={() => void downloadObject({ bucket, key: version.name, versionId: id, size: version.size })}
        >
          <Icon of={IconDownload} />
        </ActionIcon>
      </Disabled>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon aria-label={t('More actions for {{name}}', { name: label })}>
            <Icon of={IconDotsVertical} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item disabled={Boolean(noRead)} onClick={() => onOpen(version, 'preview')}>
            {t('Preview')}
          </Menu.Item>
          <Menu.Item
            disabled={latest || deleted || Boolean(needs('s3:PutObject'))}
            onClick={() => askRestore(bucket, name, version, t)}
          >
            {t('Restore')}
          </Menu.Item>
          <Menu.Item
            disabled={Boolean(needs('s3:DeleteObject'))}
            onClick={() => askDeleteVersions({ bucket, objectKey: version.name, name, versions: [version] })}
          >
            {t('Delete')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </li>
  )
}

function askRestore(bucket: string, name: string, version: VersionRow, t: ReturnType<typeof useT>) {
  confirm({
    title: t('Restore Version'),
    subject: plainName(name),
    body: t('The version of {{time}} will be copied and become the latest. All other versions are kept.', {
      time: formatDateTime(version.last_modified),
    }),
    action: t('Restore Version'),
    run: () =>
      change(
        'restoreObject',
        { params: { bucket }, query: { prefix: version.name, version_id: version.version_id } },
        { message: () => t('{{name}} restored', { name: plainName(name) }) },
      ),
  })
}
