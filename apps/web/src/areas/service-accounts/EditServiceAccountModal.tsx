import { PasswordInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Output } from '@stowage/contract'
import { formatPolicy, policyFromJson } from '@stowage/iam-policy'
import { useFreshRead } from '../../lib/api/fresh-read.ts'
import { useChange } from '../../lib/changes/change.ts'
import { localTimeField, parseLocalTimeField } from '../../lib/text/date-fields.ts'
import { useT } from '../../lib/text/i18n.ts'
import { Dialog } from '../../ui/dialog/Dialog.tsx'
import { FormModal } from '../../ui/dialog/FormModal.tsx'
import { QueryView } from '../../ui/feedback/QueryView.tsx'
import { SwitchField } from '../../ui/form/SwitchField.tsx'
import { TextField } from '../../ui/form/TextField.tsx'
import { loadable } from '../../ui/lazy/loadable.tsx'

const JsonEditor = loadable(async () => (await import('../../ui/code/JsonEditor.tsx')).JsonEditor)

/** The dialog to edit a service account. Its policy is shown but cannot be changed. */
export function EditServiceAccountModal({ accessKey, onClose }: { accessKey: string; onClose: () => void }) {
  const t = useT()
  const query = useFreshRead('getServiceAccount', { params: { accessKey } })
  if (query.data && query.error === null) return <EditServiceAccountForm account={query.data} onClose={onClose} />
  return (
    <Dialog title={t('Edit Service Account')} onClose={onClose}>
      <QueryView query={query} needs={{ action: 'admin:ListServiceAccounts' }}>
        {() => null}
      </QueryView>
    </Dialog>
  )
}

function EditServiceAccountForm({ account, onClose }: { account: Output<'getServiceAccount'>; onClose: () => void }) {
  const t = useT()
  const { accessKey } = account
  const before = localTimeField(account.expiration, 'minutes')
  const wasEnabled = account.status !== 'disabled'
  const form = useForm({
    initialValues: {
      name: account.name,
      description: account.description,
      expiration: before,
      enabled: wasEnabled,
      secretKey: '',
    },
  })
  const save = useChange('updateServiceAccount', {
    onDone: onClose,
    message: () => t('Service account {{name}} updated', { name: accessKey }),
  })
  return (
    <FormModal
      wide={account.inherits === false}
      title={t('Edit Service Account')}
      subject={accessKey}
      form={form}
      change={save}
      onClose={onClose}
      onSubmit={({ name, description, expiration, enabled, secretKey }) =>
        save.run({
          params: { accessKey },
          body: {
            ...(name === account.name ? {} : { name }),
            ...(description === account.description ? {} : { description }),
            ...(expiration === before ? {} : { expiration: parseLocalTimeField(expiration) ?? null }),
            ...(secretKey === '' ? {} : { secretKey }),
            ...(enabled === wasEnabled ? {} : { status: enabled ? 'enabled' : 'disabled' }),
          },
        })
      }
    >
      <TextField label={t('Name')} data-autofocus {...form.getInputProps('name')} />
      <TextField label={t('Description')} {...form.getInputProps('description')} />
      <TextField
        type="datetime-local"
        label={t('Expires')}
        hint={t('Empty: it does not expire.')}
        {...form.getInputProps('expiration')}
      />
      <SwitchField
        label={form.values.enabled ? t('Enabled') : t('Disabled')}
        {...form.getInputProps('enabled', { type: 'checkbox' })}
      />
      <PasswordInput
        label={t('New Secret Key')}
        description={t('Leave empty to keep it unchanged.')}
        autoComplete="new-password"
        {...form.getInputProps('secretKey')}
      />
      {account.inherits === false && (
        <JsonEditor
          label={t('Policy')}
          readOnly
          value={formatPolicy(policyFromJson(account.policy), { indent: 2 })}
          hint={t('The policy of a service account cannot be changed.')}
        />
      )}
    </FormModal>
  )
}
