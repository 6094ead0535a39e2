import { NativeSelect } from '@mantine/core'
import { useForm } from '@mantine/form'
import { type CannedPolicyName, cannedPolicies, formatPolicy } from '@stowage/iam-policy'
import { useState } from 'react'
import { useChange } from '../../lib/changes/change.ts'
import { useT } from '../../lib/text/i18n.ts'
import { requiredRule } from '../../lib/text/required-field.ts'
import { FormModal } from '../../ui/dialog/FormModal.tsx'
import { TextField } from '../../ui/form/TextField.tsx'
import { PolicyWorkbench } from './workbench/PolicyWorkbench.tsx'

const canned = cannedPolicies()

/** The dialog to create a policy, empty or based on a built-in policy. */
export function CreatePolicyModal({ onClose }: { onClose: () => void }) {
  const t = useT()
  const form = useForm({
    initialValues: { name: '', policy: '' },
    validate: { name: requiredRule(t) },
    validateInputOnBlur: ['name'],
  })
  const [start, setStart] = useState('')
  const create = useChange('createPolicy', {
    onDone: onClose,
    message: ({ name }) => t('Policy {{name}} created', { name }),
  })
  const begin = (name: string) => {
    setStart(name)
    form.setFieldValue('policy', name === '' ? '' : formatPolicy(canned[name as CannedPolicyName], { indent: 2 }))
  }
  return (
    <FormModal
      wide
      title={t('Create Policy')}
      form={form}
      change={create}
      onClose={onClose}
      ready={form.values.name.trim() !== '' && form.values.policy.trim() !== ''}
      onSubmit={({ name, policy }) => create.run({ body: { name: name.trim(), policy, create_only: true } })}
    >
      <TextField label={t('Policy Name')} data-autofocus {...form.getInputProps('name')} />
      <NativeSelect
        label={t('Start from')}
        value={start}
        onChange={(event) => begin(event.currentTarget.value)}
        data={[{ value: '', label: t('An empty policy') }, ...Object.keys(canned)]}
      />
      <PolicyWorkbench
        label={t('Write Policy')}
        value={form.values.policy}
        onChange={(text) => form.setFieldValue('policy', text)}
      />
    </FormModal>
  )
}
