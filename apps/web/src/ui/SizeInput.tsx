import { Input, NumberInput } from '@mantine/core'
import { type SizeUnit, sizeUnits } from '@stowage/contract'
import { type ReactNode, useId, useState } from 'react'
import { useT } from '../lib/i18n.ts'
import { splitSize, toBytes } from '../lib/size.ts'
import css from './SizeInput.module.css'

interface SizeInputProps {
  label: string
  /** Bytes. */
  value: number
  onChange: (bytes: number) => void
  error?: ReactNode
  disabled?: boolean
  /** Units to choose from; KiB to PiB unless said. */
  units?: readonly SizeUnit[]
}

const usual = sizeUnits.slice(1, 6)

/** A size as number and unit; what it gives is bytes. Another unit keeps the number, as it is typed. */
export function SizeInput({ label, value, onChange, error, disabled, units = usual }: SizeInputProps) {
  const t = useT()
  const id = useId()
  const [unit, setUnit] = useState<SizeUnit>(() => splitSize(value, units).unit)
  const [number, setNumber] = useState<number | string>(() => splitSize(value, units).number)
  const [seen, setSeen] = useState(value)
  // A value set from outside (Clear) replaces what is shown; what came from here is seen already.
  if (seen !== value) {
    const shown = splitSize(value, units)
    setSeen(value)
    setUnit(shown.unit)
    setNumber(shown.number)
  }
  const change = (nextNumber: number | string, nextUnit: SizeUnit) => {
    const bytes = toBytes(nextNumber, nextUnit)
    setNumber(nextNumber)
    setUnit(nextUnit)
    setSeen(bytes)
    onChange(bytes)
  }
  return (
    <Input.Wrapper label={label} id={id} error={error}>
      <div className={css.row}>
        <NumberInput
          id={id}
          className={css.number ?? ''}
          value={number}
          min={0}
          decimalScale={3}
          hideControls
          disabled={disabled ?? false}
          error={Boolean(error)}
          onChange={(next) => change(next, unit)}
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
    </Input.Wrapper>
  )
}
