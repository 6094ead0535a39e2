import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../../lib/api/query.ts'
import { formatList } from '../../../lib/text/format.ts'
import { plural, useT } from '../../../lib/text/i18n.ts'
import { useDisabledReason } from '../../../ui/controls/Disabled.tsx'
import { StatusIcon } from '../../../ui/icons/StatusIcon.tsx'
import { loadableDialog } from '../../../ui/lazy/loadable.tsx'
import { Cell, CellNote, CellValue } from '../../../ui/page/Cell.tsx'
import { CellFailure } from './CellFailure.tsx'

const CorsModal = loadableDialog(async () => (await import('./CorsModal.tsx')).CorsModal)

/** The cell with the origins whose pages may access the bucket. */
export function CorsCell({ bucket }: { bucket: string }) {
  const t = useT()
  const [editing, setEditing] = useState(false)
  const { data, error } = useQuery(q('getBucketCors', { params: { bucket } }))
  const needs = useDisabledReason({ bucket })
  const rules = data?.rules ?? []
  const origins = [...new Set(rules.flatMap(({ allowedOrigins }) => allowedOrigins))]
  return (
    <Cell label={t('CORS')} onEdit={data && (() => setEditing(true))} disabled={needs('s3:PutBucketCors')}>
      {error && <CellFailure error={error} action="s3:GetBucketCors" />}
      {data && (
        <>
          <CellValue>
            {rules.length > 0 ? (
              <StatusIcon state="ok">
                {t(plural('{{count}} rule', '{{count}} rules'), { count: rules.length })}
              </StatusIcon>
            ) : (
              <StatusIcon state="off">{t('Disabled')}</StatusIcon>
            )}
          </CellValue>
          <CellNote>
            {rules.length > 0
              ? t('Pages of {{origins}}', { origins: formatList(origins) })
              : t('Pages of other origins cannot read the bucket.')}
          </CellNote>
        </>
      )}
      {editing && data && <CorsModal bucket={bucket} rules={data.rules} onClose={() => setEditing(false)} />}
    </Cell>
  )
}
