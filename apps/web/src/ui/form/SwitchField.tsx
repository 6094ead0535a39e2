import { Switch, type SwitchProps } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { isReason } from '../controls/Disabled.tsx'
import { FieldHint } from './FieldHint.tsx'
import css from './form.module.css'

interface SwitchFieldProps extends Omit<SwitchProps, 'description' | 'label' | 'id'> {
  label: string
  hint?: ReactNode
  /** The reason why the switch is disabled. Shown instead of the hint. */
  reason?: ReactNode
}

/** A switch to the right of its label: `<SwitchField label {...form.getInputProps('on', { type: 'checkbox' })} />`. */
export function SwitchField({ label, hint, reason, error, disabled, ...rest }: SwitchFieldProps) {
  const id = useId()
  const off = isReason(reason)
  // A single element, because the hint is a grid and would put the text and the action of a reason on separate rows.
  const below = off ? <span>{reason}</span> : hint
  const described = isReason(below) || isReason(error)
  return (
    <div className={css.switch}>
      <div className="grow">
        <label htmlFor={id} className={css.switchLabel}>
          {label}
        </label>
        <FieldHint id={`${id}-hint`} hint={below} error={error} />
      </div>
      <Switch
        id={id}
        disabled={disabled === true || off}
        {...(described && { 'aria-describedby': `${id}-hint` })}
        {...rest}
      />
    </div>
  )
}
