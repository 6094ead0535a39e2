import { PasswordInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Output } from '@stowage/contract'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../lib/api/query.ts'
import { useChange } from '../../lib/changes/change.ts'
import { useT } from '../../lib/text/i18n.ts'
import { requiredRule } from '../../lib/text/required-field.ts'
import { validateSecretKeyLength } from '../../lib/text/secret-key-rules.ts'
import { FormModal } from '../../ui/dialog/FormModal.tsx'
import { PickList } from '../../ui/form/PickList.tsx'
import { TextField } from '../../ui/form/TextField.tsx'

const groupNames = ({ groups }: Output<'listGroups'>) => groups
const policyNames = ({ policies }: Output<'listPolicies'>) => policies.map(({ name }) => name)

/** The dialog to create a user with groups and policies. A new user is enabled. */
export function CreateUserModal({ onClose }: { onClose: () => void }) {
  const t = useT()
  const groups = useQuery({ ...q('listGroups', {}), select: groupNames })
  const policies = useQuery({ ...q('listPolicies', {}), select: policyNames })
  const form = useForm({
    initialValues: { accessKey: '', secretKey: '', groups: [] as string[], policies: [] as string[] },
    validate: { accessKey: requiredRule(t), secretKey: validateSecretKeyLength(t) },
  })
  const create = useChange('createUser', {
    onDone: onClose,
    message: ({ accessKey }) => t('User {{name}} created', { name: accessKey }),
  })
  const { accessKey, secretKey } = form.values
  return (
    <FormModal
      title={t('Create User')}
      form={form}
      change={create}
      onClose={onClose}
      ready={accessKey.trim() !== '' && secretKey.trim() !== ''}
      onSubmit={(values) => create.run({ body: { ...values, accessKey: values.accessKey.trim() } })}
    >
      <TextField label={t('Access Key')} data-autofocus {...form.getInputProps('accessKey')} />
      <PasswordInput label={t('Secret Key')} autoComplete="new-password" {...form.getInputProps('secretKey')} />
      <PickList
        label={t('Policies')}
        search={t('Search Policies')}
        empty={t('No Policies Available')}
        query={policies}
        value={form.values.policies}
        onChange={(names) => form.setFieldValue('policies', names)}
      />
      <PickList
        label={t('Groups')}
        search={t('Search Groups')}
        empty={t('No Groups Available')}
        query={groups}
        value={form.values.groups}
        onChange={(names) => form.setFieldValue('groups', names)}
      />
    </FormModal>
  )
}
