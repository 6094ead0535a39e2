import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../../lib/api/query.ts'
import { useT } from '../../../lib/text/i18n.ts'
import { useDisabledReason } from '../../../ui/controls/Disabled.tsx'
import { loadableDialog } from '../../../ui/lazy/loadable.tsx'
import { Cell, CellNote } from '../../../ui/page/Cell.tsx'
import css from '../styles/buckets.module.css'
import { CellFailure } from './CellFailure.tsx'

const TagsModal = loadableDialog(async () => (await import('./TagsModal.tsx')).TagsModal)

/** The cell with the tags of a bucket. */
export function TagsCell({ bucket, span }: { bucket: string; span: 1 | 2 }) {
  const t = useT()
  const [editing, setEditing] = useState(false)
  const { data, error } = useQuery(q('getBucketTags', { params: { bucket } }))
  const needs = useDisabledReason({ bucket })
  const tags = Object.entries(data?.tags ?? {})
  return (
    <Cell
      label={t('Tags')}
      span={span}
      onEdit={data && (() => setEditing(true))}
      disabled={needs('s3:PutBucketTagging')}
    >
      {error && <CellFailure error={error} action="s3:GetBucketTagging" />}
      {data && tags.length === 0 && <CellNote>{t('None')}</CellNote>}
      {tags.length > 0 && (
        <ul className={css.tags}>
          {tags.map(([key, value]) => (
            <li key={key} title={`${key}=${value}`}>
              <span className="ink-3">{key}</span> {value}
            </li>
          ))}
        </ul>
      )}
      {editing && data && <TagsModal bucket={bucket} tags={data.tags} onClose={() => setEditing(false)} />}
    </Cell>
  )
}
