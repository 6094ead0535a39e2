import { TextField } from './TextField.tsx'
import type { BoundFieldProps } from './types.ts'

/** A number while it is typed; '' if the field is empty. */
export type NumberInput = number | ''

interface NumberFieldProps extends BoundFieldProps<NumberInput> {
  label: string
  hint?: string
  min?: number
  max?: number
  disabled?: boolean
}

/** A field for a whole number: `<NumberField label min={1} {...form.getInputProps('validity')} />`. */
export function NumberField({ value = '', onChange, ...rest }: NumberFieldProps) {
  return (
    <TextField
      type="number"
      inputMode="numeric"
      step={1}
      {...rest}
      value={String(value)}
      onChange={({ currentTarget }) => onChange?.(currentTarget.value === '' ? '' : Number(currentTarget.value))}
    />
  )
}
