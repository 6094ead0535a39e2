import { useForm } from '@mantine/form'
import type { ObjectDetails } from '@stowage/contract'
import { useChange } from '../../../../lib/changes/change.ts'
import { useT } from '../../../../lib/text/i18n.ts'
import { requiredText } from '../../../../lib/text/required-field.ts'
import { plainName } from '../../../../lib/text/visible-name.ts'
import { FormModal } from '../../../../ui/dialog/FormModal.tsx'
import { NumberField, type NumberInput } from '../../../../ui/form/NumberField.tsx'

interface TierRestoreModalProps {
  bucket: string
  details: ObjectDetails
  name: string
  onClose: () => void
}

/** The dialog that brings a version back from its tier for some days. */
export function TierRestoreModal({ bucket, details, name, onClose }: TierRestoreModalProps) {
  const t = useT()
  const form = useForm<{ days: NumberInput }>({
    initialValues: { days: 7 },
    validate: { days: (days) => (days === '' || days < 1 ? requiredText(t) : null) },
  })
  const restore = useChange('restoreFromTier', {
    onDone: onClose,
    message: () => t('{{name}} is brought back from its tier', { name: plainName(name) }),
  })
  return (
    <FormModal
      title={t('Bring Back from Tier')}
      subject={plainName(name)}
      form={form}
      change={restore}
      submit={t('Bring Back')}
      onClose={onClose}
      onSubmit={({ days }) =>
        restore.run({
          params: { bucket },
          query: {
            prefix: details.name,
            ...(details.version_id === undefined ? {} : { version_id: details.version_id }),
          },
          body: { days: Number(days) },
        })
      }
    >
      <NumberField
        label={t('Days')}
        hint={t('A copy stays here for this many days. The object remains on its tier.')}
        min={1}
        {...form.getInputProps('days')}
      />
    </FormModal>
  )
}
