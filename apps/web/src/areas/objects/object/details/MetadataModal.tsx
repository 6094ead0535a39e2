import { ActionIcon, Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { ObjectDetails } from '@stowage/contract'
import { IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useChange } from '../../../../lib/changes/change.ts'
import { useT } from '../../../../lib/text/i18n.ts'
import { requiredText } from '../../../../lib/text/required-field.ts'
import { plainName } from '../../../../lib/text/visible-name.ts'
import { FormModal } from '../../../../ui/dialog/FormModal.tsx'
import { TextField } from '../../../../ui/form/TextField.tsx'
import { Icon } from '../../../../ui/icons/Icon.tsx'
import { metadataBody, metadataFields } from '../../entries/metadata-fields.ts'
import css from '../../styles/object-detail.module.css'

interface MetadataModalProps {
  bucket: string
  name: string
  details: ObjectDetails
  onClose: () => void
}

/** The dialog to edit content type and metadata. To change them, the server copies the object onto itself. */
export function MetadataModal({ bucket, name, details, onClose }: MetadataModalProps) {
  const t = useT()
  const form = useForm({
    initialValues: { content_type: details.content_type, fields: metadataFields(details) },
    validate: {
      content_type: (text) => (text.trim() === '' ? requiredText(t) : null),
      fields: { name: (text) => (text.trim() === '' ? requiredText(t) : null) },
    },
  })
  const [before] = useState({
    content_type: details.content_type,
    headers: { ...details.headers },
    user_metadata: { ...details.user_metadata },
  })
  const save = useChange('setObjectMetadata', {
    onDone: onClose,
    message: () => t('Metadata of {{name}} updated', { name: plainName(name) }),
  })
  return (
    <FormModal
      title={t('Edit Metadata')}
      subject={plainName(name)}
      form={form}
      change={save}
      onClose={onClose}
      extra={
        <Button onClick={() => form.insertListItem('fields', { name: 'x-amz-meta-', value: '' })}>
          {t('Add Field')}
        </Button>
      }
      onSubmit={({ content_type, fields }) =>
        save.run({
          params: { bucket },
          query: { prefix: details.name },
          body: { content_type: content_type.trim(), ...metadataBody(fields), etag: details.etag, before },
        })
      }
    >
      <TextField label={t('Content type')} data-autofocus {...form.getInputProps('content_type')} />
      {form.values.fields.map((_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the form identifies its fields by position
        <div key={index} className={css.pair}>
          <TextField label={t('Name')} {...form.getInputProps(`fields.${index}.name`)} />
          <TextField label={t('Value')} {...form.getInputProps(`fields.${index}.value`)} />
          <ActionIcon
            aria-label={t('Remove field {{number}}', { number: index + 1 })}
            onClick={() => form.removeListItem('fields', index)}
          >
            <Icon of={IconX} />
          </ActionIcon>
        </div>
      ))}
      <p className={css.hint}>
        {t('Custom names begin with x-amz-meta-. In a bucket with versions this makes a new version.')}
      </p>
    </FormModal>
  )
}
