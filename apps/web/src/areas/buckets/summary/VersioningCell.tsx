import type { Bucket } from '@stowage/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { invalidate, q, queryClient } from '../../../lib/api/query.ts'
import { change } from '../../../lib/changes/change.ts'
import { confirm } from '../../../lib/feedback/confirm.ts'
import { plural, useT } from '../../../lib/text/i18n.ts'
import { Disabled, useDisabledReason } from '../../../ui/controls/Disabled.tsx'
import { ConflictNotice, isEditConflict } from '../../../ui/dialog/ConflictNotice.tsx'
import { StatusIcon } from '../../../ui/icons/StatusIcon.tsx'
import { loadableDialog } from '../../../ui/lazy/loadable.tsx'
import { Cell, CellNote, CellValue } from '../../../ui/page/Cell.tsx'
import css from '../styles/buckets.module.css'
import { type BucketVersioning, versioningText } from './bucket-versioning.ts'
import { CellFailure } from './CellFailure.tsx'

const ExcludedPrefixesModal = loadableDialog(
  async () => (await import('./ExcludedPrefixesModal.tsx')).ExcludedPrefixesModal,
)

/** The cell for versioning. A change asks for confirmation, because disabling keeps existing versions. */
export function VersioningCell({ bucket }: { bucket: Bucket }) {
  const t = useT()
  const { name } = bucket
  const params = { bucket: name }
  const { data, error } = useQuery(q('getBucketVersioning', { params }))
  const needs = useDisabledReason({ bucket: name })
  const locked = bucket.details?.locking === true
  const on = data?.is_versioned === true
  const excluded = data?.excluded_prefixes ?? []
  const [excluding, setExcluding] = useState(false)
  const suspended = !on && bucket.details?.versioningSuspended === true

  const ask = (stored: BucketVersioning) => {
    let before: BucketVersioning | undefined = stored
    const message = () =>
      on ? t('Versioning of {{name}} disabled', { name }) : t('Versioning of {{name}} enabled', { name })
    confirm({
      title: on ? t('Disable Versioning') : t('Enable Versioning'),
      subject: name,
      action: on ? t('Disable Versioning') : t('Enable Versioning'),
      body: on
        ? t(
            'From now on, new objects replace old ones. Existing versions are not deleted automatically: they take up space until you delete them.',
          )
        : t('From now on, every version of an object is kept, even when it is overwritten or deleted.'),
      run: async () => {
        try {
          await change('setBucketVersioning', { params, body: { versioning: !on, before } }, { message })
        } catch (error) {
          if (isEditConflict(error)) {
            await invalidate('getBucketVersioning')
            before = queryClient.getQueryData(q('getBucketVersioning', { params }).queryKey)
          }
          throw error
        }
      },
      help: (error) => isEditConflict(error) && before && <ConflictNotice text={versioningText(before, t)} />,
    })
  }

  const reason = needs('s3:PutBucketVersioning') || (locked && t('Object locking requires versioning.'))
  return (
    <Cell label={t('Versioning')} onEdit={data && (() => ask(data))} disabled={reason}>
      {error && <CellFailure error={error} action="s3:GetBucketVersioning" />}
      {data && (
        <>
          <CellValue>
            <StatusIcon state={on ? 'ok' : 'off'}>
              {on ? t('Enabled') : suspended ? t('Suspended') : t('Disabled')}
            </StatusIcon>
          </CellValue>
          <CellNote>
            {on
              ? t('Every version of an object is kept.')
              : suspended
                ? t('New objects replace old ones. Older versions are kept.')
                : t('Overwritten or deleted objects cannot be restored.')}
          </CellNote>
          {on && !locked && (
            <p className={css.more}>
              <Disabled reason={needs('s3:PutBucketVersioning')}>
                <button type="button" className="link" onClick={() => setExcluding(true)}>
                  {excluded.length > 0
                    ? t(plural('{{count}} excluded prefix', '{{count}} excluded prefixes'), { count: excluded.length })
                    : t('Exclude prefixes')}
                </button>
              </Disabled>
            </p>
          )}
        </>
      )}
      {excluding && data && (
        <ExcludedPrefixesModal bucket={name} versioning={data} onClose={() => setExcluding(false)} />
      )}
    </Cell>
  )
}
