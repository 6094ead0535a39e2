import { Button, Tabs } from '@mantine/core'
import type { ObjectDetails } from '@stowage/contract'
import { IconDownload, IconShare, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../../lib/api/query.ts'
import { replaceSearch, useSearchParam } from '../../../lib/navigation/navigate.ts'
import { useStore } from '../../../lib/store.ts'
import { useT } from '../../../lib/text/i18n.ts'
import { lastSegment } from '../../../lib/text/last-segment.ts'
import { plainName } from '../../../lib/text/visible-name.ts'
import { downloadObject, startingDownloads } from '../../../transfers/downloads.ts'
import { Disabled, useDisabledReason } from '../../../ui/controls/Disabled.tsx'
import { whileBusy } from '../../../ui/controls/while-busy.tsx'
import { EmptyState, ErrorState, SlowNotice, useLongWait } from '../../../ui/feedback/states.tsx'
import { Icon } from '../../../ui/icons/Icon.tsx'
import { loadable, loadableDialog } from '../../../ui/lazy/loadable.tsx'
import { Drawer } from '../../../ui/page/Drawer.tsx'
import tabs from '../../../ui/page/tabs.module.css'
import { ObjectName } from '../../../ui/values/ObjectName.tsx'
import { askDeleteEntries } from '../actions/ask-delete.tsx'
import { REWOUND_REASON } from '../actions/use-row-actions.ts'
import { usePastView } from '../entries/past-view.ts'
import { isEditableText, previewKind } from '../preview/preview-kind.ts'
import css from '../styles/objects.module.css'
import { isZipArchive } from './archive/zip-archive.ts'
import { useObject } from './use-object.ts'
import { useVersions, type VersionRow } from './versions/use-versions.ts'

const DetailsTab = loadable(async () => (await import('./details/DetailsTab.tsx')).DetailsTab)
const VersionsTab = loadable(async () => (await import('./versions/VersionsTab.tsx')).VersionsTab)
const UndeleteButton = loadable(async () => (await import('./versions/UndeleteButton.tsx')).UndeleteButton)
const ContentsTab = loadable(async () => (await import('./archive/ContentsTab.tsx')).ContentsTab)
const EditTextButton = loadable(async () => (await import('../preview/EditTextButton.tsx')).EditTextButton)
const ObjectPreview = loadable(async () => (await import('../preview/ObjectPreview.tsx')).ObjectPreview)
const ShareModal = loadableDialog(async () => (await import('../links/ShareModal.tsx')).ShareModal)

interface ObjectDrawerProps {
  bucket: string
  objectKey: string
  versioned: boolean | undefined
  onClose: () => void
}

/** The drawer for an object, or for the version in the URL: Details, Versions and Preview. */
export function ObjectDrawer({ bucket, objectKey, versioned, onClose }: ObjectDrawerProps) {
  const t = useT()
  const [wanted = 'details', setTab] = useSearchParam('tab')
  const [versionId] = useSearchParam('version')
  const found = useObject(bucket, objectKey)
  const query = { prefix: objectKey, ...(versionId === undefined ? {} : { version_id: versionId }) }
  const details = useQuery({
    ...q('getObject', { params: { bucket }, query }),
    enabled: found.item !== undefined || versionId !== undefined,
  })
  const versions = useVersions(bucket, objectKey, wanted === 'versions' && found.versionId !== undefined)
  const late = useLongWait(found.loading)
  const [sharing, setSharing] = useState<string | 'latest' | undefined>(undefined)
  const name = lastSegment(objectKey)
  const there = found.item !== undefined || found.deleted || versionId !== undefined
  const deleted = versionId === undefined ? found.deleted : details.data?.is_delete_marker === true
  const kind = deleted ? 'none' : previewKind(name, details.data?.content_type)
  const show = (version: VersionRow, next = 'details') =>
    replaceSearch({
      version: version.is_latest ? undefined : version.version_id,
      tab: next === 'details' ? undefined : next,
    })
  const archive = !deleted && isZipArchive(name, details.data?.content_type)
  // A disabled tab stays in the tab order, so that its reason can be read.
  const off = { versions: found.versionId === undefined, preview: kind === 'none' }
  const isOff = (name: string | null) =>
    ((name === 'versions' || name === 'preview') && off[name]) || (name === 'contents' && !archive)
  const tab = !found.loading && isOff(wanted) ? 'details' : wanted
  const choose = (next: string | null) => {
    if (!isOff(next)) setTab(next === 'details' || next === null ? undefined : next)
  }
  const latest = versionId === undefined || versionId === found.versionId
  return (
    <Drawer
      label={t('Object details')}
      contentKey={objectKey}
      onClose={onClose}
      header={
        <h2 className={css.objectTitle} title={plainName(objectKey)}>
          <ObjectName name={name} />
        </h2>
      }
    >
      {there && (
        <Actions
          bucket={bucket}
          objectKey={objectKey}
          name={name}
          versionId={versionId}
          details={details.data}
          size={details.data?.size ?? found.item?.size ?? 0}
          deleted={deleted}
          versioned={versioned}
          onShare={() => setSharing('latest')}
          onClose={onClose}
        />
      )}
      {there && (
        <Tabs className={css.parts ?? ''} value={tab} onChange={choose} keepMounted={false}>
          <Tabs.List className={tabs.list ?? ''}>
            <Tabs.Tab value="details">{t('Details')}</Tabs.Tab>
            <Disabled reason={off.versions && t('The bucket keeps no versions.')}>
              <Tabs.Tab value="versions">{t('Versions')}</Tabs.Tab>
            </Disabled>
            <Disabled reason={off.preview && t('Files of this type cannot be previewed.')}>
              <Tabs.Tab value="preview">{t('Preview')}</Tabs.Tab>
            </Disabled>
            {archive && <Tabs.Tab value="contents">{t('Contents')}</Tabs.Tab>}
          </Tabs.List>
          <Tabs.Panel value="details">
            {details.data && <DetailsTab bucket={bucket} name={name} details={details.data} latest={latest} />}
            {details.error !== null && (
              <ErrorState
                error={details.error}
                needs={{
                  action: versionId === undefined ? 's3:GetObject' : 's3:GetObjectVersion',
                  bucket,
                  prefix: objectKey,
                }}
              />
            )}
            {found.deleted && versionId === undefined && (
              <EmptyState
                title={t('The object is deleted.')}
                actions={
                  found.versionId !== undefined && (
                    <UndeleteButton bucket={bucket} objectKey={objectKey} markerId={found.versionId} />
                  )
                }
              >
                {t('A delete marker hides its versions. Delete the marker or restore a version to get it back.')}
              </EmptyState>
            )}
          </Tabs.Panel>
          <Tabs.Panel value="versions">
            <VersionsTab
              bucket={bucket}
              objectKey={objectKey}
              name={name}
              query={versions}
              openId={versionId ?? found.versionId}
              onOpen={show}
              onShare={(version) => setSharing(version.version_id)}
            />
          </Tabs.Panel>
          <Tabs.Panel value="contents">
            {archive && <ContentsTab bucket={bucket} objectKey={objectKey} versionId={versionId} />}
          </Tabs.Panel>
          <Tabs.Panel value="preview">
            {details.data && kind !== 'none' && (
              <div className={css.preview}>
                {latest && isEditableText(kind, details.data) && (
                  <EditTextButton bucket={bucket} name={name} details={details.data} />
                )}
                <ObjectPreview
                  // Content that was replaced is read again.
                  key={details.data.etag}
                  bucket={bucket}
                  objectKey={objectKey}
                  name={name}
                  versionId={versionId}
                  size={details.data.size}
                  etag={details.data.etag}
                  kind={kind}
                />
              </div>
            )}
          </Tabs.Panel>
        </Tabs>
      )}
      {late && <SlowNotice />}
      {found.error !== null && (
        <ErrorState error={found.error} needs={{ action: 's3:ListBucket', bucket, prefix: objectKey }} />
      )}
      {!found.loading && found.error === null && !there && (
        <EmptyState title={t('There is nothing here.')}>
          {t('The bucket has no object or folder with this name. It may have been deleted.')}
        </EmptyState>
      )}
      {sharing !== undefined && (
        <ShareModal
          bucket={bucket}
          objectKey={objectKey}
          name={name}
          versionId={sharing === 'latest' ? (versionId ?? found.versionId) : sharing}
          onClose={() => setSharing(undefined)}
        />
      )}
    </Drawer>
  )
}

interface ActionsProps {
  bucket: string
  objectKey: string
  name: string
  versionId: string | undefined
  details: ObjectDetails | undefined
  size: number
  deleted: boolean
  versioned: boolean | undefined
  onShare: () => void
  onClose: () => void
}

function Actions(props: ActionsProps) {
  const { bucket, objectKey: key, name, versionId, details, size, deleted, versioned, onShare, onClose } = props
  const t = useT()
  const downloading = useStore(startingDownloads)
  const needs = useDisabledReason({ bucket, prefix: key })
  const { at } = usePastView()
  const isDeleted = deleted && t('The object is deleted.')
  const entry = { key, name, folder: false, size, modified: details?.last_modified ?? '', etag: '', order: 0 }
  return (
    <div className={css.objectActions}>
      <Disabled reason={isDeleted || needs(versionId === undefined ? 's3:GetObject' : 's3:GetObjectVersion')}>
        <Button size="xs" leftSection={<Icon of={IconShare} />} onClick={onShare}>
          {t('Share')}
        </Button>
      </Disabled>
      <Disabled reason={isDeleted || needs(versionId === undefined ? 's3:GetObject' : 's3:GetObjectVersion')}>
        <Button
          size="xs"
          leftSection={<Icon of={IconDownload} />}
          {...whileBusy(downloading.some((one) => one.bucket === bucket && one.keys.includes(key)))}
          onClick={() => void downloadObject({ bucket, key, size, ...(versionId === undefined ? {} : { versionId }) })}
        >
          {t('Download')}
        </Button>
      </Disabled>
      <span className="grow" />
      <Disabled reason={(at !== undefined && t(REWOUND_REASON)) || isDeleted || needs('s3:DeleteObject')}>
        <Button
          size="xs"
          variant="danger"
          leftSection={<Icon of={IconTrash} />}
          onClick={() => askDeleteEntries({ bucket, entries: [entry], versioned, onDone: onClose })}
        >
          {t('Delete Object')}
        </Button>
      </Disabled>
    </div>
  )
}
