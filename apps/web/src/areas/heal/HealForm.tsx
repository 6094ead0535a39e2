import { Checkbox, TextInput } from '@mantine/core'
import type { FormEvent } from 'react'
import { useStore } from '../../lib/store.ts'
import { useT } from '../../lib/text/i18n.ts'
import { BucketSelect } from '../../ui/live/BucketSelect.tsx'
import { ALL_BUCKETS } from '../../ui/live/bucket-or-all.ts'
import css from './heal.module.css'
import { type HealFormValues, healFormValues } from './heal-form-values.ts'

interface HealFormProps {
  buckets: readonly string[]
  disabled: boolean
  onStart: () => void
}

const FIELD = { base: '100%', xs: 240 }

/** The form that selects what is healed, and how. Disabled while a heal runs, because its options cannot change. */
export function HealForm({ buckets, disabled, onStart }: HealFormProps) {
  const t = useT()
  const { bucket, prefix, recursive, deep, dryRun, force } = useStore(healFormValues)
  const change = (part: Partial<HealFormValues>) => healFormValues.set((old) => ({ ...old, ...part }))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onStart()
  }
  const forced = (kind: 'start' | 'stop') => ({
    checked: force === kind,
    disabled,
    onChange: () => change({ force: force === kind ? 'none' : kind }),
  })
  return (
    <form className={css.choice} onSubmit={submit} aria-label={t('What to heal')}>
      <BucketSelect
        label={t('Select Bucket')}
        buckets={buckets}
        w={FIELD}
        value={bucket}
        disabled={disabled}
        onChange={(value) => change({ bucket: value })}
      />
      <TextInput
        aria-label={t('Prefix')}
        placeholder={t('Prefix')}
        maxLength={1024}
        w={FIELD}
        value={bucket === ALL_BUCKETS ? '' : prefix}
        disabled={disabled || bucket === ALL_BUCKETS}
        onChange={(event) => change({ prefix: event.currentTarget.value })}
      />
      <Checkbox
        label={t('Recursive')}
        checked={recursive}
        disabled={disabled}
        onChange={(event) => change({ recursive: event.currentTarget.checked })}
      />
      <Checkbox label={t('Force Start')} {...forced('start')} />
      <Checkbox label={t('Force Stop')} {...forced('stop')} />
      <Checkbox
        label={t('Read every byte')}
        checked={deep}
        disabled={disabled || force === 'stop'}
        onChange={(event) => change({ deep: event.currentTarget.checked })}
      />
      <Checkbox
        label={t('Only look')}
        checked={dryRun}
        disabled={disabled || force === 'stop'}
        onChange={(event) => change({ dryRun: event.currentTarget.checked })}
      />
      {/* Pressing Enter in a field starts the heal. */}
      <input type="submit" hidden />
    </form>
  )
}
