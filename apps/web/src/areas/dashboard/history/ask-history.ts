import { change } from '../../../lib/changes/change.ts'
import { confirm, confirmDelete } from '../../../lib/feedback/confirm.ts'
import { t } from '../../../lib/text/i18n.ts'

export function askKeepHistory(): void {
  confirm({
    title: t('Keep History'),
    body: t(
      'The console creates a service account for you that may read metrics, server info, storage info and data usage, and nothing else. Its key is stored encrypted in the data folder of the console.',
    ),
    action: t('Keep History'),
    run: () => change('keepHistory', {}, { message: () => t('History is kept from now on') }),
  })
}

export function askEndHistory(): void {
  confirmDelete({
    title: t('End History'),
    name: '',
    body: t('The service account will be deleted. The recorded history stays in the data folder of the console.'),
    run: () => change('endHistory', {}, { message: () => t('History has ended') }),
  })
}
