import { Button, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { navigate } from '../../lib/navigation/navigate.ts'
import { pathToFolder } from '../../lib/navigation/object-address.ts'
import { requiredText } from '../../lib/required.ts'
import { useT } from '../../lib/text/i18n.ts'
import { FormModal } from '../../ui/FormModal.tsx'
import { ObjectName } from '../../ui/ObjectName.tsx'
import { folderBelow } from './entries.ts'
import css from './objects.module.css'

/** Going to a folder makes no call that could fail or take long. */
const noCall = { isPending: false, error: null, reset: () => {} }

/** Goes to a folder below this one, whether anything is in it or not: S3 has folders only where keys have them. */
export function PathModal({ bucket, prefix, onClose }: { bucket: string; prefix: string; onClose: () => void }) {
  const t = useT()
  const form = useForm({
    initialValues: { path: '' },
    validate: { path: (path) => (folderBelow(prefix, path) === '' ? requiredText(t) : null) },
    validateInputOnBlur: true,
  })
  const hint = t('Use slashes for several levels. The folder exists once it contains an object.')
  const target = folderBelow(prefix, form.values.path)
  return (
    <FormModal
      title={t('Choose or create a new path')}
      form={form}
      mutation={noCall}
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
      <TextInput
        label={t('New Folder Path')}
        data-autofocus
        autoComplete="off"
        spellCheck={false}
        classNames={{ input: 'mono' }}
        {...form.getInputProps('path')}
        // In place of the hint, so that the buttons below do not move away from the pointer.
        description={form.errors.path === undefined && hint}
        className={css.hinted ?? ''}
      />
    </FormModal>
  )
}
