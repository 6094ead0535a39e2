import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { replaceSearch } from '../../../lib/navigation/navigate.ts'
import { localTimeField, parseLocalTimeField } from '../../../lib/text/date-fields.ts'
import { useT } from '../../../lib/text/i18n.ts'
import { FormModal, NO_FORM_CHANGE } from '../../../ui/dialog/FormModal.tsx'
import { TextField } from '../../../ui/form/TextField.tsx'

/** The dialog to show the bucket at a past time, which is kept in the URL. */
export function RewindModal({ bucket, at, onClose }: { bucket: string; at: string | undefined; onClose: () => void }) {
  const t = useT()
  const form = useForm({ initialValues: { date: localTimeField(at ?? new Date()) } })
  const instant = parseLocalTimeField(form.values.date, at)
  const show = (next: string | undefined) => {
    onClose()
    replaceSearch({ at: next, deleted: undefined })
  }
  return (
    <FormModal
      title={t('Rewind - {{bucket}}', { bucket })}
      form={form}
      change={NO_FORM_CHANGE}
      submit={t('Show Rewind Data')}
      ready={instant !== undefined}
      extra={
        <Button disabled={at === undefined} onClick={() => show(undefined)}>
          {t('Show Current Data')}
        </Button>
      }
      onSubmit={() => show(instant)}
      onClose={onClose}
    >
      <TextField
        label={t('Rewind to')}
        type="datetime-local"
        step={1}
        data-autofocus
        hint={t('Local time. Anything written at this time or later is not shown.')}
        {...form.getInputProps('date')}
      />
    </FormModal>
  )
}
