import type { ComponentProps } from 'react'
import { useState } from 'react'
import { useT } from '../../../../lib/text/i18n.ts'
import { TextField } from '../../../../ui/form/TextField.tsx'

interface StepFieldProps extends Omit<ComponentProps<typeof TextField>, 'value' | 'hint' | 'required'> {
  value: string
  required?: boolean | undefined
}

/** A text field of a step. A required field that is empty has an error only after the user left or changed it. */
export function StepField({ value, required = false, error, onBlur, onChange, ...rest }: StepFieldProps) {
  const t = useT()
  const [isTouched, setTouched] = useState(false)
  const isNew = required && value === '' && !isTouched
  return (
    <TextField
      {...rest}
      value={value}
      required={required}
      withAsterisk={false}
      // It stays below a filled field, so that nothing moves during input.
      hint={required && t('Required')}
      error={isNew ? undefined : error}
      onBlur={(event) => {
        setTouched(true)
        onBlur?.(event)
      }}
      onChange={(event) => {
        setTouched(true)
        onChange?.(event)
      }}
    />
  )
}
