import type { Bucket } from '@stowage/contract'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../lib/api/api.ts'
import { invalidate, q } from '../../../lib/api/query.ts'
import { confirm } from '../../../lib/feedback/confirm.ts'
import { toast } from '../../../lib/feedback/toast.ts'
import { useT } from '../../../lib/text/i18n.ts'
import { Cell, CellNote, CellValue } from '../../../ui/Cell.tsx'
import { useNeeds } from '../../../ui/Disabled.tsx'
import { Mark } from '../../../ui/Mark.tsx'
import { CellFailure } from './CellFailure.tsx'

/** Whether the bucket keeps versions; switched through a question, because switching off leaves versions behind. */
export function VersioningCell({ bucket }: { bucket: Bucket }) {
  const t = useT()
  const { name } = bucket
  const { data, error } = useQuery(q('getBucketVersioning', { params: { bucket: name } }))
  const needs = useNeeds({ bucket: name })
  const locked = bucket.details?.locking === true
  const on = data?.is_versioned === true
  const suspended = !on && bucket.details?.versioningSuspended === true

  const ask = () =>
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
        await call('setBucketVersioning', { params: { bucket: name }, body: { versioning: !on } })
        toast.ok(on ? t('Versioning of {{name}} disabled', { name }) : t('Versioning of {{name}} enabled', { name }))
        await invalidate('getBucketVersioning', 'getBucket', 'listBuckets')
      },
    })

  const reason = needs('s3:PutBucketVersioning') || (locked && t('Object locking requires versioning.'))
  return (
    <Cell label={t('Versioning')} onEdit={data && ask} disabled={reason}>
      {error && <CellFailure error={error} action="s3:GetBucketVersioning" />}
      {data && (
        <>
          <CellValue>
            <Mark state={on ? 'ok' : 'off'}>{on ? t('Enabled') : suspended ? t('Suspended') : t('Disabled')}</Mark>
          </CellValue>
          <CellNote>
            {on
              ? t('Every version of an object is kept.')
              : suspended
                ? t('New objects replace old ones. Older versions are kept.')
                : t('Overwritten or deleted objects cannot be restored.')}
          </CellNote>
        </>
      )}
    </Cell>
  )
}
