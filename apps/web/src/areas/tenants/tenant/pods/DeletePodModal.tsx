import { useForm } from '@mantine/form'
import { useChange } from '../../../../lib/changes/change.ts'
import { useT } from '../../../../lib/text/i18n.ts'
import { FormModal } from '../../../../ui/dialog/FormModal.tsx'
import { TextField } from '../../../../ui/form/TextField.tsx'

interface DeletePodModalProps {
  namespace: string
  tenant: string
  pod: string
  onClose: () => void
}

/** The dialog to delete a pod after its name is typed. Its stateful set then starts it again. */
export function DeletePodModal({ namespace, tenant, pod, onClose }: DeletePodModalProps) {
  const t = useT()
  const form = useForm({ initialValues: { name: '' } })
  const { name } = form.values
  const remove = useChange('deletePod', { onDone: onClose, message: () => t('{{name}} deleted', { name: pod }) })
  return (
    <FormModal
      title={t('Delete Pod')}
      subject={pod}
      form={form}
      change={remove}
      onClose={onClose}
      submit={t('Delete')}
      ready={name === pod}
      onSubmit={() => remove.run({ params: { namespace, tenant, pod } })}
    >
      <p>{t('The pod is stopped and started again. To continue type its name.')}</p>
      <TextField
        label={t('Pod Name')}
        data-autofocus
        {...form.getInputProps('name')}
        // The specification uses this text for a pod too.
        error={name !== '' && name !== pod && t('Tenant name is incorrect')}
      />
    </FormModal>
  )
}
