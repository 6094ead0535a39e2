import { useForm } from '@mantine/form'
import { bucketPolicyFromJson, formatPolicy } from '@stowage/iam-policy'
import { useChange } from '../../../lib/changes/change.ts'
import { useT } from '../../../lib/text/i18n.ts'
import { ConflictNotice, useEditBase } from '../../../ui/dialog/ConflictNotice.tsx'
import { FormModal } from '../../../ui/dialog/FormModal.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { SwitchField } from '../../../ui/form/SwitchField.tsx'
import { PolicyEditor } from '../../policies/editor/PolicyEditor.tsx'

interface BucketPolicyModalProps {
  bucket: string
  /** As JSON; empty if the bucket has no policy. */
  policy: string
  onClose: () => void
}

/** The dialog to edit a bucket policy as JSON. */
export function BucketPolicyModal({ bucket, policy, onClose }: BucketPolicyModalProps) {
  const t = useT()
  const form = useForm({ initialValues: { policy: indentPolicy(policy), force: false } })
  const save = useChange('setBucketPolicy', {
    onDone: onClose,
    message: () => t('Policy of {{bucket}} updated', { bucket }),
  })
  const { before, changedTo } = useEditBase(policy, save, 'getBucketPolicy')
  const locksOut = save.error?.reason === 'policy-locks-out'
  return (
    <FormModal
      wide
      title={t('Bucket Policy')}
      subject={bucket}
      form={form}
      change={save}
      onClose={onClose}
      onSubmit={(values) =>
        save.run({ params: { bucket }, body: { policy: values.policy.trim(), before, force: values.force } })
      }
    >
      {changedTo !== undefined && <ConflictNotice text={indentPolicy(changedTo)} />}
      <PolicyEditor
        label={t('Write Policy')}
        bucket={bucket}
        value={form.values.policy}
        onChange={(text) => form.setFieldValue('policy', text)}
      />
      {form.values.policy.trim() === '' && before !== '' && (
        <Banner kind="warn">{t('Saving an empty text removes the policy and all access rules.')}</Banner>
      )}
      {(locksOut || form.values.force) && (
        <SwitchField
          label={t('Save it anyway')}
          hint={t('Another administrator or root has to undo it.')}
          {...form.getInputProps('force', { type: 'checkbox' })}
        />
      )}
    </FormModal>
  )
}

function indentPolicy(policy: string): string {
  return policy === '' ? '' : formatPolicy(bucketPolicyFromJson(JSON.parse(policy)), { indent: 2 })
}
