import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDebouncedValue } from '@mantine/hooks'
import { type CopiedSetting, TiB } from '@stowage/contract'
import { useState } from 'react'
import { useChange } from '../../../lib/changes/change.ts'
import { useSession } from '../../../lib/session/session.ts'
import { formatBytes } from '../../../lib/text/format.ts'
import { useT } from '../../../lib/text/i18n.ts'
import { requiredRule } from '../../../lib/text/required-field.ts'
import { isValidSize } from '../../../lib/text/size.ts'
import { useDisabledReason } from '../../../ui/controls/Disabled.tsx'
import { FormModal } from '../../../ui/dialog/FormModal.tsx'
import { SegmentField } from '../../../ui/form/SegmentField.tsx'
import { SizeInput } from '../../../ui/form/SizeInput.tsx'
import { SwitchField } from '../../../ui/form/SwitchField.tsx'
import { TextField } from '../../../ui/form/TextField.tsx'
import { StatusIcon } from '../../../ui/icons/StatusIcon.tsx'
import { CopySettingsFields } from '../settings/CopySettingsFields.tsx'
import { defaultCopiedSettings, useCopiedSettings } from '../settings/copied-settings.ts'
import { type QuotaTypeChoice, quotaTypeHints, useQuotaTypes } from '../settings/quota-types.ts'
import {
  initialRetention,
  isCompleteRetention,
  RetentionFields,
  type RetentionValues,
} from '../settings/RetentionFields.tsx'
import { brokenNameRules } from './bucket-name-rules.ts'

/** The hint about the name appears when typing has paused this long (ms). */
const NAME_DEBOUNCE_MS = 1000

const initial = {
  name: '',
  from: null as string | null,
  versioning: false,
  locking: false,
  quota: false,
  quota_type: 'hard' as QuotaTypeChoice,
  amount: TiB,
  retention: false,
  ...(initialRetention as RetentionValues),
}

