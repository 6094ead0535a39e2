import { Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { localTimeField } from '../../../lib/text/date-fields.ts'
import { formatDuration } from '../../../lib/text/format.ts'
import { useT } from '../../../lib/text/i18n.ts'
import css from './board.module.css'
import { type BoardRange, QUICK_RANGES, showQuickRange, showTimeRange } from './board-range.ts'

/** The controls for the time range of the charts. */
export function RangeControls({ range }: { range: BoardRange }) {
  const t = useT()
  const [typed, setTyped] = useState<{ start?: string; end?: string }>({})
  const start = typed.start ?? localTimeField(new Date(range.start * 1000), 'minutes')
  const end = typed.end ?? localTimeField(new Date(range.end * 1000), 'minutes')
  const times = { start: Date.parse(start) / 1000, end: Date.parse(end) / 1000 }
  const backwards = times.start >= times.end
  const change = (part: { start?: string; end?: string }) => {
    const next = { start, end, ...part }
    // The fields show whole minutes; an end that is not typed stays what it is, to the second.
    const from =
      next.start === localTimeField(new Date(range.start * 1000), 'minutes')
        ? range.start
        : Date.parse(next.start) / 1000
    const to =
      next.end === localTimeField(new Date(range.end * 1000), 'minutes') ? range.end : Date.parse(next.end) / 1000
    if (from < to) {
      setTyped({})
      showTimeRange(from, to)
    } else setTyped(next)
  }
  // Invalid input stays in the field until another range is selected.
  const forget = (last: string | null) => {
    setTyped({})
    showQuickRange(last === null || last === '0' ? undefined : Number(last))
  }
  return (
    <fieldset className={css.controls} aria-label={t('Time range')}>
      <Select
        aria-label={t('Time range')}
        className={css.last ?? ''}
        allowDeselect={false}
        data={[
          { value: '0', label: t('Last {{time}}', { time: formatDuration(900) }) },
          ...QUICK_RANGES.map((seconds) => ({
            value: String(seconds),
            label: t('Last {{time}}', { time: quickRangeText(seconds) }),
          })),
          ...(range.isLive ? [] : [{ value: '', label: t('Chosen times') }]),
        ]}
        value={range.isLive ? String(range.last ?? 0) : ''}
        onChange={(value) => value !== '' && forget(value)}
      />
      <TextInput
        className={css.moment ?? ''}
        type="datetime-local"
        label={t('Start Time')}
        value={start}
        error={backwards}
        onChange={(event) => change({ start: event.currentTarget.value })}
      />
      <TextInput
        className={css.moment ?? ''}
        type="datetime-local"
        label={t('End Time')}
        value={end}
        error={backwards}
        onChange={(event) => change({ end: event.currentTarget.value })}
      />
      {backwards && (
        <p className={css.wrong} role="alert">
          {t('The start is after the end')}
        </p>
      )}
    </fieldset>
  )
}

/** Formats a range; a year and a month are named as such instead of as days. */
const quickRangeText = (seconds: number) => formatDuration(seconds === 365 * 86_400 ? 366 * 86_400 : seconds)
