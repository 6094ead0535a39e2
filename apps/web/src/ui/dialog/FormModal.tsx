import { Button } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { type FormEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { type ApiFailure, asFailure } from '../../lib/api/api.ts'
import type { FormChange } from '../../lib/changes/change.ts'
import { confirm } from '../../lib/feedback/confirm.ts'
import { dropDraft, keepDraft, readDraft } from '../../lib/session/drafts.ts'
import { useT } from '../../lib/text/i18n.ts'
import { whileBusy } from '../controls/while-busy.tsx'
import { TechnicalDetails } from '../feedback/Banner.tsx'
import { Dialog } from './Dialog.tsx'
import css from './FormModal.module.css'

/** The maximum width of a dialog (px). */
export const WIDE_DIALOG_WIDTH = 765

/** A placeholder for forms that make no call, or a call that cannot fail or take long. */
export const NO_FORM_CHANGE: Pick<FormChange, 'isPending' | 'error' | 'reset'> = {
  isPending: false,
  error: null,
  reset: () => undefined,
}

interface FormModalProps<Values extends Record<string, unknown>> {
  title: string
  /** The item that is edited, shown after the title. */
  subject?: string
  form: UseFormReturnType<Values>
  /** The state of the call, from `useChange`. Required, so that no dialog can forget to show its error. */
  change: Pick<FormChange, 'isPending' | 'error' | 'reset'>
  /** Maps field names of the call to those of the form, where they differ: `{ 'quota.amount': 'amount' }`. */
  fields?: Readonly<Record<string, string>>
  onSubmit: (values: Values) => void
  onClose: () => void
  /** The label of the submit button. Default: `Save`. */
  submit?: string
  /** More buttons, to the left of Cancel: `Clear`. */
  extra?: ReactNode
  /** False while the form cannot be submitted. */
  ready?: boolean
  /** The exact value that is stored, to the left of the buttons: `21,990,232,555,520 bytes`. */
  stored?: ReactNode
  /** 765 px instead of 460. */
  wide?: boolean
  children: ReactNode
}

/**
 * A form in a dialog. It provides Cancel, the submit button, the spinner, the disabled state and the server's error: at the
 * field that the error names, or on a line of its own. After an error the input is kept. Escape cancels, except while the call
 * runs; if several fields are filled in, it asks first. Input is also kept when the form goes away without Cancel or Save, as by
 * the back button, and is there when it is opened again.
 */
export function FormModal<Values extends Record<string, unknown>>(props: FormModalProps<Values>) {
  const t = useT()
  const { form, change, onClose, wide = false } = props
  const busy = change.isPending
  const draft = useFormDraft(`${props.title} ${props.subject ?? ''}`, form, change)
  const cancel = () => {
    draft.end()
    onClose()
  }
  const hasDraft = () => Object.keys(form.getInitialValues()).length > 1 && form.isDirty()
  const askCancel = () => {
    if (!hasDraft()) return cancel()
    confirm({
      title: t('Discard Changes'),
      body: t('What you have entered in this form will be lost.'),
      action: t('Discard Changes'),
      danger: true,
      run: async () => cancel(),
    })
  }
  const atField = useErrorAtField(form, change.error, props.fields)
  const submit = form.onSubmit(
    (values) => {
      if (busy) return
      draft.submit()
      props.onSubmit(values)
    },
    (errors) => firstInPage(Object.keys(errors).map((path) => form.getInputNode(path)))?.focus(),
  )
  const send = (event: FormEvent<HTMLFormElement>) => {
    change.reset()
    submit(event)
  }
  return (
    <Dialog
      fields
      busy={busy}
      onClose={askCancel}
      size={wide ? WIDE_DIALOG_WIDTH : 460}
      title={<DialogTitle title={props.title} subject={props.subject} />}
    >
      <form onSubmit={send} noValidate>
        <div className={css.body}>
          {props.children}
          {change.error !== null && !atField && <FormError error={change.error} />}
        </div>
        <div className={css.foot}>
          <div className={css.stored}>{props.stored}</div>
          {props.extra}
          <Button onClick={cancel} disabled={busy}>
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

/**
 * Restores the input of a form that went away without Cancel or Save, and keeps it when this one does. Fields for secrets and
 * values that are no plain data (files) are not kept.
 */
function useFormDraft<Values extends Record<string, unknown>>(
  key: string,
  form: UseFormReturnType<Values>,
  { isPending, error }: Pick<FormChange, 'isPending' | 'error'>,
) {
  // Read when the form goes away, after its last rendering.
  const state = useRef({ ended: false, submitted: false })
  if (error !== null && !isPending) state.current.submitted = false
  const latest = useRef(form)
  latest.current = form
  useEffect(() => {
    const { current } = state
    current.ended = false
    const kept = readDraft<Partial<Values>>(key)
    dropDraft(key)
    if (kept) latest.current.setValues(kept)
    return () => {
      const { ended, submitted } = current
      const { getValues, getInitialValues, isDirty } = latest.current
      if (ended || submitted || !isDirty() || Object.keys(getInitialValues()).length < 2) return
      keepDraft(key, Object.fromEntries(Object.entries(getValues()).filter(isKeptField)))
    }
  }, [key])
  return {
    end: () => {
      state.current.ended = true
    },
    submit: () => {
      state.current.submitted = true
    },
  }
}

function isKeptField([name, value]: [string, unknown]): boolean {
  if (/secret|password|token|key$|creds/i.test(name)) return false
  return value === null || ['string', 'number', 'boolean'].includes(typeof value) || Array.isArray(value)
}

/** Returns the element that comes first in the page. */
function firstInPage<E extends Element>(elements: readonly (E | null)[]): E | undefined {
  const [first] = elements
    .filter((element) => element !== null)
    .sort((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1))
  return first
}

/** Shows a server error at the field that it names, if the form has that field. @returns whether it does */
function useErrorAtField<Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values>,
  error: ApiFailure | null,
  fields: Readonly<Record<string, string>> = {},
): boolean {
  const path = error?.field === undefined ? undefined : (fields[error.field] ?? error.field)
  const [shown, setShown] = useState<ApiFailure | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each failure; editing the field removes the error
  useLayoutEffect(() => {
    const input = path === undefined ? null : form.getInputNode(path)
    if (!error || path === undefined || !input) return
    form.setFieldError(path, error.fieldMessage)
    setShown(error)
    input.focus()
  }, [error])
  return error !== null && shown === error
}

export function DialogTitle({ title, subject }: { title: string; subject?: string | undefined }) {
  return (
    <>
      {title} {subject !== undefined && <span className={css.subject}>{subject}</span>}
    </>
  )
}

/** The `ref` of something that appears in a form longer than the window, and must be seen. */
export function scrollIntoFullView(element: HTMLElement | null) {
  element?.scrollIntoView({ block: 'nearest' })
}

/** The error of a call, on one line. */
export function FormError({ error, help }: { error: unknown; help?: ReactNode }) {
  const failure = asFailure(error)
  // The session has ended: the sign-in page says so, and after signing in this error no longer applies.
  if (failure.status === 401) return null
  return (
    <div className={css.error} role="alert" ref={scrollIntoFullView}>
      <span className={css.message}>{failure.errorMessage}</span>{' '}
      {failure.detailedError !== '' && <TechnicalDetails text={failure.detailedError} />}
      {help && <div className={css.help}>{help}</div>}
    </div>
  )
}

/** A preview of the consequences, above the buttons of a form. */
export function ChangePreview({ children }: { children: ReactNode }) {
  return (
    <div className={css.effect} aria-live="polite">
      {children}
    </div>
  )
}
