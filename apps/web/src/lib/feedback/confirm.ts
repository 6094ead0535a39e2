import type { ReactNode } from 'react'
import { createStore } from '../store.ts'

/** A question before something that cannot be taken back. */
export interface Confirm {
  title: string
  /** The thing in question, shown behind the title. */
  subject?: string
  /** What is so and what follows. */
  body: ReactNode
  /** The button: verb and object, repeated from the action that asked. */
  action: string
  danger?: boolean
  /** The user types this text before the button is enabled. */
  mustType?: string
  /** Runs while the dialog shows a spinner; when it rejects, the dialog stays open and shows why. */
  run: () => Promise<unknown>
  /** Shown below a failure, for what the user can do about it. */
  help?: (error: unknown) => ReactNode
}

export const confirming = createStore<Confirm | undefined>(undefined)

export function confirm(question: Confirm) {
  confirming.set(question)
}

/** The one confirm for every delete: `confirmDelete({ title: t('Delete Bucket'), name, run })`. */
export function confirmDelete(o: {
  /** Also the button: `Delete Bucket`. */
  title: string
  name: string
  body?: ReactNode
  mustType?: string
  run: Confirm['run']
  help?: Confirm['help']
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
