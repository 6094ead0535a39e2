import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { navigate } from '../../../lib/navigation/navigate.ts'
import { pathToFolder } from '../../../lib/navigation/object-address.ts'
import { useT } from '../../../lib/text/i18n.ts'
import { requiredText } from '../../../lib/text/required-field.ts'
import { FormModal, NO_FORM_CHANGE } from '../../../ui/dialog/FormModal.tsx'
import { TextField } from '../../../ui/form/TextField.tsx'
import { ObjectName } from '../../../ui/values/ObjectName.tsx'
import { prefixBelow } from '../entries/folder-entries.ts'
import css from '../styles/objects.module.css'

/** The dialog to open a path below this folder. It need not exist: in S3 a folder is just a prefix of keys. */
export function PathModal({ bucket, prefix, onClose }: { bucket: string; prefix: string; onClose: () => void }) {
  const t = useT()
  const form = useForm({
    initialValues: { path: '' },
    validate: { path: (path) => (prefixBelow(prefix, path) === '' ? requiredText(t) : null) },
    validateInputOnBlur: true,
  })
  const target = prefixBelow(prefix, form.values.path)
  return (
    <FormModal
      title={t('Choose or create a new path')}
      form={form}
      change={NO_FORM_CHANGE}
      submit={t('Go')}
      ready={target !== ''}
      extra={
        <Button onClick={() => form.reset()} disabled={form.values.path === ''}>
          {t('Clear')}
        </Button>
      }
      onSubmit={() => {
        onClose()
        navigate(pathToFolder(bucket, target))
      }}
      onClose={onClose}
    >
      <div>
        <div className={css.label}>{t('Current Path')}</div>
        <code className={css.path}>
          <ObjectName name={`${bucket}/${prefix}`} />
        </code>
      </div>
      <TextField
        label={t('New Folder Path')}
        hint={t('Use slashes for several levels. The folder exists once it contains an object.')}
        data-autofocus
        classNames={{ input: 'mono' }}
        {...form.getInputProps('path')}
      />
    </FormModal>
  )
}
