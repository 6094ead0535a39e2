import type { ReactNode } from 'react'
import { createStore } from '../store.ts'

/** A confirmation before an action that cannot be undone. */
export interface Confirmation {
  title: string
  /** The affected item, shown after the title. */
  subject?: string
  /** The situation and the consequences. */
  body: ReactNode
  /** The label of the button: verb and object, the same as of the action. */
  action: string
  danger?: boolean
  /** The text that the user has to type to enable the button. */
  mustType?: string
  /** Runs while the dialog shows a spinner. If it rejects, the dialog stays open and shows the error. */
  run: () => Promise<unknown>
  /** Shown below an error: what the user can do about it. */
  help?: (error: unknown) => ReactNode
}

export const openConfirmation = createStore<Confirmation | undefined>(undefined)

export function confirm(question: Confirmation) {
  openConfirmation.set(question)
}

/** Asks for confirmation of a deletion: `confirmDelete({ title: t('Delete Bucket'), name, run })`. */
export function confirmDelete(o: {
  /** The title; also the label of the button: `Delete Bucket`. */
  title: string
  name: string
  body?: ReactNode
  mustType?: string
  run: Confirmation['run']
  help?: Confirmation['help']
}) {
  confirm({
    title: o.title,
    subject: o.name,
    body: o.body,
    action: o.title,
    danger: true,
    run: o.run,
    ...(o.mustType === undefined ? {} : { mustType: o.mustType }),
    ...(o.help ? { help: o.help } : {}),
  })
}
