import { PasswordInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useChange } from '../../lib/changes/change.ts'
import { parseLocalTimeField } from '../../lib/text/date-fields.ts'
import { useT } from '../../lib/text/i18n.ts'
import { FormModal } from '../../ui/dialog/FormModal.tsx'
import { SwitchField } from '../../ui/form/SwitchField.tsx'
import { TextField } from '../../ui/form/TextField.tsx'
import { loadable } from '../../ui/lazy/loadable.tsx'
import type { NewCredentials } from './credentials.ts'

const PolicyEditor = loadable(async () => (await import('../policies/editor/PolicyEditor.tsx')).PolicyEditor)

interface CreateServiceAccountModalProps {
  /** The user; the caller by default. */
  user?: string | undefined
  onCreated: (credentials: NewCredentials) => void
  onClose: () => void
}

const initial = {
  restricted: false,
  policy: '',
  customized: false,
  accessKey: '',
  secretKey: '',
  name: '',
  description: '',
  expiration: '',
}

/** The dialog to create a service account, optionally with a policy and chosen keys. */
export function CreateServiceAccountModal({ user, onCreated, onClose }: CreateServiceAccountModalProps) {
  const t = useT()
  const form = useForm({ initialValues: initial })
  const { restricted, customized, accessKey, secretKey, policy } = form.values
  const done = {
    onDone: (keys: { accessKey: string; secretKey: string }) => {
      onClose()
      onCreated({ console: [keys] })
    },
  }
  const own = useChange('createServiceAccount', done)
  const ownKeys = useChange('createServiceAccountCredentials', done)
  const ofUser = useChange('createUserServiceAccount', done)
  const ofUserKeys = useChange('createUserServiceAccountCredentials', done)
  const used = user === undefined ? (customized ? ownKeys : own) : customized ? ofUserKeys : ofUser

  const submit = (values: typeof initial) => {
    const body = {
      policy: values.restricted ? values.policy : '',
      ...(values.name === '' ? {} : { name: values.name.trim() }),
      ...(values.description === '' ? {} : { description: values.description }),
      ...(values.expiration === '' ? {} : { expiration: parseLocalTimeField(values.expiration) }),
    }
    const keys = { accessKey: values.accessKey.trim(), secretKey: values.secretKey }
    if (user === undefined) {
      if (values.customized) ownKeys.run({ body: { ...body, ...keys } })
      else own.run({ body })
    } else if (values.customized) ofUserKeys.run({ params: { user }, body: { ...body, ...keys } })
    else ofUser.run({ params: { user }, body })
  }

  return (
    <FormModal
      wide={restricted}
      title={t('Create Service Account')}
      {...(user === undefined ? {} : { subject: user })}
      form={form}
      change={used}
      onClose={onClose}
      submit={t('Create')}
      ready={(!customized || (accessKey.trim() !== '' && secretKey !== '')) && (!restricted || policy.trim() !== '')}
      onSubmit={submit}
    >
      <p className="ink-2">{t('A service account has the policies of its user and of the groups of its user.')}</p>
      <TextField
        label={t('Name')}
        hint={t('At most 32 letters, digits, "_" and "-"; the first one is a letter.')}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <TextField label={t('Description')} {...form.getInputProps('description')} />
      <TextField
        type="datetime-local"
        label={t('Expires')}
        hint={t('Empty: it does not expire.')}
        {...form.getInputProps('expiration')}
      />
      <SwitchField label={t('Customize Credentials')} {...form.getInputProps('customized', { type: 'checkbox' })} />
      {customized && (
        <>
          <TextField label={t('Access Key')} {...form.getInputProps('accessKey')} />
          <PasswordInput label={t('Secret Key')} autoComplete="new-password" {...form.getInputProps('secretKey')} />
        </>
      )}
      <SwitchField
        label={t('Restrict with policy')}
        hint={t('The policy cannot be changed after the service account is created.')}
        {...form.getInputProps('restricted', { type: 'checkbox' })}
      />
      {restricted && (
        <PolicyEditor
          label={t('Policy')}
          purpose="service-account"
          value={policy}
          onChange={(text) => form.setFieldValue('policy', text)}
        />
      )}
    </FormModal>
  )
}
