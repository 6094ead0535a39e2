import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../lib/api/query.ts'
import { useChange } from '../../lib/changes/change.ts'
import { formatSize } from '../../lib/text/format.ts'
import { useT } from '../../lib/text/i18n.ts'
import { Trans } from '../../lib/text/Trans.tsx'
import { FormModal } from '../../ui/dialog/FormModal.tsx'
import { SwitchField } from '../../ui/form/SwitchField.tsx'
import { useKubePermissions } from '../tenants/cluster/use-kube-permissions.tsx'
import { secretsHint, volumesHint } from '../tenants/delete/leftover-hints.ts'
import { TenantNameField } from '../tenants/delete/TenantNameField.tsx'
import css from './volumes.module.css'

interface DeleteLeftoversModalProps {
  namespace: string
  tenant: string
  onClose: () => void
}

const VOLUMES = 'deletecollection persistentvolumeclaims'
const SECRETS = 'deletecollection secrets'

/** The dialog to delete what a former tenant left, after its name is typed. */
export function DeleteLeftoversModal({ namespace, tenant, onClose }: DeleteLeftoversModalProps) {
  const t = useT()
  const params = { namespace, tenant }
  const form = useForm({ initialValues: { name: '', volumes: true, secrets: true } })
  const refused = useKubePermissions([VOLUMES, SECRETS], namespace)
  const { name } = form.values
  const volumes = form.values.volumes && !refused(VOLUMES)
  const secrets = form.values.secrets && !refused(SECRETS)
  const { data } = useQuery(q('getTenantLeftovers', { params }))
  const remove = useChange('deleteTenantLeftovers', {
    onDone: onClose,
    message: () => t('The volumes and secrets of {{tenant}} are deleted', { tenant }),
  })
  return (
    <FormModal
      title={t('Delete Volumes and Secrets')}
      subject={tenant}
      form={form}
      change={remove}
      onClose={onClose}
      submit={t('Delete')}
      ready={name === tenant && (volumes || secrets)}
      onSubmit={() => remove.run({ params, body: { volumes, secrets } })}
    >
      <ul className={css.drives} aria-label={t('Volumes')}>
        {data?.volumes.map((each) => (
          <li key={each.name}>
            <code>{each.name}</code> {formatSize(each.size)}
          </li>
        ))}
      </ul>
      <SwitchField
        label={t('Delete the volumes')}
        hint={data && volumesHint(t, data)}
        reason={refused(VOLUMES)}
        {...form.getInputProps('volumes', { type: 'checkbox' })}
      />
      <SwitchField
        label={t('Delete the secrets')}
        hint={data && secretsHint(t, data)}
        reason={refused(SECRETS)}
        {...form.getInputProps('secrets', { type: 'checkbox' })}
      />
      <p>
        <Trans
          text="What is deleted cannot be recovered. To continue type the name of the tenant, <name/>."
          parts={{ name: <b>{tenant}</b> }}
        />
      </p>
      <TenantNameField form={form} tenant={tenant} />
    </FormModal>
  )
}
