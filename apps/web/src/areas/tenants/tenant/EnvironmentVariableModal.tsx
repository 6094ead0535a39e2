import { useForm } from '@mantine/form'
import { useChange } from '../../../lib/changes/change.ts'
import { useT } from '../../../lib/text/i18n.ts'
import { FormModal } from '../../../ui/dialog/FormModal.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { TextField } from '../../../ui/form/TextField.tsx'

const EXAMPLE = 'MINIO_BROWSER'

interface EnvironmentVariableModalProps {
  namespace: string
  tenant: string
  /** Undefined for a new variable. */
  variable: { key: string; value: string; secret: boolean } | undefined
  onClose: () => void
}

/** The dialog to set an environment variable of a tenant. */
export function EnvironmentVariableModal({ namespace, tenant, variable, onClose }: EnvironmentVariableModalProps) {
  const t = useT()
  const form = useForm({ initialValues: { key: variable?.key ?? '', value: variable?.value ?? '' } })
  const save = useChange('updateTenantConfiguration', {
    onDone: onClose,
    message: (_, { body }) => t('{{name}} saved', { name: body.environmentVariables?.[0]?.key ?? '' }),
  })
  return (
    <FormModal
      title={variable ? t('Edit Variable') : t('Add Variable')}
      subject={tenant}
      form={form}
      change={save}
      onClose={onClose}
      ready={/^[A-Za-z_][A-Za-z0-9_.-]*$/.test(form.values.key)}
      onSubmit={(values) => save.run({ params: { namespace, tenant }, body: { environmentVariables: [values] } })}
    >
      <TextField
        label={t('Variable')}
        disabled={variable !== undefined}
        placeholder={EXAMPLE}
        {...form.getInputProps('key')}
      />
      <TextField
        label={t('Value')}
        type={variable?.secret ? 'password' : 'text'}
        data-autofocus
        {...form.getInputProps('value')}
      />
      <Banner kind="info">{t('The pods of the tenant start again.')}</Banner>
    </FormModal>
  )
}
