import type { Bucket } from '@stowage/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../../lib/api/query.ts'
import { formatPercentParts, formatSize } from '../../../lib/text/format.ts'
import { useT } from '../../../lib/text/i18n.ts'
import { useDisabledReason } from '../../../ui/controls/Disabled.tsx'
import { StatusIcon } from '../../../ui/icons/StatusIcon.tsx'
import { loadableDialog } from '../../../ui/lazy/loadable.tsx'
import { Cell, CellNote, CellValue } from '../../../ui/page/Cell.tsx'
import { Gauge, NEAR_LIMIT_SHARE } from '../../../ui/values/Gauge.tsx'
import { BigFigure } from '../../../ui/values/Size.tsx'
import css from '../styles/buckets.module.css'
import { CellFailure } from './CellFailure.tsx'

const QuotaModal = loadableDialog(async () => (await import('./QuotaModal.tsx')).QuotaModal)

/** The cell that shows how much of its quota the bucket uses. */
export function QuotaCell({ bucket }: { bucket: Bucket }) {
  const t = useT()
  const [editing, setEditing] = useState(false)
  const { data, error } = useQuery(q('getBucketQuota', { params: { bucket: bucket.name } }))
  const needs = useDisabledReason({ bucket: bucket.name })
  const limit = data?.quota ?? 0
  return (
    <Cell label={t('Quota')} onEdit={data && (() => setEditing(true))} disabled={needs('admin:SetBucketQuota')}>
      {error && <CellFailure error={error} action="admin:GetBucketQuota" />}
      {data && limit === 0 && (
        <>
          <CellValue>
            <StatusIcon state="off">{t('Disabled')}</StatusIcon>
          </CellValue>
          <CellNote>{t('No limit. The bucket can use all available space.')}</CellNote>
        </>
      )}
      {limit > 0 && <QuotaUse used={bucket.size} limit={limit} type={data?.type ?? 'hard'} />}
      {editing && data && (
        <QuotaModal bucket={bucket.name} used={bucket.size} quota={data} onClose={() => setEditing(false)} />
      )}
    </Cell>
  )
}

function QuotaUse({ used, limit, type }: { used: number; limit: number; type: 'hard' | 'fifo' }) {
  const t = useT()
  const share = used / limit
  const { value, unit } = formatPercentParts(share)
  return (
    <>
      <BigFigure value={value} unit={unit} tight />
      <CellNote>
        {type === 'hard'
          ? t('of {{size}}, hard limit', { size: formatSize(limit) })
          : t('of {{size}}, FIFO', { size: formatSize(limit) })}
      </CellNote>
      <div className={css.bar}>
        <Gauge share={share} thick />
      </div>
      <div className={css.ends}>
        <span>{t('{{size}} used', { size: formatSize(used) })}</span>
        <span>{t('{{size}} left', { size: formatSize(limit - used) })}</span>
      </div>
      {share >= NEAR_LIMIT_SHARE && (
        <p className={css.warning}>
          <StatusIcon state="warn">{share >= 1 ? t('Full: writes are refused') : t('Near its quota')}</StatusIcon>
        </p>
      )}
    </>
  )
}
