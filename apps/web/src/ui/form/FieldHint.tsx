import type { ReactNode } from 'react'
import { isReason } from '../controls/Disabled.tsx'
import css from './form.module.css'

interface FieldHintProps {
  id: string
  hint: ReactNode
  error: ReactNode
}

/** The line below a field. An error replaces the hint, so that nothing below moves. */
export function FieldHint({ id, hint, error }: FieldHintProps) {
  if (!isReason(error) && !isReason(hint)) return null
  return (
    <div id={id} className={css.hint} aria-live="polite">
      {isReason(error) && error !== true ? <span className={css.error}>{error}</span> : hint}
    </div>
  )
}
