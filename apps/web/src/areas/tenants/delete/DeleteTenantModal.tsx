import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../../lib/api/query.ts'
import { useChange } from '../../../lib/changes/change.ts'
import { useT } from '../../../lib/text/i18n.ts'
import { Trans } from '../../../lib/text/Trans.tsx'
import { Link } from '../../../ui/controls/Link.tsx'
import { FormModal } from '../../../ui/dialog/FormModal.tsx'
import { SwitchField } from '../../../ui/form/SwitchField.tsx'
import { secretsHint, volumesHint } from './leftover-hints.ts'
import { TenantNameField } from './TenantNameField.tsx'

interface DeleteTenantModalProps {
  namespace: string
  tenant: string
  onClose: () => void
  onDeleted: () => void
}

/** The dialog to delete a tenant after its name is typed. The user selects what else is deleted with it. */
export function DeleteTenantModal({ namespace, tenant, onClose, onDeleted }: DeleteTenantModalProps) {
  const t = useT()
  const params = { namespace, tenant }
  const form = useForm({ initialValues: { name: '', volumes: false, secrets: false } })
  const { name, volumes } = form.values
  const { data } = useQuery(q('getTenantLeftovers', { params }))
  const remove = useChange('deleteTenant', { onDone: onDeleted, message: () => t('Tenant Deleted') })
  return (
    <FormModal
      title={t('Delete Tenant')}
      subject={tenant}
      form={form}
      change={remove}
      onClose={onClose}
      submit={t('Delete')}
      ready={name === tenant}
      onSubmit={(values) =>
        remove.run({
          params,
          body: { delete_pvcs: values.volumes, delete_secrets: values.volumes || values.secrets },
        })
      }
    >
      <p>
        <Trans
          text="The servers of <name/> stop, and its services are deleted. To continue type its name."
          parts={{ name: <b>{tenant}</b> }}
        />
      </p>
      <TenantNameField form={form} tenant={tenant} />
      <SwitchField
        label={t('Delete the volumes too')}
        hint={data && volumesHint(t, data)}
        {...form.getInputProps('volumes', { type: 'checkbox' })}
      />
      <SwitchField
        label={t('Delete the secrets too')}
        hint={data && secretsHint(t, data)}
        reason={volumes && t('They go with the volumes.')}
        {...form.getInputProps('secrets', { type: 'checkbox' })}
      />
      <p className="ink-3">
        <Trans
          text="Volumes and secrets that are kept are listed in <page/>."
          parts={{
            page: (
              <Link className="link" to="/storage/former-tenants">
                {t('Former Tenants')}
              </Link>
            ),
          }}
        />
      </p>
    </FormModal>
  )
}
