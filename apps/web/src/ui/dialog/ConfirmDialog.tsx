import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { type Confirmation, openConfirmation } from '../../lib/feedback/confirm.ts'
import { useT } from '../../lib/text/i18n.ts'
import { Trans } from '../../lib/text/Trans.tsx'
import { whileBusy } from '../controls/while-busy.tsx'
import { Dialog } from './Dialog.tsx'
import css from './FormModal.module.css'
import { DialogTitle, FormError } from './FormModal.tsx'

/**
 * The dialog of `lib/feedback/confirm.ts`. It cannot be closed while the action runs, because closing would not cancel the
 * action. If the action fails, it stays open and shows the error.
 */
export function ConfirmDialog({ question }: { question: Confirmation }) {
  const t = useT()
  const [typed, setTyped] = useState('')
  const { mustType, danger = false } = question
  const close = () => openConfirmation.set(undefined)
  // `busy` is rendered some time later, and two clicks may arrive before.
  const running = useRef(false)
  const onSettled = () => {
    running.current = false
  }
  const { mutate, isPending: busy, error } = useMutation({ mutationFn: question.run, onSuccess: close, onSettled })
  const run = (event: FormEvent) => {
    event.preventDefault()
    if (running.current) return
    running.current = true
    mutate()
  }

  return (
    <Dialog
      fields={mustType !== undefined}
      busy={busy}
      onClose={close}
      title={<DialogTitle title={question.title} subject={question.subject} />}
    >
      <form onSubmit={run}>
        <div className={css.body}>
          <div>
            {question.body ?? (
              <Trans text="<name/> will be deleted permanently." parts={{ name: <b>{question.subject}</b> }} />
            )}
          </div>
          {mustType !== undefined && (
            <TextInput
              label={<Trans text="Type <text/> to continue" parts={{ text: <code>{mustType}</code> }} />}
              value={typed}
              autoComplete="off"
              spellCheck={false}
              data-autofocus
              onChange={(event) => setTyped(event.currentTarget.value)}
            />
          )}
          {error !== null && <FormError error={error} help={question.help?.(error)} />}
        </div>
        <div className={css.foot}>
          <div className="grow" />
          {/* Cancel has the initial focus, so that pressing Enter does not delete anything. */}
          <Button onClick={close} disabled={busy} data-autofocus={mustType === undefined || undefined}>
            {t('Cancel')}
          </Button>
          <Button
            type="submit"
            variant="filled"
            {...(danger ? { color: 'red' } : {})}
            {...whileBusy(busy)}
            disabled={mustType !== undefined && typed !== mustType}
          >
            {question.action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
