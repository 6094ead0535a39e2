import { NativeSelect } from '@mantine/core'
import { useId, useState } from 'react'
import { useT } from '../../../lib/text/i18n.ts'
import { FieldHint } from '../../../ui/form/FieldHint.tsx'
import css from './lifecycle.module.css'
import { formatDay } from './lifecycle-rule-values.ts'

interface DayPickerProps {
  label: string
  /** `2030-03-31`; empty if no day is selected. */
  value: string
  onChange: (day: string) => void
}

/** The number of years to choose from, starting with the current one. */
const YEARS = 25
const NONE = { value: '', label: '–' }

/** Selects for month, day and year. An invalid date counts as not selected. */
export function DayPicker({ label, value, onChange }: DayPickerProps) {
  const t = useT()
  const id = useId()
  const [chosen, setChosen] = useState(() => value.split('-').map((part) => String(Number(part) || '')))
  const [year = '', month = '', day = ''] = chosen
  const isComplete = chosen.length === 3 && chosen.every((part) => part !== '')
  const isWrong = isComplete && formatDay(Number(year), Number(month), Number(day)) === undefined
  const choose = (at: number, part: string) => {
    const next = [year, month, day].with(at, part)
    setChosen(next)
    const [y, m, d] = next.map(Number)
    onChange((y && m && d && formatDay(y, m, d)) || '')
  }
  return (
    <fieldset className={css.day} aria-describedby={isWrong ? id : undefined}>
      <legend>{label}</legend>
      <NativeSelect
        aria-label={t('Month')}
        value={month}
        data={[NONE, ...range(1, 12).map((n) => ({ value: String(n), label: monthName(n) }))]}
        onChange={(event) => choose(1, event.currentTarget.value)}
        error={isWrong}
      />
      <NativeSelect
        aria-label={t('Day')}
        value={day}
        data={[NONE, ...range(1, 31).map(String)]}
        onChange={(event) => choose(2, event.currentTarget.value)}
        error={isWrong}
      />
      <NativeSelect
        aria-label={t('Year')}
        value={year}
        data={[NONE, ...yearsFor(year).map(String)]}
        onChange={(event) => choose(0, event.currentTarget.value)}
        error={isWrong}
      />
      <FieldHint
        id={id}
        hint={t('The rule acts at the end of this day (UTC).')}
        error={isWrong && t('Choose a day of the calendar')}
      />
    </fieldset>
  )
}

/** Returns the years to choose from, including the selected one if it is in the past. */
function yearsFor(chosen: string): number[] {
  const first = new Date().getFullYear()
  const years = range(first, first + YEARS - 1)
  const own = Number(chosen)
  return own > 0 && !years.includes(own) ? [own, ...years] : years
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, n) => from + n)
}

function monthName(month: number): string {
  const language = document.documentElement.lang || 'en'
  return new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' }).format(Date.UTC(2000, month - 1, 1))
}
