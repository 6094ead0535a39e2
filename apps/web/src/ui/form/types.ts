import type { ReactNode } from 'react'

/** What `form.getInputProps('name')` gives a field, as far as the fields of `ui/form` use it. */
export interface Bound<T> {
  value?: T
  // The form accepts a value or an event, typed as `any`.
  // biome-ignore lint/suspicious/noExplicitAny: the form's own type
  onChange?: any
  error?: ReactNode
  /** How the form finds the field again. */
  'data-path'?: string
}
