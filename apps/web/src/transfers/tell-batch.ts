import { t } from '../lib/i18n.ts'
import { toast } from '../lib/toast.ts'
import type { Batch } from './upload-task.ts'

/** Tells how the files that were chosen together ended; each failure has its reason in the tray. */
export function tellBatch({ stored, failed }: Readonly<Batch>) {
  if (failed > 1) toast.error(t('An error occurred while uploading the files'))
  else if (failed === 1) toast.error(t('An error occurred while uploading the file'))
  else if (stored > 1) toast.ok(t('Objects uploaded successfully.'))
  else if (stored === 1) toast.ok(t('Object uploaded successfully.'))
}
