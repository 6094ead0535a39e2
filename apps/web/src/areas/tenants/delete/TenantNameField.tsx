import type { UseFormReturnType } from '@mantine/form'
import { useT } from '../../../lib/text/i18n.ts'
import { TextField } from '../../../ui/form/TextField.tsx'

/** The field in which the name of a tenant is typed before something of it is deleted. */
export function TenantNameField<Values extends { name: string }>({
  form,
  tenant,
}: {
  form: UseFormReturnType<Values>
  tenant: string
}) {
  const t = useT()
  const { name } = form.values
  return (
    <TextField
      label={t('Tenant Name')}
      data-autofocus
      {...form.getInputProps('name')}
      error={name !== '' && name !== tenant && t('Tenant name is incorrect')}
    />
  )
}
