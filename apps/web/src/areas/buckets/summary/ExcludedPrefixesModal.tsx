import { Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useChange } from '../../../lib/changes/change.ts'
import { useT } from '../../../lib/text/i18n.ts'
import { ConflictNotice, useEditBase } from '../../../ui/dialog/ConflictNotice.tsx'
import { FormModal } from '../../../ui/dialog/FormModal.tsx'
import { SwitchField } from '../../../ui/form/SwitchField.tsx'
import { type BucketVersioning, versioningText } from './bucket-versioning.ts'

interface ExcludedPrefixesModalProps {
  bucket: string
  versioning: BucketVersioning
  onClose: () => void
}

/** The maximum that servers accept. */
const MAX_PREFIXES = 10

/** The dialog to exclude prefixes and folders of a bucket from versioning. */
export function ExcludedPrefixesModal({ bucket, versioning, onClose }: ExcludedPrefixesModalProps) {
  const t = useT()
  const form = useForm({
    initialValues: { text: versioning.excluded_prefixes.join('\n'), folders: versioning.exclude_folders },
  })
  const lines = form.values.text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const tooMany =
    lines.length > MAX_PREFIXES && t('At most {{count}} prefixes can be excluded', { count: MAX_PREFIXES })
  const save = useChange('setBucketVersioning', {
    onDone: onClose,
    message: () => t('Excluded prefixes of {{bucket}} updated', { bucket }),
  })
  const { before, changedTo } = useEditBase(versioning, save, 'getBucketVersioning')
  return (
    <FormModal
      title={t('Excluded Prefixes')}
      subject={bucket}
      form={form}
      change={save}
      fields={{ excluded_prefixes: 'text' }}
      onClose={onClose}
      ready={tooMany === false}
      onSubmit={(values) =>
        save.run({
          params: { bucket },
          body: { versioning: true, excluded_prefixes: lines, exclude_folders: values.folders, before },
        })
      }
    >
      {changedTo && <ConflictNotice text={versioningText(changedTo, t)} />}
      <Textarea
        label={t('Prefixes without versions')}
        description={t('One per line, such as tmp/. * and ? stand for any text and any character.')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        autosize
        minRows={3}
        maxRows={10}
        data-autofocus
        {...form.getInputProps('text')}
        error={tooMany || form.errors.text}
      />
      <SwitchField
        label={t('Exclude folders')}
        hint={t('Objects whose names end with a slash keep no versions.')}
        {...form.getInputProps('folders', { type: 'checkbox' })}
      />
    </FormModal>
  )
}
