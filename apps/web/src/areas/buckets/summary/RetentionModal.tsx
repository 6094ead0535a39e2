import { useForm } from '@mantine/form'
import type { Output } from '@stowage/contract'
import { useChange } from '../../../lib/api/change.ts'
import { type Translate, useT } from '../../../lib/text/i18n.ts'
import { FormModal } from '../../../ui/FormModal.tsx'
import {
  defaultRetention,
  isRetention,
  RetentionFields,
  type RetentionValues,
  validityText,
} from '../RetentionFields.tsx'
import { ChangedMeanwhile, useBase } from './ChangedMeanwhile.tsx'

interface RetentionModalProps {
  bucket: string
  /** Empty if none is set. */
  retention: Output<'getBucketRetention'>
  onClose: () => void
}

/** The dialog to set the default retention of a bucket. */
export function RetentionModal({ bucket, retention, onClose }: RetentionModalProps) {
  const t = useT()
  const { mode = defaultRetention.mode, unit = defaultRetention.unit, validity = defaultRetention.validity } = retention
  const form = useForm<RetentionValues>({ initialValues: { mode, unit, validity } })
  const save = useChange('setBucketRetention', {
    onDone: onClose,
    message: () => t('Retention of {{name}} updated', { name: bucket }),
  })
  const { before, changedTo } = useBase(retention, save, 'getBucketRetention')
  return (
    <FormModal
      title={t('Bucket Retention')}
      subject={bucket}
      form={form}
      change={save}
      onClose={onClose}
      ready={isRetention(form.values)}
      onSubmit={(body) => isRetention(body) && save.run({ params: { bucket }, body: { ...body, before } })}
    >
      {changedTo && <ChangedMeanwhile text={textOf(changedTo, t)} />}
      <RetentionFields values={form.values} bind={form.getInputProps} />
      <p className="small ink-3">{t('It applies to new versions. Versions that are locked already stay locked.')}</p>
    </FormModal>
  )
}

function textOf({ mode, unit, validity }: Output<'getBucketRetention'>, t: Translate): string {
  if (!mode || !unit || !validity) return ''
  return `${mode === 'compliance' ? t('Compliance') : t('Governance')}, ${validityText({ unit, validity }, t)}`
}
