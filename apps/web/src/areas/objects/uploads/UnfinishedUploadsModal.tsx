import { Button, Checkbox } from '@mantine/core'
import type { UnfinishedUpload } from '@stowage/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { q } from '../../../lib/api/query.ts'
import { useSession } from '../../../lib/session/session.ts'
import { formatSize } from '../../../lib/text/format.ts'
import { plural, useT } from '../../../lib/text/i18n.ts'
import { plainName } from '../../../lib/text/visible-name.ts'
import { Disabled, useDisabledReason } from '../../../ui/controls/Disabled.tsx'
import { Dialog } from '../../../ui/dialog/Dialog.tsx'
import modal from '../../../ui/dialog/FormModal.module.css'
import { DialogTitle, WIDE_DIALOG_WIDTH } from '../../../ui/dialog/FormModal.tsx'
import { QueryView } from '../../../ui/feedback/QueryView.tsx'
import { EmptyState } from '../../../ui/feedback/states.tsx'
import { SegmentField } from '../../../ui/form/SegmentField.tsx'
import { ObjectName } from '../../../ui/values/ObjectName.tsx'
import { Time } from '../../../ui/values/Time.tsx'
import { AbortUploadsModal } from './AbortUploadsModal.tsx'
import css from './uploads.module.css'

interface UnfinishedUploadsModalProps {
  bucket: string
  /** The prefix of the open folder. */
  prefix: string
  onClose: () => void
}

const DAY_MS = 86_400_000
/** The number of uploads shown initially and after "Show more". */
const FIRST = 200
const MAX_SHOWN = 1000

/** The dialog with unfinished multipart uploads: their size, and buttons to abort them. */
export function UnfinishedUploadsModal({ bucket, prefix, onClose }: UnfinishedUploadsModalProps) {
  const t = useT()
  const [age, setAge] = useState('0')
  const [limit, setLimit] = useState(FIRST)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [aborting, setAborting] = useState<UnfinishedUpload[]>()
  // The current time is read once per choice; otherwise every render would request another list.
  const before = useMemo(() => new Date(Date.now() - Number(age) * DAY_MS).toISOString(), [age])
  const query = useQuery(
    q('listUploads', { params: { bucket }, query: { prefix, limit, ...(age === '0' ? {} : { before }) } }),
  )
  const needs = useDisabledReason({ bucket, prefix })
  // MinIO of 2021, which has this capability, lists uploads of one whole key only.
  const unlisted = useSession().capabilities.includes('quota-fifo')
  const uploads = query.data?.uploads ?? []
  const chosen = uploads.filter(({ upload_id: id }) => selected.has(id))
  const bytes = chosen.reduce((sum, { size = 0 }) => sum + size, 0)
  const toggle = (id: string, on: boolean) =>
    setSelected((before) => new Set(on ? [...before, id] : [...before].filter((other) => other !== id)))
  if (aborting)
    return (
      <AbortUploadsModal
        bucket={bucket}
        uploads={aborting}
        onClose={() => {
          setAborting(undefined)
          setSelected(new Set())
        }}
      />
    )
  return (
    <Dialog
      onClose={onClose}
      size={WIDE_DIALOG_WIDTH}
      title={<DialogTitle title={t('Unfinished Uploads')} subject={plainName(`${bucket}/${prefix}`)} />}
    >
      <div className={modal.body}>
        <SegmentField
          label={t('Minimum age')}
          data={[
            { value: '0', label: t('Any') },
            { value: '1', label: t('1 day') },
            { value: '7', label: t('7 days') },
            { value: '30', label: t('30 days') },
          ]}
          value={age}
          onChange={setAge}
          hint={t(
            'Parts of an upload take up space until it is completed or aborted. Uploads that are running now are listed too.',
          )}
        />
        <QueryView query={query} needs={{ action: 's3:ListBucketMultipartUploads', bucket, prefix }}>
          {({ total }) =>
            uploads.length === 0 ? (
              unlisted ? (
                <EmptyState title={t('This version of MinIO does not list the unfinished uploads of a bucket.')}>
                  {t('It deletes them a day after they began.')}
                </EmptyState>
              ) : (
                <EmptyState title={t('There are no unfinished uploads here.')} />
              )
            ) : (
              <>
                <div className={css.head}>
                  <Checkbox
                    label={t(plural('{{count}} upload', '{{count}} uploads'), { count: total })}
                    checked={chosen.length === uploads.length}
                    indeterminate={chosen.length > 0 && chosen.length < uploads.length}
                    onChange={(event) =>
                      setSelected(new Set(event.currentTarget.checked ? uploads.map(({ upload_id: id }) => id) : []))
                    }
                  />
                </div>
                <ul className={css.uploads} aria-label={t('Unfinished Uploads')}>
                  {uploads.map((upload) => (
                    <UploadItem
                      key={upload.upload_id}
                      upload={upload}
                      prefix={prefix}
                      selected={selected.has(upload.upload_id)}
                      onSelect={(on) => toggle(upload.upload_id, on)}
                    />
                  ))}
                </ul>
                {total > uploads.length && (
                  <div className={css.more}>
                    {t('The oldest {{part}} of {{total}} are shown.', { part: uploads.length, total })}{' '}
                    {limit < MAX_SHOWN && (
                      <Button size="xs" loading={query.isFetching} onClick={() => setLimit(MAX_SHOWN)}>
                        {t('Show more')}
                      </Button>
                    )}
                  </div>
                )}
              </>
            )
          }
        </QueryView>
      </div>
      <div className={modal.foot}>
        <div className={modal.stored}>
          {chosen.length > 0 && t('{{size}} will be freed', { size: formatSize(bytes) })}
        </div>
        <Button onClick={onClose}>{t('Close')}</Button>
        <Disabled reason={needs('s3:AbortMultipartUpload') || (chosen.length === 0 && t('Select uploads first'))}>
          <Button variant="filled" color="red" onClick={() => setAborting(chosen)}>
            {t('Abort Selected')}
          </Button>
        </Disabled>
      </div>
    </Dialog>
  )
}

interface UploadItemProps {
  upload: UnfinishedUpload
  prefix: string
  selected: boolean
  onSelect: (on: boolean) => void
}

function UploadItem({ upload, prefix, selected, onSelect }: UploadItemProps) {
  const t = useT()
  const { key, initiated, parts, size, upload_id: id } = upload
  return (
    <li className={css.upload}>
      <Checkbox
        aria-label={t('Select {{name}}', { name: plainName(key) })}
        checked={selected}
        onChange={(event) => onSelect(event.currentTarget.checked)}
      />
      <div className={css.what}>
        <code className={css.key} title={plainName(key)}>
          <ObjectName name={key.slice(prefix.length) || key} />
        </code>
        <div className={css.note} title={id}>
          <Time at={initiated} exact />
          {parts !== undefined && `, ${t(plural('{{count}} part', '{{count}} parts'), { count: parts })}`}
        </div>
      </div>
      <span className={css.size}>{size === undefined ? t('Unknown size') : formatSize(size)}</span>
    </li>
  )
}
