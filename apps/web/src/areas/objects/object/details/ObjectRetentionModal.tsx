import { useForm } from '@mantine/form'
import type { ObjectDetails } from '@stowage/contract'
import { useChange } from '../../../../lib/changes/change.ts'
import { endOfUtcDay, utcDayField } from '../../../../lib/text/date-fields.ts'
import { useT } from '../../../../lib/text/i18n.ts'
import { plainName } from '../../../../lib/text/visible-name.ts'
import { FormModal } from '../../../../ui/dialog/FormModal.tsx'
import { SegmentField } from '../../../../ui/form/SegmentField.tsx'
import { SwitchField } from '../../../../ui/form/SwitchField.tsx'
import { TextField } from '../../../../ui/form/TextField.tsx'

interface ObjectRetentionModalProps {
  bucket: string
  details: ObjectDetails
  name: string
  /** Whether the caller may shorten or remove governance retention. */
  mayBypass: boolean
  onClose: () => void
}

type Mode = 'governance' | 'compliance'

/** The dialog to protect a version until a date. Compliance mode cannot be undone by anyone. */
export function ObjectRetentionModal({ bucket, details, name, mayBypass, onClose }: ObjectRetentionModalProps) {
  const t = useT()
  const present = details.retention_mode?.toLowerCase() as Mode | undefined
  const until = details.retention_until_date
  const form = useForm<{ enabled: boolean; mode: Mode | ''; date: string }>({
    initialValues: { enabled: true, mode: present ?? '', date: utcDayField(until) },
  })
  const { enabled, mode, date } = form.values
  const message = () => t('Retention of {{name}} updated', { name: plainName(name) })
  const save = useChange('setObjectRetention', { onDone: onClose, message })
  const remove = useChange('deleteObjectRetention', { onDone: onClose, message })
  const target = {
    params: { bucket },
    query: { prefix: details.name, ...(details.version_id === undefined ? {} : { version_id: details.version_id }) },
  }
  const hints: Record<Mode | '', string> = {
    '': t(
      'In governance mode, users with a special right can still delete the version. In compliance mode, nobody can.',
    ),
    governance: t('Only users with a special right can delete the version or change its retention before the date.'),
    compliance: t('Nobody can delete the version or shorten its retention before the date, not even the root user.'),
  }
  return (
    <FormModal
      title={t('Object Retention')}
      subject={plainName(name)}
      form={form}
      change={enabled ? save : remove}
      fields={{ expires: 'date' }}
      onClose={onClose}
      ready={!enabled || (mode !== '' && date !== '')}
      onSubmit={() => {
        if (!enabled) remove.run(target)
        // The field shows a day only: sending it would move a time of day that nobody has changed.
        else if (mode === present && date === utcDayField(until)) onClose()
        else if (mode !== '')
          save.run({
            ...target,
            body: {
              mode,
              expires: endOfUtcDay(date),
              before: present && until ? { mode: present, expires: until } : {},
              ...(present === 'governance' && mayBypass ? { governance_bypass: true } : {}),
            },
          })
      }}
    >
      {present === 'governance' && (
        <SwitchField
          label={t('Status')}
          hint={enabled ? t('The version is protected until the date.') : t('The retention will be removed.')}
          reason={!mayBypass && t('Removing it needs s3:BypassGovernanceRetention')}
          {...form.getInputProps('enabled', { type: 'checkbox' })}
        />
      )}
      <SegmentField
        label={t('Type')}
        data={[
          { value: 'governance' as const, label: t('Governance') },
          { value: 'compliance' as const, label: t('Compliance') },
        ]}
        disabled={!enabled || present !== undefined}
        hint={hints[mode]}
        value={mode === '' ? ('' as Mode) : mode}
        onChange={(value: Mode) => form.setFieldValue('mode', value)}
      />
      <TextField
        label={t('Date')}
        type="date"
        min={utcDayField(new Date(Date.now() + 86_400_000))}
        disabled={!enabled}
        hint={t('The version is protected until the end of this day (UTC).')}
        {...form.getInputProps('date')}
      />
    </FormModal>
  )
}