/** The dialog to create a bucket. Versioning, object locking, quota and retention are offered if the server is distributed. */
export function CreateBucketModal({ existing, onClose }: { existing: string[]; onClose: () => void }) {
  const t = useT()
  const { distributedMode } = useSession()
  const types = useQuotaTypes('hard')
  const needs = useDisabledReason()
  const copied = useCopiedSettings()
  const form = useForm({
    initialValues: { ...initial, settings: defaultCopiedSettings(copied) as CopiedSetting[] },
    validate: { name: requiredRule(t) },
    validateInputOnBlur: ['name'],
  })
  const { name, from, versioning, quota, quota_type, amount, retention } = form.values
  const nameField = form.getInputProps('name')
  /** The name when its field lost the focus. */
  const [left, setLeft] = useState('')
  const create = useChange('createBucket', {
    onDone: onClose,
    message: (_, { body }) => t('Bucket {{name}} created', { name: body.name }),
  })
  const clear = () => {
    form.reset()
    create.reset()
  }
  const setVersioning = (on: boolean) =>
    form.setValues(on ? { versioning: on } : { versioning: on, retention: false, ...initialRetention })
  const setRetention = (on: boolean) =>
    form.setValues(on ? { retention: on, locking: true } : { retention: on, ...initialRetention })
  const ready =
    name.trim() !== '' && (!quota || isValidSize(amount)) && (!retention || isCompleteRetention(form.values))
  const lockingNeeds = needs('s3:PutBucketObjectLockConfiguration') || needs('s3:PutBucketVersioning')

  return (
    <FormModal
      title={t('Create Bucket')}
      form={form}
      change={create}
      fields={{
        'quota.amount': 'amount',
        'quota.quota_type': 'quota_type',
        'retention.validity': 'validity',
        'copy.from': 'from',
      }}
      onClose={onClose}
      ready={ready}
      stored={quota && isValidSize(amount) ? formatBytes(amount) : undefined}
      extra={
        <Button variant="subtle" disabled={create.isPending} onClick={clear}>
          {t('Clear')}
        </Button>
      }
      onSubmit={(values) =>
        create.run({
          body: {
            name: values.name.trim(),
            versioning: values.versioning,
            locking: values.locking,
            ...(values.from === null ? {} : { copy: { from: values.from, settings: values.settings } }),
            ...(values.quota ? { quota: { enabled: true, quota_type: values.quota_type, amount: values.amount } } : {}),
            ...(values.retention && isCompleteRetention(values)
              ? { retention: { mode: values.mode, unit: values.unit, validity: values.validity } }
              : {}),
          },
        })
      }
    >
      <TextField
        label={t('Bucket Name')}
        hint={<NameHint name={name.trim()} left={left} existing={existing} />}
        data-autofocus
        {...nameField}
        onBlur={(event) => {
          nameField.onBlur(event)
          setLeft(name.trim())
        }}
      />
      {existing.length > 0 && <CopySettingsFields buckets={existing} bind={form.getInputProps} from={from} />}
      {from !== null && <p className="small ink-3">{t('Settings that you turn on below replace the copied ones.')}</p>}
      {!distributedMode && (
        <p className="ink-2">{t('Some these features are disabled as server is running in non-erasure coded mode.')}</p>
      )}
      <SwitchField
        label={t('Versioning')}
        hint={t('Keeps every version of an object.')}
        reason={needs('s3:PutBucketVersioning')}
        disabled={!distributedMode}
        {...form.getInputProps('versioning', { type: 'checkbox' })}
        onChange={({ currentTarget }) => setVersioning(currentTarget.checked)}
      />
      <SwitchField
        label={t('Object Locking')}
        hint={
          retention
            ? t('Retention requires object locking.')
            : t('Versions can be locked against deletion. Turns versioning on, and can only be turned on now.')
        }
        reason={lockingNeeds}
        disabled={!distributedMode || retention}
        {...form.getInputProps('locking', { type: 'checkbox' })}
      />
      <SwitchField
        label={t('Quota')}
        hint={t('Limits how much the bucket can store.')}
        reason={needs('admin:SetBucketQuota')}
        disabled={!distributedMode}
        {...form.getInputProps('quota', { type: 'checkbox' })}
      />
      {quota && (
        <>
          {types.length > 1 && (
            <SegmentField label={t('Quota Type')} data={types} {...form.getInputProps('quota_type')} />
          )}
          <SizeInput label={t('Size')} hint={t(quotaTypeHints[quota_type])} {...form.getInputProps('amount')} />
        </>
      )}
      <SwitchField
        label={t('Retention')}
        hint={
          versioning
            ? t('Locks every new version for a time. Turns object locking on.')
            : t('Retention requires versioning.')
        }
        reason={lockingNeeds}
        disabled={!distributedMode || !versioning}
        {...form.getInputProps('retention', { type: 'checkbox' })}
        onChange={({ currentTarget }) => setRetention(currentTarget.checked)}
      />
      {retention && <RetentionFields values={form.values} bind={form.getInputProps} />}
    </FormModal>
  )
}

/** Checks the name when typing has paused for a second or the field lost the focus: whether it is valid and not taken. */
function NameHint({ name, left, existing }: { name: string; left: string; existing: string[] }) {
  const t = useT()
  const [paused] = useDebouncedValue(name, NAME_DEBOUNCE_MS)
  // Ignores a result for a previous name, for example from before Clear.
  const settled = paused === name || left === name ? name : ''
  const broken = brokenNameRules(settled)
  if (settled === '') return t('3 to 63 lowercase letters, digits, hyphens and dots.')
  if (existing.includes(settled))
    return <StatusIcon state="bad">{t('A bucket with this name already exists')}</StatusIcon>
  if (broken.length === 0) return <StatusIcon state="ok">{t('The name is valid')}</StatusIcon>
  return broken.map((rule) => (
    <StatusIcon key={rule} state="warn">
      {t(rule)}
    </StatusIcon>
  ))
}
