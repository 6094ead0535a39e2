import { type ReactNode, useId } from 'react'
import { isReason } from '../controls/Disabled.tsx'
import { FieldHint } from './FieldHint.tsx'
import css from './form.module.css'
import type { BoundFieldProps } from './types.ts'

interface Choice<T extends string> {
  value: T
  label: string
  /** Explains the choice. */
  hint?: ReactNode
  /** The reason why it is disabled. */
  reason?: ReactNode
}

interface ChoiceFieldProps<T extends string> extends BoundFieldProps<T> {
  /** The accessible name of the group. Not visible, because the choices explain themselves. */
  label: string
  choices: readonly Choice<T>[]
}

/** Radio buttons with an explanation each: `<ChoiceField label choices {...form.getInputProps('access')} />`. */
export function ChoiceField<T extends string>({
  label,
  choices,
  value,
  onChange,
  error,
  ...rest
}: ChoiceFieldProps<T>) {
  const id = useId()
  return (
    <fieldset className={css.choices} {...rest}>
      <legend className="visually-hidden">{label}</legend>
      {choices.map((choice) => (
        <label key={choice.value} className={css.choice} htmlFor={`${id}-${choice.value}`}>
          <input
            id={`${id}-${choice.value}`}
            type="radio"
            name={id}
            value={choice.value}
            checked={value === choice.value}
            disabled={isReason(choice.reason)}
            data-autofocus={value === choice.value || undefined}
            onChange={() => onChange?.(choice.value)}
          />
          <span>
            <span className="strong">{choice.label}</span>
            <span className={`small ink-3 ${css.choiceHint}`}>{choice.hint}</span>
            {isReason(choice.reason) && <span className="small ink-3">{choice.reason}</span>}
          </span>
        </label>
      ))}
      <FieldHint id={`${id}-error`} hint={undefined} error={error} />
    </fieldset>
  )
}
