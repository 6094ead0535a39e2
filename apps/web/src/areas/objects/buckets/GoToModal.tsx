import { useForm } from '@mantine/form'
import { navigate } from '../../../lib/navigation/navigate.ts'
import { pathToFolder } from '../../../lib/navigation/object-address.ts'
import { useT } from '../../../lib/text/i18n.ts'
import { requiredText } from '../../../lib/text/required-field.ts'
import { FormModal, NO_FORM_CHANGE } from '../../../ui/dialog/FormModal.tsx'
import { TextField } from '../../../ui/form/TextField.tsx'
import { parseBucketPath } from '../entries/folder-entries.ts'

/** The dialog to open a bucket or folder by name, because the list contains only those that the caller may see. */
export function GoToModal({ onClose }: { onClose: () => void }) {
  const t = useT()
  const form = useForm({
    initialValues: { path: '' },
    validate: { path: (path) => (parseBucketPath(path) ? null : requiredText(t)) },
    validateInputOnBlur: true,
  })
  const target = parseBucketPath(form.values.path)
  return (
    <FormModal
      title={t('Go to a bucket or prefix')}
      form={form}
      change={NO_FORM_CHANGE}
      submit={t('Go')}
      ready={target !== undefined}
      onSubmit={() => {
        onClose()
        if (target) navigate(pathToFolder(target.bucket, target.prefix))
      }}
      onClose={onClose}
    >
      <TextField
        label={t('Bucket or prefix')}
        hint={t('A bucket, or a bucket and a prefix such as homes/bob/')}
        data-autofocus
        classNames={{ input: 'mono' }}
        {...form.getInputProps('path')}
      />
    </FormModal>
  )
}
