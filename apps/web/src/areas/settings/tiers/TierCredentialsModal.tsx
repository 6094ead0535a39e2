import { PasswordInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useChange } from '../../../lib/changes/change.ts'
import { useT } from '../../../lib/text/i18n.ts'
import { FormModal } from '../../../ui/dialog/FormModal.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { TextField } from '../../../ui/form/TextField.tsx'
import { TierCredentialsFile } from './TierForm.tsx'
import type { TierKind, TierRow } from './tier-kinds.ts'

/** The dialog to replace the credentials of a tier. */
export function TierCredentialsModal({ tier, onClose }: { tier: TierRow; onClose: () => void }) {
  const t = useT()
  const { type, name } = tier
  const form = useForm({ initialValues: { access_key: '', secret_key: '', creds: '' } })
  const save = useChange('setTierCredentials', {
    onDone: onClose,
    message: () => t('Credentials of {{name}} updated', { name }),
  })
  const { access_key, secret_key, creds } = form.values
  const isComplete = type === 'gcs' ? creds !== '' : access_key !== '' && secret_key !== ''
  return (
    <FormModal
      title={t('Update Credentials - {{type}} / {{name}}', { type, name })}
      form={form}
      change={save}
      onClose={onClose}
      ready={isComplete && name !== ''}
      onSubmit={() =>
        save.run({
          params: { type: type as TierKind, name },
          body: type === 'gcs' ? { creds } : { access_key, secret_key },
        })
      }
    >
      {name === '' && <Banner kind="bad">{t('There was an error retrieving tier information')}</Banner>}
      {type === 'gcs' ? (
        <TierCredentialsFile onRead={(text) => form.setFieldValue('creds', text)} />
      ) : (
        <>
          <TextField
            label={type === 'azure' ? t('Account Name') : t('Access Key')}
            data-autofocus
            {...form.getInputProps('access_key')}
          />
          <PasswordInput
            label={type === 'azure' ? t('Account Key') : t('Secret Key')}
            autoComplete="new-password"
            {...form.getInputProps('secret_key')}
          />
        </>
      )}
    </FormModal>
  )
}
