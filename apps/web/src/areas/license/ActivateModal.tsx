import { PasswordInput, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useChange } from '../../lib/changes/change.ts'
import { useT } from '../../lib/text/i18n.ts'
import { FormModal } from '../../ui/dialog/FormModal.tsx'
import { SegmentField } from '../../ui/form/SegmentField.tsx'
import { TextField } from '../../ui/form/TextField.tsx'

/** The dialog to activate a license for the cluster, by its key or by the vendor account. */
export function ActivateModal({ onClose }: { onClose: () => void }) {
  const t = useT()
  const form = useForm({
    initialValues: { by: 'key' as 'key' | 'account', license: '', email: '', password: '' },
  })
  const activate = useChange('validateSubscription', {
    onDone: onClose,
    message: ({ organization }) => t('License of {{organization}} activated', { organization }),
  })
  const { by, license, email, password } = form.values
  return (
    <FormModal
      title={t('Activate License')}
      form={form}
      change={activate}
      onClose={onClose}
      submit={t('Activate')}
      ready={by === 'key' ? license.trim() !== '' : email.trim() !== '' && password !== ''}
      onSubmit={() =>
        activate.run({
          body: by === 'key' ? { license, email: '', password: '' } : { license: '', email, password },
        })
      }
    >
      <SegmentField
        label={t('Activate by')}
        data={[
          { value: 'key', label: t('License Key') },
          { value: 'account', label: t('SUBNET Account') },
        ]}
        {...form.getInputProps('by')}
      />
      {by === 'key' ? (
        <Textarea
          label={t('License Key')}
          rows={6}
          spellCheck={false}
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('license')}
        />
      ) : (
        <>
          <TextField label={t('Email')} type="email" {...form.getInputProps('email')} />
          <PasswordInput label={t('Password')} autoComplete="off" {...form.getInputProps('password')} />
        </>
      )}
    </FormModal>
  )
}
