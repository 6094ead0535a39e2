import { TextInput, type TextInputProps } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { isReason } from '../controls/Disabled.tsx'
import { FieldHint } from './FieldHint.tsx'

interface TextFieldProps extends Omit<TextInputProps, 'description' | 'label'> {
  label: string
  /** A line below the field; an error replaces it. */
  hint?: ReactNode
}

/** A single-line text field: `<TextField label hint {...form.getInputProps('name')} />`. For names and keys, not for prose. */
export function TextField({ label, hint, error, ...rest }: TextFieldProps) {
  const id = useId()
  const described = isReason(hint) || isReason(error)
  return (
    <div>
      <TextInput
        label={label}
        autoComplete="off"
        spellCheck={false}
        {...rest}
        error={isReason(error)}
        {...(described && { 'aria-describedby': id })}
      />
      <FieldHint id={id} hint={hint} error={error} />
    </div>
  )
}
