import { Button } from '@mantine/core'
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { asFailure } from '../../lib/api/api-failure.ts'
import { useStore } from '../../lib/store.ts'
import { useT } from '../../lib/text/i18n.ts'
import { whileBusy } from '../controls/while-busy.tsx'
import css from './CodeFailure.module.css'
import { CodeLoadError, type LazyCode } from './lazy-code.ts'
import states from './states.module.css'

/* Uses plain elements and the button only: the code of other components may be what could not be loaded. */

interface CodeFailureProps {
  part: LazyCode<unknown>
  /** Another button, beside Retry. */
  more?: ReactNode
  titleId?: string
}

/** Shown in place of a page or section whose code could not be fetched. */
export function CodeFailure({ part, more, titleId }: CodeFailureProps) {
  const t = useT()
  const { failure, busy } = useStore(part.state)
  const why = failure instanceof CodeLoadError ? failure.why : undefined
  return (
    <div className={states.void} role="alert">
      <h2 id={titleId} className={states.title}>
        {t('This part of the console could not be loaded')}
      </h2>
      <p className="ink-2">
        {why === 'unreachable'
          ? t('The console cannot be reached. The rest of this page is unchanged.')
          : why === 'gone'
            ? t('The console was updated since this page was opened. Reload the page; transfers that run here end.')
            : why === 'refused'
              ? t('The console has it, but the browser did not take it.')
              : asFailure(failure).errorMessage}
      </p>
      <div className={states.actions}>
        {why !== 'gone' && (
          <Button onClick={() => void part.fetch()} {...whileBusy(busy)}>
            {t('Retry')}
          </Button>
        )}
        {(why === 'gone' || why === 'refused') && (
          <Button onClick={() => window.location.reload()}>{t('Reload Page')}</Button>
        )}
        {more}
      </div>
    </div>
  )
}

/** Shown in place of a dialog whose code could not be fetched. */
export function CodeFailureDialog({ part, onClose }: { part: LazyCode<unknown>; onClose: () => void }) {
  const t = useT()
  const titleId = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    // Closing the dialog returns the focus to the previous element.
    return () => shown?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      className={css.dialog}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      <CodeFailure part={part} titleId={titleId} more={<Button onClick={onClose}>{t('Close')}</Button>} />
    </dialog>
  )
}
