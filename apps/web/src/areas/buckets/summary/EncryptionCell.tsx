import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../../lib/api/query.ts'
import { isNotFound } from '../../../lib/api/query-result.ts'
import { useT } from '../../../lib/text/i18n.ts'
import { useDisabledReason } from '../../../ui/controls/Disabled.tsx'
import { StatusIcon } from '../../../ui/icons/StatusIcon.tsx'
import { loadableDialog } from '../../../ui/lazy/loadable.tsx'
import { Cell, CellNote, CellValue } from '../../../ui/page/Cell.tsx'
import type { BucketEncryption } from './bucket-encryption.ts'
import { CellFailure } from './CellFailure.tsx'

const EncryptionModal = loadableDialog(async () => (await import('./EncryptionModal.tsx')).EncryptionModal)

/** The cell that shows whether new objects are encrypted, and with which key. */
export function EncryptionCell({ bucket }: { bucket: string }) {
  const t = useT()
  const [editing, setEditing] = useState(false)
  const query = useQuery(q('getBucketEncryption', { params: { bucket } }))
  const needs = useDisabledReason({ bucket })
  // As in the original console, 404 means that the bucket is not encrypted.
  const current: BucketEncryption | undefined = isNotFound(query) ? null : query.data
  // A query without data forgets its 404 while it is read again. The open dialog must stay.
  const [last, setLast] = useState<BucketEncryption | undefined>(current)
  if (current !== undefined && current !== last) setLast(current)
  const encryption = query.isPending ? last : current
  const isKms = encryption !== null && encryption?.algorithm !== 'AES256'
  return (
    <Cell
      label={t('Encryption')}
      onEdit={encryption === undefined ? undefined : () => setEditing(true)}
      disabled={needs('s3:PutEncryptionConfiguration')}
    >
      {query.error && encryption !== null && <CellFailure error={query.error} action="s3:GetEncryptionConfiguration" />}
      {encryption !== undefined && (
        <>
          <CellValue>
            <StatusIcon state={encryption ? 'ok' : 'off'}>{encryption ? t('Enabled') : t('Disabled')}</StatusIcon>
          </CellValue>
          <CellNote>
            {!encryption && t('New objects are encrypted only if their upload asks for it.')}
            {encryption && !isKms && t('New objects are encrypted with keys of the server (SSE-S3).')}
            {encryption && isKms && encryption.kmsMasterKeyID === '' && t('SSE-KMS with the default key')}
            {encryption &&
              isKms &&
              encryption.kmsMasterKeyID !== '' &&
              t('SSE-KMS with the key {{key}}', { key: encryption.kmsMasterKeyID })}
          </CellNote>
        </>
      )}
      {editing && encryption !== undefined && (
        <EncryptionModal bucket={bucket} encryption={encryption} onClose={() => setEditing(false)} />
      )}
    </Cell>
  )
}
