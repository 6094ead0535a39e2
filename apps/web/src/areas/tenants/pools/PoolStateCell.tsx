import type { PoolState } from '@stowage/contract'
import { formatCount, formatPercent, formatSize } from '../../../lib/text/format.ts'
import { msg, plural, useT } from '../../../lib/text/i18n.ts'
import type { Message } from '../../../lib/text/message.ts'
import { StatusIcon, type StatusIconState } from '../../../ui/icons/StatusIcon.tsx'
import { ProgressBar } from '../../../ui/values/Gauge.tsx'
import css from '../tenants.module.css'

const STATES: Readonly<Record<PoolState['state'], { mark: StatusIconState; word: Message }>> = {
  active: { mark: 'ok', word: msg('Active') },
  draining: { mark: 'run', word: msg('Draining') },
  drained: { mark: 'off', word: msg('Drained') },
  failed: { mark: 'bad', word: msg('Draining failed') },
  canceled: { mark: 'warn', word: msg('Draining stopped') },
  unknown: { mark: 'unknown', word: msg('Not known') },
}

/** Shows whether a pool accepts objects, or how far it is drained. */
export function PoolStateCell({ state }: { state: PoolState | undefined }) {
  const t = useT()
  if (!state) return '–'
  const { mark, word } = STATES[state.state]
  const isDraining = state.state === 'draining'
  return (
    <span className={css.pool}>
      <StatusIcon state={mark}>{isDraining ? `${t(word)} ${formatPercent(state.share)}` : t(word)}</StatusIcon>
      {isDraining && <ProgressBar share={state.share} label={t('Draining')} />}
      {state.moved_objects > 0 && (
        <span className="ink-2">
          {t(plural('{{count}} object moved', '{{count}} objects moved'), { count: state.moved_objects })},{' '}
          {formatSize(state.moved_size)}
        </span>
      )}
      {state.failed_objects > 0 && (
        <span>{t('Failed objects: {{count}}', { count: formatCount(state.failed_objects) })}</span>
      )}
    </span>
  )
}
