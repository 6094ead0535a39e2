import { SegmentedControl } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { FieldHint } from './FieldHint.tsx'
import css from './form.module.css'
import type { BoundFieldProps } from './types.ts'

interface SegmentFieldProps<T extends string> extends BoundFieldProps<T> {
  label: string
  data: { value: T; label: string }[]
  hint?: ReactNode
  disabled?: boolean
}

/** A choice of two to four words side by side: `<SegmentField label data {...form.getInputProps('quota_type')} />`. */
export function SegmentField<T extends string>(props: SegmentFieldProps<T>) {
  const { label, hint, error, data, value, onChange, disabled = false, ...rest } = props
  const id = useId()
  return (
    <div {...rest}>
      <div className={css.label}>{label}</div>
      <SegmentedControl
        aria-label={label}
        aria-describedby={id}
        data={data}
        disabled={disabled}
        {...(value !== undefined && { value })}
        onChange={onChange}
      />
      <FieldHint id={id} hint={hint} error={error} />
    </div>
  )
}
