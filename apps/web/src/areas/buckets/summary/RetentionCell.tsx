import type { Retention } from '@stowage/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../../lib/api/query.ts'
import { useT } from '../../../lib/text/i18n.ts'
import { Trans } from '../../../lib/text/Trans.tsx'
import { useDisabledReason } from '../../../ui/controls/Disabled.tsx'
import { StatusIcon } from '../../../ui/icons/StatusIcon.tsx'
import { loadableDialog } from '../../../ui/lazy/loadable.tsx'
import { Cell, CellNote, CellValue } from '../../../ui/page/Cell.tsx'
import { validityText } from '../settings/RetentionFields.tsx'
import { CellFailure } from './CellFailure.tsx'

const BucketRetentionModal = loadableDialog(
  async () => (await import('./BucketRetentionModal.tsx')).BucketRetentionModal,
)

/** The cell with the default retention of a bucket with object locking. */
export function RetentionCell({ bucket }: { bucket: string }) {
  const t = useT()
  const [editing, setEditing] = useState(false)
  const { data, error } = useQuery(q('getBucketRetention', { params: { bucket } }))
  const needs = useDisabledReason({ bucket })
  const { mode, unit, validity } = data ?? {}
  const retention: Retention | undefined = mode && unit && validity ? { mode, unit, validity } : undefined
  return (
    <Cell
      label={t('Retention')}
      onEdit={data && (() => setEditing(true))}
      disabled={needs('s3:PutBucketObjectLockConfiguration')}
    >
      {error && <CellFailure error={error} action="s3:GetBucketObjectLockConfiguration" />}
      {data && (
        <CellValue>
          <StatusIcon state={retention ? 'ok' : 'off'}>
            {retention ? t('Status: Enabled') : t('Status: Disabled')}
          </StatusIcon>
        </CellValue>
      )}
      {data && !retention && <CellNote>{t('New versions are not locked by default.')}</CellNote>}
      {retention && (
        <>
          <CellNote>
            <Trans
              text="Mode: <mode/>"
              parts={{ mode: retention.mode === 'compliance' ? t('Compliance') : t('Governance') }}
            />
          </CellNote>
          <CellNote>{validityText(retention, t)}</CellNote>
        </>
      )}
      {editing && data && <BucketRetentionModal bucket={bucket} retention={data} onClose={() => setEditing(false)} />}
    </Cell>
  )
}
