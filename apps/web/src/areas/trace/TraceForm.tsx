import { Button, Checkbox, NumberInput, Popover, Select, TextInput } from '@mantine/core'
import type { TraceKind } from '@stowage/contract'
import { IconChevronDown } from '@tabler/icons-react'
import type { FormEvent } from 'react'
import { useStore } from '../../lib/store.ts'
import { type Message, msg, useT } from '../../lib/text/i18n.ts'
import { Icon } from '../../ui/icons/Icon.tsx'
import live from '../../ui/live/live.module.css'
import css from './trace.module.css'
import {
  MAIN_TRACE_KINDS,
  MORE_TRACE_KINDS,
  type ThresholdUnit,
  type TraceFormValues,
  traceFormValues,
} from './trace-form-values.ts'

const labels: Record<TraceKind, Message> = {
  s3: msg('S3'),
  internal: msg('Internal'),
  storage: msg('Storage'),
  os: msg('OS'),
  scanner: msg('Scanner'),
  decommission: msg('Decommission'),
  healing: msg('Healing'),
  'batch-replication': msg('Batch replication'),
  'batch-keyrotation': msg('Batch key rotation'),
  'batch-expire': msg('Batch expiry'),
  rebalance: msg('Rebalance'),
  'replication-resync': msg('Replication resync'),
  bootstrap: msg('Bootstrap'),
  ftp: msg('FTP'),
  ilm: msg('Lifecycle'),
  kms: msg('KMS'),
  formatting: msg('Formatting'),
}

const THRESHOLD_UNITS: ThresholdUnit[] = ['ns', 'µs', 'ms', 's']

/** The form that selects what is traced. Disabled while the trace runs, because its filters cannot change. */
export function TraceForm({ disabled, onStart }: { disabled: boolean; onStart: () => void }) {
  const t = useT()
  const chosen = useStore(traceFormValues)
  const change = (part: Partial<TraceFormValues>) => traceFormValues.set((old) => ({ ...old, ...part }))
  const has = (kind: TraceKind) => chosen.kinds.includes(kind)
  const toggle = (kind: TraceKind, on: boolean) =>
    change({ kinds: on ? [...chosen.kinds, kind] : chosen.kinds.filter((other) => other !== kind) })
  const allOn = MAIN_TRACE_KINDS.every(has)
  const rest = chosen.kinds.filter((kind) => !MAIN_TRACE_KINDS.includes(kind))
  const box = (kind: TraceKind) => (
    <Checkbox
      key={kind}
      label={t(labels[kind])}
      checked={has(kind)}
      disabled={disabled}
      onChange={(event) => toggle(kind, event.currentTarget.checked)}
    />
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!disabled) onStart()
  }
  return (
    <form className={live.choice} onSubmit={submit} aria-label={t('Filters')}>
      <div className={live.fields}>
        <TextInput
          aria-label={t('Status Code')}
          placeholder={t('Status Code')}
          inputMode="numeric"
          maxLength={3}
          w={144}
          value={chosen.status}
          disabled={disabled}
          onChange={(event) => change({ status: event.currentTarget.value.replace(/\D/g, '') })}
        />
        <TextInput
          aria-label={t('Method')}
          placeholder={t('Method')}
          w={96}
          value={chosen.method}
          disabled={disabled}
          onChange={(event) => change({ method: event.currentTarget.value })}
        />
        <TextInput
          aria-label={t('Function Name')}
          placeholder={t('Function Name')}
          w={160}
          value={chosen.name}
          disabled={disabled}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <TextInput
          aria-label={t('Path')}
          placeholder={t('Path')}
          w={200}
          value={chosen.path}
          disabled={disabled}
          onChange={(event) => change({ path: event.currentTarget.value })}
        />
        <div className={css.threshold}>
          <NumberInput
            aria-label={t('Response Threshold')}
            placeholder={t('Response Threshold')}
            w={212}
            hideControls
            min={0}
            max={1_000_000_000}
            allowNegative={false}
            allowDecimal={false}
            value={chosen.threshold === 0 ? '' : chosen.threshold}
            disabled={disabled}
            onChange={(value) => change({ threshold: Math.max(0, Number(value) || 0) })}
          />
          <Select
            aria-label={t('Unit of the threshold')}
            data={THRESHOLD_UNITS}
            w={72}
            allowDeselect={false}
            value={chosen.unit}
            disabled={disabled}
            onChange={(unit) => unit && change({ unit: unit as ThresholdUnit })}
          />
        </div>
      </div>
      <div className={live.boxes}>
        <Checkbox
          label={t('All')}
          checked={allOn}
          indeterminate={!allOn && MAIN_TRACE_KINDS.some(has)}
          disabled={disabled}
          onChange={(event) => change({ kinds: event.currentTarget.checked ? [...MAIN_TRACE_KINDS, ...rest] : rest })}
        />
        {MAIN_TRACE_KINDS.map(box)}
        <Popover position="bottom-start" withinPortal>
          <Popover.Target>
            <Button size="xs" variant="subtle" rightSection={<Icon of={IconChevronDown} size={14} />}>
              {rest.length > 0 ? t('More ({{count}})', { count: rest.length }) : t('More')}
            </Button>
          </Popover.Target>
          <Popover.Dropdown>
            <div className={css.more}>{MORE_TRACE_KINDS.map(box)}</div>
          </Popover.Dropdown>
        </Popover>
        <span className={css.rule} aria-hidden="true" />
        <Checkbox
          label={t('Display only Errors')}
          checked={chosen.onlyErrors}
          disabled={disabled}
          onChange={(event) => change({ onlyErrors: event.currentTarget.checked })}
        />
        {disabled && <span className={live.hint}>{t('Stop to change the filters. Search works at any time.')}</span>}
      </div>
    </form>
  )
}
