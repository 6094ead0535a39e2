import { useForm } from '@mantine/form'
import type { Retention } from '@stowage/contract'
import { useChange } from '../../../lib/api/change.ts'
import { useT } from '../../../lib/text/i18n.ts'
import { FormModal } from '../../../ui/FormModal.tsx'
import { defaultRetention, isRetention, RetentionFields, type RetentionValues } from '../RetentionFields.tsx'

interface RetentionModalProps {
  bucket: string
  /** Undefined if none is set. */
  retention: Retention | undefined
  onClose: () => void
}

/** The dialog to set the default retention of a bucket. */
export function RetentionModal({ bucket, retention, onClose }: RetentionModalProps) {
  const t = useT()
  const form = useForm<RetentionValues>({ initialValues: retention ?? defaultRetention })
  const save = useChange('setBucketRetention', {
    onDone: onClose,
    message: () => t('Retention of {{name}} updated', { name: bucket }),
  })
  return (
    <FormModal
      title={t('Bucket Retention')}
      subject={bucket}
      form={form}
      change={save}
      onClose={onClose}
      ready={isRetention(form.values)}
      onSubmit={(body) => isRetention(body) && save.run({ params: { bucket }, body })}
    >
      <RetentionFields values={form.values} bind={form.getInputProps} />
      <p className="small ink-3">{t('It applies to new versions. Versions that are locked already stay locked.')}</p>
    </FormModal>
  )
}
