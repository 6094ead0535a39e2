import type { UnfinishedUpload } from '@stowage/contract'
import { formatSize } from '../../../lib/text/format.ts'
import { plural, useT } from '../../../lib/text/i18n.ts'
import { plainName } from '../../../lib/text/visible-name.ts'
import { BulkDialog } from '../../../ui/dialog/BulkDialog.tsx'

interface AbortUploadsModalProps {
  bucket: string
  uploads: readonly UnfinishedUpload[]
  onClose: () => void
}

/** The dialog to abort the selected uploads, which deletes their parts. */
export function AbortUploadsModal({ bucket, uploads, onClose }: AbortUploadsModalProps) {
  const t = useT()
  const byName = new Map(uploads.map((upload) => [uploadName(upload), upload]))
  const bytes = uploads.reduce((sum, { size = 0 }) => sum + size, 0)
  return (
    <BulkDialog
      title={t(plural('Abort {{count}} upload', 'Abort {{count}} uploads'), { count: uploads.length })}
      body={t('The parts ({{size}}) will be deleted. An upload that is running now will fail.', {
        size: formatSize(bytes),
      })}
      names={[...byName.keys()]}
      operation="abortUpload"
      input={(name) => {
        const { key = '', upload_id: uploadId = '' } = byName.get(name) ?? {}
        return { params: { bucket, uploadId }, query: { prefix: key } }
      }}
      done={t('Aborted')}
      progress={(aborted, total) => t('{{aborted}} of {{total}} aborted', { aborted, total })}
      failed={(count) =>
        t(plural('{{count}} upload could not be aborted', '{{count}} uploads could not be aborted'), { count })
      }
      message={(count) => t(plural('{{count}} upload aborted', '{{count}} uploads aborted'), { count })}
      danger
      onClose={onClose}
    />
  )
}

/** Several uploads can have the same key, so the name includes the end of the upload ID. */
const uploadName = ({ key, upload_id: id }: UnfinishedUpload) => `${plainName(key)} (${id.slice(-12)})`
