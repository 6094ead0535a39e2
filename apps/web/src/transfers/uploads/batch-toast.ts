import { toast } from '../../lib/feedback/toast.ts'
import { t } from '../../lib/text/i18n.ts'
import type { UploadBatch } from './upload-task.ts'

/** Reports the result of files that were chosen together; the reason of each failure is in the tray. */
export function showBatchResult({ stored, failed }: Readonly<UploadBatch>) {
  if (failed > 1) toast.error(t('An error occurred while uploading the files'))
  else if (failed === 1) toast.error(t('An error occurred while uploading the file'))
  else if (stored > 1) toast.ok(t('Objects uploaded successfully.'))
  else if (stored === 1) toast.ok(t('Object uploaded successfully.'))
}
