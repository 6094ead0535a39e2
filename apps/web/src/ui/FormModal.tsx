import { Button } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { FormEvent, ReactNode } from 'react'
import { asFailure } from '../lib/api/api.ts'
import { useT } from '../lib/text/i18n.ts'
import { Details } from './Banner.tsx'
import { Dialog } from './Dialog.tsx'
import css from './FormModal.module.css'
import { whileBusy } from './while-busy.tsx'

/** The widest that a dialog may be (px). */
export const WIDE_DIALOG = 765

interface Mutation {
  isPending: boolean
  error: unknown
  reset: () => void
}

interface FormModalProps<Values extends Record<string, unknown>> {
  title: string
  /** The thing that is edited, behind the title. */
  subject?: string
  form: UseFormReturnType<Values>
  /** Required, so that no dialog can forget its error. */
  mutation: Mutation
  onSubmit: (values: Values) => void
  onClose: () => void
  /** `Save` unless the action has a name of its own. */
  submit?: string
  /** More buttons, left of Cancel: `Clear`. */
  extra?: ReactNode
  /** False while the form cannot be sent. */
  ready?: boolean
  /** The exact value that is stored, left of the buttons: `21,990,232,555,520 bytes`. */
  stored?: ReactNode
  /** 765 px instead of 460. */
  wide?: boolean
  children: ReactNode
}

/**
 * A form in a dialog. It owns Cancel, the submit button, the spinner, the disabled state and the error line.
 * What was typed stays after an error; Escape cancels, except while the call runs.
 */
export function FormModal<Values extends Record<string, unknown>>(props: FormModalProps<Values>) {
  const t = useT()
  const { form, mutation, onClose, wide = false } = props
  const busy = mutation.isPending
  const submit = form.onSubmit((values) => {
    if (!busy) props.onSubmit(values)
  })
  const send = (event: FormEvent<HTMLFormElement>) => {
    mutation.reset()
    submit(event)
  }
  return (
    <Dialog
      fields
      busy={busy}
      onClose={onClose}
      size={wide ? WIDE_DIALOG : 460}
      title={<DialogTitle title={props.title} subject={props.subject} />}
    >
      <form onSubmit={send} noValidate>
        <div className={css.body}>
          {props.children}
          {mutation.error != null && <FormError error={mutation.error} />}
        </div>
        <div className={css.foot}>
          <div className={css.stored}>{props.stored}</div>
          {props.extra}
          <Button onClick={onClose} disabled={busy}>
            {t('Cancel')}
          </Button>
          <Button type="submit" variant="filled" {...whileBusy(busy)} disabled={props.ready === false}>
            {props.submit ?? t('Save')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

export function DialogTitle({ title, subject }: { title: string; subject?: string | undefined }) {
  return (
    <>
      {title} {subject !== undefined && <span className={css.subject}>{subject}</span>}
    </>
  )
}

/** The one line that tells why the call failed. */
export function FormError({ error, help }: { error: unknown; help?: ReactNode }) {
  const failure = asFailure(error)
  // The session ended: the sign-in page has told it, and after signing in it is no longer so.
  if (failure.status === 401) return null
  return (
    <div className={css.error} role="alert">
      <span className={css.message}>{failure.errorMessage}</span>{' '}
      {failure.detailedError !== '' && <Details text={failure.detailedError} />}
      {help && <div className={css.help}>{help}</div>}
    </div>
  )
}

/** A switch with its explanation at the left, as the first row of a form. */
export function SwitchRow({
  label,
  hint,
  id,
  children,
}: {
  label: string
  hint?: ReactNode
  id: string
  children: ReactNode
}) {
  return (
    <div className={css.switchRow}>
      <div className="grow">
        <label htmlFor={id} className={css.switchLabel}>
          {label}
        </label>
        {hint !== undefined && (
          <div id={`${id}-hint`} className="small ink-3">
            {hint}
          </div>
        )}
      </div>
      {children}
    </div>
  )
}

/** A part of a form that shows what will follow, above the buttons. */
export function Effect({ children }: { children: ReactNode }) {
  return (
    <div className={css.effect} aria-live="polite">
      {children}
    </div>
  )
}
