import { PasswordInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { MIN_PASSPHRASE } from '@stowage/contract/policies/iam-archive'
import { decodeBase64 } from '../../lib/base64.ts'
import { useChange } from '../../lib/changes/change.ts'
import { saveFile } from '../../lib/save-file.ts'
import { useT } from '../../lib/text/i18n.ts'
import { FormModal } from '../../ui/dialog/FormModal.tsx'
import { SegmentField } from '../../ui/form/SegmentField.tsx'

type Secrets = 'omit' | 'seal'

/** The dialog to save users, groups, policies and service accounts to a file. */
export function ExportIamModal({ onClose }: { onClose: () => void }) {
  const t = useT()
  const form = useForm({ initialValues: { secrets: 'omit' as Secrets, passphrase: '' } })
  const { secrets, passphrase } = form.values
  const isSealed = secrets === 'seal'
  const run = useChange('exportIam', {
    onDone: ({ value }) => {
      const day = new Date().toISOString().slice(0, 10)
      saveFile(`iam-${day}.zip${isSealed ? '.sealed' : ''}`, decodeBase64(value), 'application/octet-stream')
      onClose()
    },
    message: () => t('Users and policies exported'),
  })
  return (
    <FormModal
      title={t('Export Users and Policies')}
      submit={t('Export')}
      form={form}
      change={run}
      onClose={onClose}
      ready={!isSealed || passphrase.length >= MIN_PASSPHRASE}
      onSubmit={(values) =>
        run.run({ body: isSealed ? { secrets: 'seal', passphrase: values.passphrase } : { secrets: 'omit' } })
      }
    >
      <SegmentField
        label={t('Secret Keys')}
        data={[
          { value: 'omit', label: t('Leave out') },
          { value: 'seal', label: t('Include, sealed') },
        ]}
        hint={
          isSealed
            ? t('The file can be opened only with the passphrase. It has everything to restore users and access keys.')
            : t('The file restores policies, groups and mappings. New users and access keys cannot be made from it.')
        }
        {...form.getInputProps('secrets')}
      />
      {isSealed && (
        <PasswordInput
          label={t('Passphrase')}
          description={t('At least {{count}} characters. The file cannot be opened without it.', {
            count: MIN_PASSPHRASE,
          })}
          autoComplete="new-password"
          {...form.getInputProps('passphrase')}
        />
      )}
    </FormModal>
  )
}
