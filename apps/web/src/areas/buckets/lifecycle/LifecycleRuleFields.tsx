import type { useForm } from '@mantine/form'
import { useSession } from '../../../lib/session/session.ts'
import { useT } from '../../../lib/text/i18n.ts'
import { SegmentField } from '../../../ui/form/SegmentField.tsx'
import { SwitchField } from '../../../ui/form/SwitchField.tsx'
import { TextField } from '../../../ui/form/TextField.tsx'
import { DayPicker } from './DayPicker.tsx'
import { LifecycleTagFields } from './LifecycleTagFields.tsx'
import type { LifecycleRuleValues } from './lifecycle-rule-values.ts'
import { TierField } from './TierField.tsx'

/** Maps field names of the server to those of the form, where they differ. */
export const LIFECYCLE_RULE_FIELDS = {
  expiry_days: 'days',
  transition_days: 'days',
  storage_class: 'tier',
  noncurrentversion_transition_storage_class: 'noncurrentTier',
  noncurrentversion_expiration_days: 'noncurrentDays',
  abort_upload_days: 'abortUploadDays',
  noncurrentversion_transition_days: 'noncurrentDays',
}

type Form = ReturnType<typeof useForm<LifecycleRuleValues>>

interface LifecycleRuleFieldsProps {
  form: Form
  /** Whether the rule is new; the kind of an existing rule cannot be changed. */
  isNew: boolean
  /** Whether the bucket can have noncurrent versions. */
  isVersioned: boolean
}

/** The fields of a lifecycle rule: its action, its time and the objects that it applies to. */
export function LifecycleRuleFields({ form, isNew, isVersioned }: LifecycleRuleFieldsProps) {
  const t = useT()
  const { values } = form
  const abortsUploads = useSession().capabilities.includes('abort-uploads')
  return (
    <>
      {isNew && (
        <SegmentField
          label={t('Rule')}
          data={[
            { value: 'expiry', label: t('Expiry') },
            { value: 'transition', label: t('Transition') },
          ]}
          {...form.getInputProps('kind')}
        />
      )}
      <TimeFields form={form} />
      {values.kind === 'transition' && <TierField label={t('Storage Class')} {...form.getInputProps('tier')} />}
      <TextField label={t('Prefix')} hint={t('Empty for all objects.')} {...form.getInputProps('prefix')} />
      <LifecycleTagFields value={values.tags} onChange={(tags) => form.setFieldValue('tags', tags)} />
      {values.kind === 'expiry' && (
        <SwitchField
          label={t('Expired Object Delete Marker')}
          hint={t('Removes delete markers that have no versions behind them, instead of expiring objects.')}
          {...form.getInputProps('deleteMarkers', { type: 'checkbox' })}
        />
      )}
      {values.kind === 'expiry' && (abortsUploads || values.abortUploadDays !== '0') && (
        <TextField
          label={t('Unfinished Upload Days')}
          hint={t('Days after which the parts of an unfinished upload are removed; 0 keeps them.')}
          inputMode="numeric"
          {...form.getInputProps('abortUploadDays')}
        />
      )}
      {(isVersioned || values.noncurrentDays !== '0') && <VersionFields form={form} />}
    </>
  )
}

function TimeFields({ form }: { form: Form }) {
  const t = useT()
  const { kind, time, date, deleteMarkers } = form.values
  if (kind === 'expiry' && deleteMarkers) return null
  return (
    <>
      <SegmentField
        label={t('Type')}
        data={[
          { value: 'days', label: t('Days') },
          { value: 'date', label: t('Date') },
        ]}
        {...form.getInputProps('time')}
      />
      {time === 'date' ? (
        <DayPicker
          label={kind === 'expiry' ? t('Expiry Date') : t('Transition Date')}
          value={date}
          onChange={(day) => form.setFieldValue('date', day)}
        />
      ) : (
        <TextField
          label={kind === 'expiry' ? t('Expiry Days') : t('Transition Days')}
          hint={t('For example 7 days after an object was written. At least 1.')}
          inputMode="numeric"
          {...form.getInputProps('days')}
        />
      )}
    </>
  )
}

function VersionFields({ form }: { form: Form }) {
  const t = useT()
  const { kind } = form.values
  if (kind === 'transition') {
    return (
      <>
        <TextField
          label={t('Noncurrent Transition Days')}
          hint={t('0 leaves noncurrent versions where they are.')}
          inputMode="numeric"
          {...form.getInputProps('noncurrentDays')}
        />
        {form.values.noncurrentDays !== '0' && (
          <TierField label={t('Noncurrent Storage Class')} {...form.getInputProps('noncurrentTier')} />
        )}
      </>
    )
  }
  return (
    <>
      <TextField
        label={t('Noncurrent Expiration Days')}
        hint={t('Days after a newer version was written; 0 keeps noncurrent versions.')}
        inputMode="numeric"
        {...form.getInputProps('noncurrentDays')}
      />
      <TextField
        label={t('Newer Noncurrent Versions')}
        hint={t('The number of newest noncurrent versions to keep.')}
        inputMode="numeric"
        {...form.getInputProps('newerVersions')}
      />
    </>
  )
}
