import { Input, TextInput } from '@mantine/core'
import { type SizeUnit, sizeUnits } from '@stowage/contract'
import { type ReactNode, useId, useState } from 'react'
import { formatSize } from '../../lib/text/format.ts'
import { useT } from '../../lib/text/i18n.ts'
import { requiredText } from '../../lib/text/required-field.ts'
import { normalizeDecimal, SIZE_LIMIT, sizeToBytes, splitSize } from '../../lib/text/size.ts'
import { FieldHint } from './FieldHint.tsx'
import css from './SizeInput.module.css'
import type { BoundFieldProps } from './types.ts'

interface SizeInputProps extends BoundFieldProps<number> {
  label: string
  /** Bytes. */
  value?: number
  onChange?: (bytes: number) => void
  /** A line below the field; an error replaces it. */
  hint?: ReactNode
  disabled?: boolean
  /** Whether the field may be empty, which is 0. */
  optional?: boolean
  /** Units to choose from. Default: KiB to PiB. */
  units?: readonly SizeUnit[]
}

const usualUnits = sizeUnits.slice(1, 6)

/**
 * An input for a size: a number and a unit. Its value is in bytes, and it validates it. Changing the unit keeps the number as
 * typed.
 */
export function SizeInput(props: SizeInputProps) {
  const { label, hint, value = 0, onChange, error, disabled, optional = false, units = usualUnits } = props
  const t = useT()
  const id = useId()
  const [unit, setUnit] = useState<SizeUnit>(() => splitSize(value, units).unit)
  const [number, setNumber] = useState(() => String(splitSize(value, units).number))
  const [seen, setSeen] = useState(value)
  // If the value was changed from outside (Clear), show it; values typed here are shown already.
  if (seen !== value) {
    const shown = splitSize(value, units)
    setSeen(value)
    setUnit(shown.unit)
    setNumber(String(shown.number))
  }
  const change = (nextNumber: string, nextUnit: SizeUnit) => {
    const bytes = sizeToBytes(nextNumber, nextUnit)
    setNumber(nextNumber)
    setUnit(nextUnit)
    setSeen(bytes)
    onChange?.(bytes)
  }
  const problem =
    number === ''
      ? !optional && requiredText(t)
      : seen < 1
        ? t('The size must be larger than 0')
        : seen >= SIZE_LIMIT
          ? t('The size must be less than {{size}}', { size: formatSize(SIZE_LIMIT) })
          : undefined
  const shownError = disabled ? error : (problem ?? error)
  return (
    <Input.Wrapper label={label} id={id}>
      <div className={css.row}>
        <TextInput
          id={id}
          data-path={props['data-path']}
          aria-describedby={`${id}-hint`}
          className={css.number ?? ''}
          value={number}
          inputMode="decimal"
          autoComplete="off"
          disabled={disabled ?? false}
          error={Boolean(shownError)}
          onChange={(event) => {
            const next = normalizeDecimal(event.currentTarget.value)
            if (next !== undefined) change(next, unit)
          }}
        />
        <select
          className={css.unit}
          aria-label={t('Unit')}
          value={unit}
          disabled={disabled}
          onChange={(event) => {
            const next = units.find((u) => u === event.currentTarget.value)
            if (next) change(number, next)
          }}
        >
          {units.map((u) => (
            <option key={u}>{u}</option>
          ))}
        </select>
      </div>
      <FieldHint id={`${id}-hint`} hint={hint} error={shownError} />
    </Input.Wrapper>
  )
}
