import type { Bucket } from '@stowage/contract'
import { useState } from 'react'
import { msg, useT } from '../../../lib/text/i18n.ts'
import { Cell, CellNote, CellValue } from '../../../ui/Cell.tsx'
import { Needs, useNeeds } from '../../../ui/Disabled.tsx'
import { loadableDialog } from '../../../ui/lazy/loadable.tsx'
import { AccessMark } from '../../../ui/Mark.tsx'
import { accesses, accessWord, actionFor, isPublic } from '../bucket-facts.ts'

const AccessModal = loadableDialog(async () => (await import('./AccessModal.tsx')).AccessModal)

const consequence = {
  PRIVATE: msg('Only users whose policy allows it can access the objects.'),
  PUBLIC: msg('Everyone can read and write the objects, without signing in.'),
  CUSTOM: msg('The bucket has its own policy.'),
} as const

/** Who may reach the bucket. */
export function AccessCell({ bucket, span }: { bucket: Bucket; span: 2 | 3 }) {
  const t = useT()
  const [editing, setEditing] = useState(false)
  const needs = useNeeds({ bucket: bucket.name })
  // Out of use only when there is no other access that it could be given.
  const missing = accesses.filter((access) => access !== bucket.access).map((access) => needs(actionFor[access]))
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
            <AccessMark open={isPublic(bucket)}>{t(accessWord[bucket.access])}</AccessMark>
          </CellValue>
          <CellNote>{t(consequence[bucket.access])}</CellNote>
        </>
      ) : (
        <CellNote>
          <Needs action="s3:GetBucketPolicy" />
        </CellNote>
      )}
      {editing && <AccessModal bucket={bucket} onClose={() => setEditing(false)} />}
    </Cell>
  )
}
