import { PasswordInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useChange } from '../../lib/changes/change.ts'
import { useT } from '../../lib/text/i18n.ts'
import { validateSecretKeyLength } from '../../lib/text/secret-key-rules.ts'
import { FormModal } from '../../ui/dialog/FormModal.tsx'

/** The dialog to set the secret key of another user. */
export function ChangeUserPasswordModal({ user, onClose }: { user: string; onClose: () => void }) {
  const t = useT()
  const form = useForm({
    initialValues: { newSecretKey: '', repeated: '' },
    validate: { newSecretKey: validateSecretKeyLength(t) },
  })
  const save = useChange('changeUserPassword', {
    onDone: onClose,
    message: () => t('Password of {{name}} changed', { name: user }),
  })
  const { newSecretKey, repeated } = form.values
  return (
    <FormModal
      title={t('Change User Password')}
      subject={user}
      form={form}
      change={save}
      onClose={onClose}
      ready={repeated !== '' && repeated === newSecretKey}
      onSubmit={(values) => save.run({ body: { selectedUser: user, newSecretKey: values.newSecretKey } })}
    >
      <p className="ink-2">{t('The sessions of the user end. Service accounts keep working.')}</p>
      <PasswordInput
        label={t('New Password')}
        autoComplete="new-password"
        data-autofocus
        {...form.getInputProps('newSecretKey')}
      />
      <PasswordInput
        label={t('Type New Password Again')}
        autoComplete="new-password"
        {...form.getInputProps('repeated')}
        error={
          repeated !== '' &&
          repeated.length >= newSecretKey.length &&
          repeated !== newSecretKey &&
          t("New passwords don't match")
        }
      />
    </FormModal>
  )
}
