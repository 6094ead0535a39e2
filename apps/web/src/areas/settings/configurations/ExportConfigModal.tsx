import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { type ApiFailure, call } from '../../../lib/api/api.ts'
import { toast } from '../../../lib/feedback/toast.ts'
import { saveFile } from '../../../lib/save-file.ts'
import { useT } from '../../../lib/text/i18n.ts'
import { FormModal } from '../../../ui/dialog/FormModal.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { SwitchField } from '../../../ui/form/SwitchField.tsx'
import { decodeBase64Text } from './config-file.ts'

/** The dialog to save the server's configuration to a file, with secrets only on request. */
export function ExportConfigModal({ onClose }: { onClose: () => void }) {
  const t = useT()
  const form = useForm({ initialValues: { secrets: false } })
  const { mutate, isPending, error, reset } = useMutation<{ value: string }, ApiFailure, boolean>({
    mutationFn: (secrets) => call('exportConfigs', { query: { secrets: secrets ? 'true' : 'false' } }),
    onSuccess({ value }) {
      saveFile('configuration.txt', decodeBase64Text(value), 'text/plain')
      toast.ok(t('Configuration exported'))
      onClose()
    },
  })
  return (
    <FormModal
      title={t('Export Configuration')}
      form={form}
      change={{ isPending, error, reset }}
      submit={t('Export')}
      onClose={onClose}
      onSubmit={({ secrets }) => mutate(secrets)}
    >
      <p className="ink-2">{t('The file contains all settings of the server as text. It can be imported again.')}</p>
      <SwitchField
        label={t('Include secrets')}
        hint={t('Passwords and tokens, as far as the server sends them.')}
        {...form.getInputProps('secrets', { type: 'checkbox' })}
      />
      {form.values.secrets && (
        <Banner kind="warn">{t('Anybody who can read the file can use the passwords in it. Keep it safe.')}</Banner>
      )}
    </FormModal>
  )
}
