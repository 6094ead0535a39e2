import { Button } from '@mantine/core'
import type { Input } from '@stowage/contract'
import type { ReactNode } from 'react'
import { asFailure } from '../../lib/api/api-failure.ts'
import { type BulkResult, useBulkChange } from '../../lib/changes/bulk-change.ts'
import type { ChangeOperation } from '../../lib/changes/change.ts'
import { useT } from '../../lib/text/i18n.ts'
import { whileBusy } from '../controls/while-busy.tsx'
import { StatusIcon } from '../icons/StatusIcon.tsx'
import { ProgressBar } from '../values/Gauge.tsx'
import css from './BulkDialog.module.css'
import { Dialog } from './Dialog.tsx'
import formCss from './FormModal.module.css'

interface BulkDialogProps<O extends ChangeOperation> {
  /** The title; also the label of the submit button: `Delete 3 buckets`. */
  title: string
  /** The consequences, shown before the action starts. */
  body: ReactNode
  /** The names of the items, as the user sees them. */
  names: readonly string[]
  /** The call that is made for each item, and its input. */
  operation: O
  input: (name: string) => Input<O>
  /** The label of a completed item: `Deleted`. */
  done: string
  /** `2 of 3 deleted` */
  progress: (done: number, total: number) => string
  /** `2 buckets could not be deleted` */
  failed: (count: number) => string
  /** The text of the snackbar: `1 bucket deleted`. */
  message: (count: number) => string
  /** Shown below a failure: what the user can do about it. */
  help?: ((error: unknown, name: string) => ReactNode) | undefined
  danger?: boolean
  onClose: () => void
}

/**
 * Asks for confirmation, makes one call after the other for the selected items, and shows the result of each. The dialog
 * closes by itself if all calls succeed; after a failure it stays open so that the user can read it.
 */
export function BulkDialog<O extends ChangeOperation>(props: BulkDialogProps<O>) {
  const t = useT()
  const { title, names, operation, input, message, onClose, danger = false } = props
  const { phase, outcomes, run, stop } = useBulkChange({ operation, input, message, onDone: onClose })
  const failed = [...outcomes.values()].filter((outcome) => outcome?.state === 'failed').length
  const close = () => {
    stop()
    onClose()
  }
  return (
    <Dialog onClose={close} title={title}>
      <div className={formCss.body}>
        <div>{phase === 'ended' && failed > 0 ? props.failed(failed) : props.body}</div>
        {phase === 'running' && (
          <ProgressBar
            share={outcomes.size / names.length}
            label={props.progress(outcomes.size - failed, names.length)}
          />
        )}
        <ul className={css.results} aria-live="polite">
          {names.map((name) => (
            <BulkResultItem key={name} name={name} outcome={outcomes.get(name)} done={props.done} help={props.help} />
          ))}
        </ul>
      </div>
      <div className={formCss.foot}>
        <div className="grow" />
        <Button onClick={close} data-autofocus>
          {phase === 'ended' ? t('Close') : t('Cancel')}
        </Button>
        {phase !== 'ended' && (
          <Button
            variant="filled"
            {...(danger ? { color: 'red' } : {})}
            {...whileBusy(phase === 'running')}
            onClick={() => void run(names)}
          >
            {title}
          </Button>
        )}
      </div>
    </Dialog>
  )
}

interface BulkResultItemProps extends Pick<BulkDialogProps<ChangeOperation>, 'done' | 'help'> {
  name: string
  outcome: BulkResult
}

function BulkResultItem({ name, outcome, done, help }: BulkResultItemProps) {
  const hint = outcome?.state === 'failed' && help?.(outcome.error, name)
  return (
    <li className={css.result}>
      <span className="truncate strong">{name}</span>
      {outcome?.state === 'done' && <StatusIcon state="ok">{done}</StatusIcon>}
      {outcome?.state === 'failed' && (
        <span>
          <StatusIcon state="bad">{asFailure(outcome.error).errorMessage}</StatusIcon>
          {hint && <div>{hint}</div>}
        </span>
      )}
    </li>
  )
}
