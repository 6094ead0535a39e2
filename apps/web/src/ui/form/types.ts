import type { ReactNode } from 'react'

/** The part of `form.getInputProps('name')` that the fields of `ui/form` use. */
export interface BoundFieldProps<T> {
  value?: T
  // Accepts a value or an event; the form library types it as `any`.
  // biome-ignore lint/suspicious/noExplicitAny: the form library's own type
  onChange?: any
  error?: ReactNode
  /** Used by the form to find the field in the document. */
  'data-path'?: string
}
