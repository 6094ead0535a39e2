import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Tenant } from '@stowage/contract'
import { useChange } from '../../../lib/changes/change.ts'
import { useT } from '../../../lib/text/i18n.ts'
import { FormModal } from '../../../ui/dialog/FormModal.tsx'
import { SwitchField } from '../../../ui/form/SwitchField.tsx'
import { TextField } from '../../../ui/form/TextField.tsx'

const IMAGE = /^((.*?)\/(.*?):(.+))$/
const EXAMPLE = 'minio/minio:RELEASE.2025-09-07T16-13-09Z'
const NOTHING = { image: '', custom: false, registry: '', username: '', password: '' }

/** The dialog to change a tenant's image and its registry. */
export function UpdateTenantModal({ tenant, onClose }: { tenant: Tenant; onClose: () => void }) {
  const t = useT()
  const form = useForm({ initialValues: { ...NOTHING, image: tenant.image } })
  const { image, custom, registry, username, password } = form.values
  const isImage = image.trim() === '' || IMAGE.test(image)
  const hasRegistry = !custom || [registry, username, password].every((text) => text.trim() !== '')
  const update = useChange('updateTenant', {
    onDone: onClose,
    message: () => t('{{name}}: image updated', { name: tenant.name }),
  })
  return (
    <FormModal
      title={t('Update MinIO Version')}
      subject={tenant.name}
      form={form}
      change={update}
      onClose={onClose}
      ready={isImage && hasRegistry}
      extra={
        <Button onClick={() => form.setValues(NOTHING)} disabled={update.isPending}>
          {t('Clear')}
        </Button>
      }
      onSubmit={() =>
        update.run({
          params: { namespace: tenant.namespace, tenant: tenant.name },
          body: {
            image: image.trim(),
            enable_prometheus: true,
            ...(custom ? { image_registry: { registry, username, password } } : {}),
          },
        })
      }
    >
      <TextField
        label={t("MinIO's Image")}
        placeholder={EXAMPLE}
        hint={t('Leave empty to keep it unchanged.')}
        data-autofocus
        {...form.getInputProps('image')}
        error={!isImage && t('Format must be of form: {{form}}', { form: 'minio/minio:VERSION' })}
      />
      <SwitchField label={t('Set Custom Image Registry')} {...form.getInputProps('custom', { type: 'checkbox' })} />
      {custom && (
        <>
          <TextField label={t('Endpoint')} {...form.getInputProps('registry')} />
          <TextField label={t('Username')} {...form.getInputProps('username')} />
          <TextField label={t('Password')} type="password" {...form.getInputProps('password')} />
        </>
      )}
    </FormModal>
  )
}
