import type { Bucket } from '@stowage/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../../lib/api/query.ts'
import { useT } from '../../../lib/text/i18n.ts'
import { Disabled, MissingPermission, useDisabledReason } from '../../../ui/controls/Disabled.tsx'
import { AccessIcon } from '../../../ui/icons/StatusIcon.tsx'
import { loadableDialog } from '../../../ui/lazy/loadable.tsx'
import { Cell, CellNote, CellValue } from '../../../ui/page/Cell.tsx'
import {
  bucketAccessChoices,
  bucketAccessMeaning,
  bucketAccessText,
  isPublicBucket,
  setAccessActions,
} from '../bucket/bucket-facts.ts'
import css from '../styles/buckets.module.css'

const BucketPolicyModal = loadableDialog(async () => (await import('./BucketPolicyModal.tsx')).BucketPolicyModal)
const AccessModal = loadableDialog(async () => (await import('./AccessModal.tsx')).AccessModal)

/** The cell that shows who can access the bucket. */
export function AccessCell({ bucket, span }: { bucket: Bucket; span: 2 | 3 }) {
  const t = useT()
  const [editing, setEditing] = useState(false)
  const [writing, setWriting] = useState(false)
  const policy = useQuery({ ...q('getBucketPolicy', { params: { bucket: bucket.name } }), enabled: writing })
  const needs = useDisabledReason({ bucket: bucket.name })
  // Disabled only if the user has no right to set any other access.
  const missing = bucketAccessChoices
    .filter((access) => access !== bucket.access)
    .map((access) => needs(setAccessActions[access]))
  return (
    <Cell
      label={t('Access Policy')}
      span={span}
      onEdit={() => setEditing(true)}
      disabled={missing.every(Boolean) && missing[0]}
    >
      {bucket.access ? (
        <>
          <CellValue>
            <AccessIcon open={isPublicBucket(bucket)}>{t(bucketAccessText(bucket))}</AccessIcon>
          </CellValue>
          <CellNote>{t(bucketAccessMeaning(bucket))}</CellNote>
          <p className={css.more}>
            <Disabled reason={needs('s3:PutBucketPolicy')}>
              <button type="button" className="link" onClick={() => setWriting(true)}>
                {t('Edit Bucket Policy')}
              </button>
            </Disabled>
          </p>
        </>
      ) : (
        <CellNote>
          <MissingPermission action="s3:GetBucketPolicy" />
        </CellNote>
      )}
      {writing && policy.data && (
        <BucketPolicyModal bucket={bucket.name} policy={policy.data.policy} onClose={() => setWriting(false)} />
      )}
      {editing && <AccessModal bucket={bucket} onClose={() => setEditing(false)} />}
    </Cell>
  )
}
