import { toast } from '../../lib/feedback/toast.ts'
import { t } from '../../lib/text/i18n.ts'
import type { Batch } from '../engine/upload-task.ts'

/** Tells how the files that were chosen together ended; each failure has its reason in the tray. */
export function tellBatch({ stored, failed }: Readonly<Batch>) {
  if (failed > 1) toast.error(t('An error occurred while uploading the files'))
  else if (failed === 1) toast.error(t('An error occurred while uploading the file'))
  else if (stored > 1) toast.ok(t('Objects uploaded successfully.'))
  else if (stored === 1) toast.ok(t('Object uploaded successfully.'))
}
