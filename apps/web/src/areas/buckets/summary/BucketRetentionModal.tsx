import { useForm } from '@mantine/form'
import type { Output } from '@stowage/contract'
import { useChange } from '../../../lib/changes/change.ts'
import { type Translate, useT } from '../../../lib/text/i18n.ts'
import { ConflictNotice, useEditBase } from '../../../ui/dialog/ConflictNotice.tsx'
import { FormModal } from '../../../ui/dialog/FormModal.tsx'
import { SwitchField } from '../../../ui/form/SwitchField.tsx'
import {
  initialRetention,
  isCompleteRetention,
  RetentionFields,
  type RetentionValues,
  validityText,
} from '../settings/RetentionFields.tsx'

interface BucketRetentionModalProps {
  bucket: string
  /** Empty if none is set. */
  retention: Output<'getBucketRetention'>
  onClose: () => void
}

/** The dialog to set or remove the default retention of a bucket. */
export function BucketRetentionModal({ bucket, retention, onClose }: BucketRetentionModalProps) {
  const t = useT()
  const { mode = initialRetention.mode, unit = initialRetention.unit, validity = initialRetention.validity } = retention
  const form = useForm<RetentionValues & { enabled: boolean }>({
    initialValues: { enabled: true, mode, unit, validity },
  })
  const { enabled } = form.values
  const set = useChange('setBucketRetention', {
    onDone: onClose,
    message: () => t('Retention of {{name}} updated', { name: bucket }),
  })
  const remove = useChange('deleteBucketRetention', {
    onDone: onClose,
    message: () => t('Retention of {{name}} removed', { name: bucket }),
  })
  const save = enabled ? set : remove
  const { before, changedTo } = useEditBase(retention, save, 'getBucketRetention')
  return (
    <FormModal
      title={t('Bucket Retention')}
      subject={bucket}
      form={form}
      change={save}
      onClose={onClose}
      ready={!enabled || isCompleteRetention(form.values)}
      onSubmit={({ enabled: _, ...body }) => {
        const params = { bucket }
        if (!enabled) remove.run({ params, body: { before } })
        else if (isCompleteRetention(body)) set.run({ params, body: { ...body, before } })
      }}
    >
      {changedTo && <ConflictNotice text={retentionText(changedTo, t)} />}
      {before.mode !== undefined && (
        <SwitchField
          label={t('Enabled')}
          hint={t('Turning it off removes the default retention.')}
          {...form.getInputProps('enabled', { type: 'checkbox' })}
        />
      )}
      <RetentionFields values={form.values} bind={form.getInputProps} disabled={!enabled} />
      <p className="small ink-3">{t('It applies to new versions. Versions that are locked already stay locked.')}</p>
    </FormModal>
  )
}

function retentionText({ mode, unit, validity }: Output<'getBucketRetention'>, t: Translate): string {
  if (!mode || !unit || !validity) return ''
  return `${mode === 'compliance' ? t('Compliance') : t('Governance')}, ${validityText({ unit, validity }, t)}`
}
