import { Button } from '@mantine/core'
import { IconDownload, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useStore } from '../../lib/store.ts'
import { formatBytes, formatSize } from '../../lib/text/format.ts'
import { useT } from '../../lib/text/i18n.ts'
import { lastSegment } from '../../lib/text/key.ts'
import { plainName } from '../../lib/text/visible-name.ts'
import { downloadObject, filesDownloading } from '../../transfers/engine/downloads.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Disabled, useNeeds } from '../../ui/Disabled.tsx'
import { Drawer, DrawerSection } from '../../ui/Drawer.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { ObjectName } from '../../ui/ObjectName.tsx'
import { EmptyState, ErrorState, SlowNotice, useLate } from '../../ui/states.tsx'
import { Time } from '../../ui/Time.tsx'
import { whileBusy } from '../../ui/while-busy.tsx'
import { askDelete } from './ask-delete.tsx'
import css from './objects.module.css'
import { type FoundObject, useObject } from './use-object.ts'

interface ObjectDrawerProps {
  bucket: string
  objectKey: string
  versioned: boolean | undefined
  onClose: () => void
}

/** One object: what is known of it, Download and Delete. */
export function ObjectDrawer({ bucket, objectKey, versioned, onClose }: ObjectDrawerProps) {
  const t = useT()
  const found = useObject(bucket, objectKey)
  const late = useLate(found.loading)
  const name = lastSegment(objectKey)
  return (
    <Drawer
      label={t('Object details')}
      of={objectKey}
      onClose={onClose}
      header={
        <h2 className={css.objectTitle} title={plainName(objectKey)}>
          <ObjectName name={name} />
        </h2>
      }
    >
      {found.item && <Actions bucket={bucket} name={name} found={found} versioned={versioned} onClose={onClose} />}
      {found.item && <Facts objectKey={objectKey} found={found} />}
      {found.item && <Metadata metadata={found.metadata} />}
      {late && <SlowNotice />}
      {found.error !== null && (
        <ErrorState error={found.error} needs={{ action: 's3:ListBucket', bucket, prefix: objectKey }} />
      )}
      {!found.loading && found.error === null && !found.item && (
        <EmptyState title={t('There is nothing here.')}>
          {t('The bucket has no object or folder with this name. It may have been deleted.')}
        </EmptyState>
      )}
    </Drawer>
  )
}

interface PartProps {
  bucket: string
  name: string
  found: FoundObject
  versioned: boolean | undefined
  onClose: () => void
}

function Actions({ bucket, name, found: { item }, versioned, onClose }: PartProps) {
  const t = useT()
  const downloading = useStore(filesDownloading)
  const needs = useNeeds({ bucket, prefix: item?.name })
  if (!item) return null
  const { name: key, size, last_modified: modified } = item
  const entry = { key, name, folder: false, size, modified, etag: '', order: 0 }
  return (
    <div className={css.objectActions}>
      <Disabled reason={needs('s3:GetObject')}>
        <Button
          size="xs"
          leftSection={<Icon of={IconDownload} />}
          {...whileBusy(downloading.some((one) => one.bucket === bucket && one.keys.includes(key)))}
          onClick={() => void downloadObject({ bucket, key, size })}
        >
          {t('Download')}
        </Button>
      </Disabled>
      <span className="grow" />
      <Disabled reason={needs('s3:DeleteObject')}>
        <Button
          size="xs"
          variant="danger"
          leftSection={<Icon of={IconTrash} />}
          onClick={() => askDelete({ bucket, entries: [entry], versioned, onDone: onClose })}
        >
          {t('Delete Object')}
        </Button>
      </Disabled>
    </div>
  )
}

function Facts({ objectKey, found: { item, metadata, versionId } }: { objectKey: string; found: FoundObject }) {
  const t = useT()
  if (!item) return null
  const type = metadata['content-type'] ?? item.content_type
  return (
    <DrawerSection>
      <dl className={css.facts}>
        <Fact label={t('Size')}>
          {formatSize(item.size)} <span className="ink-3 figures">{formatBytes(item.size)}</span>
        </Fact>
        <Fact label={t('Last Modified')}>
          <Time at={item.last_modified} exact />
        </Fact>
        {type !== undefined && (
          <Fact label={t('Content type')}>
            <code>{type}</code>
          </Fact>
        )}
        {item.etag !== undefined && <Copied label={t('ETag')} text={item.etag} />}
        {versionId !== undefined && <Copied label={t('Version ID')} text={versionId} note={t('latest')} />}
        <Copied label={t('Key')} text={objectKey} />
      </dl>
    </DrawerSection>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt>{label}</dt>
      <dd className="truncate">{children}</dd>
    </>
  )
}

/** A value that is copied rather than read. */
function Copied({ label, text, note }: { label: string; text: string; note?: string }) {
  return (
    <>
      <dt>{label}</dt>
      <dd className={css.copied}>
        <code className="truncate" title={plainName(text)}>
          <ObjectName name={text} />
        </code>
        {note !== undefined && <span className="ink-3 small">{note}</span>}
        <CopyButton text={text} name={label} />
      </dd>
    </>
  )
}

/** The user's own metadata; the headers that every object has are above. */
function Metadata({ metadata }: { metadata: Record<string, string> }) {
  const t = useT()
  const own = Object.entries(metadata)
    .filter(([name]) => /^x-amz-meta-/i.test(name))
    .toSorted()
  if (own.length === 0) return null
  return (
    <DrawerSection label={t('Object Metadata')}>
      <dl className={css.metadata}>
        {own.map(([name, value]) => (
          <Fact key={name} label={name.toLowerCase()}>
            <code title={value}>{value}</code>
          </Fact>
        ))}
      </dl>
    </DrawerSection>
  )
}
