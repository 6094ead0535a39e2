import { ActionIcon, Button, Menu, TextInput } from '@mantine/core'
import { IconDotsVertical, IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { formatSize } from '../../../../lib/text/format.ts'
import { plural, useT } from '../../../../lib/text/i18n.ts'
import { Disabled, useDisabledReason } from '../../../../ui/controls/Disabled.tsx'
import { ErrorState } from '../../../../ui/feedback/states.tsx'
import { Icon } from '../../../../ui/icons/Icon.tsx'
import { loadableDialog } from '../../../../ui/lazy/loadable.tsx'
import css from '../../styles/object-detail.module.css'
import { askDeleteVersions } from './delete-versions.tsx'
import type { useVersions, VersionRow } from './use-versions.ts'
import { VersionItem } from './VersionItem.tsx'
import { VersionList } from './VersionList.tsx'

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
  const needs = useDisabledReason({ bucket, prefix: objectKey })
  const { versions = [], hasNextPage } = query
  if (query.error !== null && query.versions === undefined)
    return <ErrorState error={query.error} needs={{ action: 's3:ListBucketVersions', bucket, prefix: objectKey }} />
  const shown = versions.filter(({ version_id: id }) => id.includes(search.trim()))
  // A search would read all pages, because its rows do not fill the view. After a failed page, the user has to try again.
  const readOn =
    hasNextPage && !query.isFetching && !query.isFetchNextPageError && search === '' ? query.fetchNextPage : undefined
  const chosen = versions.filter(({ version_id: id }) => selected.has(id))
  // Versions are listed from newest to oldest.
  const [newer, older] = chosen
  const noCompare =
    (chosen.some((version) => version.is_delete_marker) && t('A delete marker has no content.')) ||
    needs('s3:GetObjectVersion')
  const noDelete = needs('s3:DeleteObjectVersion')
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
      <VersionList versions={shown} readOn={readOn}>
        {(version) => (
          <VersionItem
            bucket={bucket}
            name={name}
            version={version}
            open={version.version_id === openId}
            selected={selected.has(version.version_id)}
            onSelect={(on) => toggle(version.version_id, on)}
            onOpen={onOpen}
            onShare={onShare}
          />
        )}
      </VersionList>
      <div className={css.foot}>
        {query.versions !== undefined && search !== '' && (
          <>
            {hasNextPage
              ? t('Searched only the {{count}} loaded versions.', { count: versions.length })
              : shown.length === 0 && t('No version has such an ID.')}{' '}
          </>
        )}
        {query.isFetchNextPageError && <ErrorState error={query.error} />}
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
