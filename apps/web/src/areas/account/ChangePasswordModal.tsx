import { PasswordInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useChange } from '../../lib/changes/change.ts'
import { useT } from '../../lib/text/i18n.ts'
import { validateSecretKeyLength } from '../../lib/text/secret-key-rules.ts'
import { FormModal } from '../../ui/dialog/FormModal.tsx'

/** The dialog to change the caller's own password. The session remains valid. */
export function ChangePasswordModal({ onClose }: { onClose: () => void }) {
  const t = useT()
  const form = useForm({
    initialValues: { current_secret_key: '', new_secret_key: '', repeated: '' },
    validate: {
      new_secret_key: validateSecretKeyLength(t),
      repeated: (text, { new_secret_key }) => (text === new_secret_key ? null : t("New passwords don't match")),
    },
  })
  const save = useChange('changePassword', { onDone: onClose, message: () => t('Password changed') })
  const { current_secret_key, new_secret_key, repeated } = form.values
  return (
    <FormModal
      title={t('Change Password')}
      form={form}
      change={save}
      onClose={onClose}
      ready={current_secret_key !== '' && new_secret_key !== '' && repeated !== ''}
      onSubmit={(values) =>
        save.run({
          body: { current_secret_key: values.current_secret_key, new_secret_key: values.new_secret_key },
        })
      }
    >
      <p className="ink-2">{t('Your other sessions end. Service accounts keep working.')}</p>
      <PasswordInput
        label={t('Current Password')}
        autoComplete="current-password"
        data-autofocus
        {...form.getInputProps('current_secret_key')}
      />
      <PasswordInput label={t('New Password')} autoComplete="new-password" {...form.getInputProps('new_secret_key')} />
      <PasswordInput
        label={t('Type New Password Again')}
        autoComplete="new-password"
        {...form.getInputProps('repeated')}
      />
    </FormModal>
  )
}
