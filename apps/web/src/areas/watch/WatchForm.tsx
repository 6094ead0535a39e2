import { Checkbox, TextInput } from '@mantine/core'
import type { WatchEvent } from '@stowage/contract'
import type { FormEvent } from 'react'
import { useStore } from '../../lib/store.ts'
import { type Message, msg, useT } from '../../lib/text/i18n.ts'
import { BucketSelect } from '../../ui/live/BucketSelect.tsx'
import css from '../../ui/live/live.module.css'
import { type WatchFormValues, watchFormValues } from './watch-form-values.ts'

const labels: Record<WatchEvent, Message> = {
  put: msg('Created'),
  get: msg('Read'),
  delete: msg('Removed'),
  replica: msg('Replicated'),
  ilm: msg('Restored or moved to a tier'),
  'bucket-creation': msg('Bucket created'),
  'bucket-removal': msg('Bucket removed'),
}
const kinds = Object.keys(labels) as WatchEvent[]

interface WatchFormProps {
  buckets: readonly string[]
  disabled: boolean
  onStart: () => void
}

/** The form that selects what is watched. Disabled while the watch runs, because its options cannot change. */
export function WatchForm({ buckets, disabled, onStart }: WatchFormProps) {
  const t = useT()
  const { bucket, prefix, suffix, events } = useStore(watchFormValues)
  const change = (part: Partial<WatchFormValues>) => watchFormValues.set((old) => ({ ...old, ...part }))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onStart()
  }
  return (
    <form className={css.choice} onSubmit={submit} aria-label={t('What to watch')}>
      <div className={css.fields}>
        <BucketSelect
          label={t('Bucket')}
          buckets={buckets}
          w={240}
          value={bucket}
          disabled={disabled}
          onChange={(value) => change({ bucket: value })}
        />
        <TextInput
          aria-label={t('Prefix')}
          placeholder={t('Prefix')}
          maxLength={1024}
          w={200}
          value={prefix}
          disabled={disabled}
          onChange={(event) => change({ prefix: event.currentTarget.value })}
        />
        <TextInput
          aria-label={t('Suffix')}
          placeholder={t('Suffix')}
          maxLength={1024}
          w={140}
          value={suffix}
          disabled={disabled}
          onChange={(event) => change({ suffix: event.currentTarget.value })}
        />
        {/* Pressing Enter in a field starts the watch. */}
        <input type="submit" hidden />
      </div>
      <div className={css.boxes}>
        {kinds.map((kind) => (
          <Checkbox
            key={kind}
            label={t(labels[kind])}
            checked={events.includes(kind)}
            disabled={disabled}
            onChange={(event) =>
              change({
                events: event.currentTarget.checked ? [...events, kind] : events.filter((other) => other !== kind),
              })
            }
          />
        ))}
        {disabled && <span className={css.hint}>{t('Stop to change what is watched. Search works at any time.')}</span>}
      </div>
    </form>
  )
}
