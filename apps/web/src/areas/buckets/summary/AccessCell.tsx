import type { Bucket } from '@stowage/contract'
import { lazy, Suspense, useState } from 'react'
import { useT } from '../../../lib/i18n.ts'
import { usePermissions } from '../../../lib/permissions.ts'
import { Cell, CellNote, CellValue } from '../../../ui/Cell.tsx'
import { Needs } from '../../../ui/Disabled.tsx'
import { AccessMark } from '../../../ui/Mark.tsx'
import { accessWord, isPublic } from '../bucket-facts.ts'

const AccessModal = lazy(async () => ({ default: (await import('./AccessModal.tsx')).AccessModal }))

const consequence = {
  PRIVATE: 'Only users whose policy allows it reach the objects.',
  PUBLIC: 'Everyone can read and write the objects, without signing in.',
  CUSTOM: 'The bucket has a policy of its own.',
} as const

/** Who may reach the bucket. */
export function AccessCell({ bucket, span }: { bucket: Bucket; span: 2 | 3 }) {
  const t = useT()
  const [editing, setEditing] = useState(false)
  const can = usePermissions(['s3:PutBucketPolicy'], bucket.name)['s3:PutBucketPolicy']
  return (
    <Cell
      label={t('Access Policy')}
      span={span}
      onEdit={() => setEditing(true)}
      disabled={can === false && <Needs action="s3:PutBucketPolicy" />}
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
      {editing && (
        <Suspense>
          <AccessModal bucket={bucket} onClose={() => setEditing(false)} />
        </Suspense>
      )}
    </Cell>
  )
}
