import { Button, SegmentedControl, Switch, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDebouncedValue } from '@mantine/hooks'
import { TiB } from '@stowage/contract'
import { type ReactNode, useId } from 'react'
import { useApiMutation } from '../../lib/api/query.ts'
import { toast } from '../../lib/feedback/toast.ts'
import { required } from '../../lib/required.ts'
import { useSession } from '../../lib/session/session.ts'
import { formatBytes } from '../../lib/text/format.ts'
import { useT } from '../../lib/text/i18n.ts'
import { isSize } from '../../lib/text/size.ts'
import { useNeeds } from '../../ui/Disabled.tsx'
import { FormModal, SwitchRow } from '../../ui/FormModal.tsx'
import { Mark } from '../../ui/Mark.tsx'
import { SizeInput } from '../../ui/SizeInput.tsx'
import css from './buckets.module.css'
import { brokenRules } from './name-rules.ts'
import { type QuotaType, quotaHint, useQuotaTypes } from './quota-types.ts'

/** The hint about the name waits until typing has paused (ms). */
const NAME_DEBOUNCE_MS = 1000

const initial = { name: '', versioning: false, quota: false, quota_type: 'hard' as QuotaType, amount: TiB }

/** Creates a bucket, with versioning and quota where the server is distributed. */
export function CreateBucketModal({ existing, onClose }: { existing: string[]; onClose: () => void }) {
  const t = useT()
  const id = useId()
  const { distributedMode } = useSession()
  const types = useQuotaTypes('hard')
  const needs = useNeeds()
  const noVersioning = needs('s3:PutBucketVersioning')
  const noQuota = needs('admin:SetBucketQuota')
  const form = useForm({ initialValues: initial, validate: { name: required(t) }, validateInputOnBlur: ['name'] })
  const { name, quota, quota_type, amount } = form.values
  const create = useApiMutation('createBucket', {
    invalidates: ['listBuckets'],
    onSuccess: (_, { body }) => {
      toast.ok(t('Bucket {{name}} created', { name: body.name }))
      onClose()
    },
  })
  const clear = () => {
    form.reset()
    create.reset()
  }
  const ready = name.trim() !== '' && (!quota || isSize(amount))

  return (
    <FormModal
      title={t('Create Bucket')}
      form={form}
      mutation={create}
      onClose={onClose}
      ready={ready}
      stored={quota && isSize(amount) ? formatBytes(amount) : undefined}
      extra={
        <Button variant="subtle" disabled={create.isPending} onClick={clear}>
          {t('Clear')}
        </Button>
      }
      onSubmit={(values) =>
        create.mutate({
          body: {
            name: values.name.trim(),
            versioning: values.versioning,
            locking: false,
            ...(values.quota ? { quota: { enabled: true, quota_type: values.quota_type, amount: values.amount } } : {}),
          },
        })
      }
    >
      <div>
        <TextInput
          label={t('Bucket Name')}
          data-autofocus
          autoComplete="off"
          spellCheck={false}
          aria-describedby={`${id}-name`}
          {...form.getInputProps('name')}
          error={form.errors.name !== undefined}
        />
        <NameHint id={`${id}-name`} name={name} existing={existing} error={form.errors.name} />
      </div>
      {!distributedMode && (
        <p className="ink-2">{t('Some these features are disabled as server is running in non-erasure coded mode.')}</p>
      )}
      <SwitchRow
        id={`${id}-versioning`}
        label={t('Versioning')}
        hint={noVersioning || t('Keeps every version of an object.')}
      >
        <Switch
          id={`${id}-versioning`}
          aria-describedby={`${id}-versioning-hint`}
          disabled={!distributedMode || Boolean(noVersioning)}
          {...form.getInputProps('versioning', { type: 'checkbox' })}
        />
      </SwitchRow>
      <SwitchRow id={`${id}-quota`} label={t('Quota')} hint={noQuota || t('Limits how much the bucket can store.')}>
        <Switch
          id={`${id}-quota`}
          aria-describedby={`${id}-quota-hint`}
          disabled={!distributedMode || Boolean(noQuota)}
          {...form.getInputProps('quota', { type: 'checkbox' })}
        />
      </SwitchRow>
      {quota && (
        <div className={css.nested}>
          {types.length > 1 && (
            <SegmentedControl
              aria-label={t('Quota Type')}
              w="fit-content"
              data={types}
              {...form.getInputProps('quota_type')}
            />
          )}
          <div>
            <SizeInput label={t('Size')} value={amount} onChange={(bytes) => form.setFieldValue('amount', bytes)} />
            <div className={css.rules}>{t(quotaHint[quota_type])}</div>
          </div>
        </div>
      )}
    </FormModal>
  )
}

interface NameHintProps {
  id: string
  name: string
  existing: string[]
  /** Stands in place of the hint, so that nothing below it moves. */
  error: ReactNode
}

/** Whether the name is free and keeps the rules, a second after the last key. */
function NameHint({ id, name, existing, error }: NameHintProps) {
  const t = useT()
  const [paused] = useDebouncedValue(name.trim(), NAME_DEBOUNCE_MS)
  // What was found about another name, before a Clear for instance, is not said about this one.
  const settled = paused === name.trim() ? paused : ''
  const broken = brokenRules(settled)
  return (
    <div id={id} className={css.rules} aria-live="polite">
      {error ? (
        <span className={css.error}>{error}</span>
      ) : settled === '' ? (
        t('3 to 63 lowercase letters, digits, hyphens and dots.')
      ) : existing.includes(settled) ? (
        <Mark state="bad">{t('A bucket with this name already exists')}</Mark>
      ) : broken.length === 0 ? (
        <Mark state="ok">{t('The name is valid')}</Mark>
      ) : (
        broken.map((rule) => (
          <Mark key={rule} state="warn">
            {t(rule)}
          </Mark>
        ))
      )}
    </div>
  )
}
