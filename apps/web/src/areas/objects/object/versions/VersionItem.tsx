import { ActionIcon, Checkbox, Menu } from '@mantine/core'
import { IconDotsVertical, IconDownload, IconShare } from '@tabler/icons-react'
import { change } from '../../../../lib/changes/change.ts'
import { confirm } from '../../../../lib/feedback/confirm.ts'
import { formatDateTime, formatSize } from '../../../../lib/text/format.ts'
import { useT } from '../../../../lib/text/i18n.ts'
import { plainName } from '../../../../lib/text/visible-name.ts'
import { downloadObject } from '../../../../transfers/downloads.ts'
import { Disabled, useDisabledReason } from '../../../../ui/controls/Disabled.tsx'
import { Icon } from '../../../../ui/icons/Icon.tsx'
import { Time } from '../../../../ui/values/Time.tsx'
import css from '../../styles/object-detail.module.css'
import { askDeleteVersions } from './delete-versions.tsx'
import type { VersionRow } from './use-versions.ts'

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

/** A version of an object: its number, ID, date and size, and the buttons for it. */
export function VersionItem({ bucket, name, version, open, selected, onSelect, onOpen, onShare }: VersionItemProps) {
  const t = useT()
  const needs = useDisabledReason({ bucket, prefix: version.name })
  const { version_id: id, is_delete_marker: deleted = false, is_latest: latest = false } = version
  const noRead = (deleted && t('A delete marker has no content.')) || needs('s3:GetObjectVersion')
  const label = version.number === undefined ? id : t('version {{number}}', { number: version.number })
  return (
    <div className={css.version} data-open={open || undefined}>
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
            disabled={Boolean(needs('s3:DeleteObjectVersion'))}
            onClick={() => askDeleteVersions({ bucket, objectKey: version.name, name, versions: [version] })}
          >
            {t('Delete')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </div>
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
