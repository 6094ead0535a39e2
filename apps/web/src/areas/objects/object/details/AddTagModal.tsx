import { useForm } from '@mantine/form'
import { useChange } from '../../../../lib/changes/change.ts'
import { useT } from '../../../../lib/text/i18n.ts'
import { requiredText } from '../../../../lib/text/required-field.ts'
import { plainName } from '../../../../lib/text/visible-name.ts'
import { FormModal } from '../../../../ui/dialog/FormModal.tsx'
import { TextField } from '../../../../ui/form/TextField.tsx'

interface AddTagModalProps {
  bucket: string
  objectKey: string
  name: string
  versionId: string | undefined
  tags: Readonly<Record<string, string>>
  onClose: () => void
}

/** The dialog to add a tag. The call replaces all tags of the object, so it sends the others too. */
export function AddTagModal({ bucket, objectKey, name, versionId, tags, onClose }: AddTagModalProps) {
  const t = useT()
  const form = useForm({
    initialValues: { key: '', label: '' },
    validate: {
      key: (text) => (text.trim() === '' ? requiredText(t) : null),
      label: (text) => (text.trim() === '' ? requiredText(t) : null),
    },
    validateInputOnBlur: true,
  })
  const { key, label } = form.values
  const replaced = Object.hasOwn(tags, key.trim())
  const save = useChange('setObjectTags', {
    onDone: onClose,
    message: () => t('Tags of {{name}} updated', { name: plainName(name) }),
  })
  return (
    <FormModal
      title={t('Add New Tag')}
      subject={plainName(name)}
      form={form}
      change={save}
      ready={key.trim() !== '' && label.trim() !== ''}
      onClose={onClose}
      onSubmit={(values) =>
        save.run({
          params: { bucket },
          query: { prefix: objectKey, ...(versionId === undefined ? {} : { version_id: versionId }) },
          body: { tags: { ...tags, [values.key.trim()]: values.label.trim() }, before: { ...tags } },
        })
      }
    >
      <TextField
        label={t('New Tag Key')}
        data-autofocus
        maxLength={128}
        hint={replaced && t('A tag with this key exists. Its label will be replaced.')}
        {...form.getInputProps('key')}
      />
      <TextField label={t('New Tag Label')} maxLength={256} {...form.getInputProps('label')} />
    </FormModal>
  )
}
