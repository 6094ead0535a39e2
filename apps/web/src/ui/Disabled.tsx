import { Tooltip } from '@mantine/core'
import { cloneElement, type KeyboardEvent, type MouseEvent, type ReactElement, type ReactNode, useId } from 'react'
import { type ConsoleAction, type Scope, useMay } from '../lib/session/permissions.ts'
import { Trans } from '../lib/text/Trans.tsx'

interface Control {
  disabled?: boolean
  'data-disabled'?: boolean
  'aria-disabled'?: boolean
  'aria-describedby'?: string
  onClick?: ((event: MouseEvent) => void) | undefined
  onKeyDown?: ((event: KeyboardEvent) => void) | undefined
}

interface DisabledProps {
  /** Why; without a reason the control works. */
  reason: ReactNode
  /** The tooltip while it works, for a control that is an icon only. */
  label?: string
  children: ReactElement<Control>
}

/**
 * A control that may be out of use, and then says why: to the pointer in a tooltip, to the keyboard on focus (it stays in
 * the tab order), to screen readers as its description.
 */
export function Disabled({ reason, label, children }: DisabledProps) {
  const id = useId()
  const off = isReason(reason)
  const stop = (event: MouseEvent) => event.preventDefault()
  const control = off
    ? cloneElement(children, { 'data-disabled': true, 'aria-disabled': true, 'aria-describedby': id, onClick: stop })
    : children
  return (
    <>
      {/* There in both cases: a control that React made anew would lose the focus. */}
      <Tooltip label={off ? reason : label} disabled={!off && label === undefined} multiline={off} maw={320}>
        {control}
      </Tooltip>
      {off && (
        <span id={id} className="visually-hidden">
          {reason}
        </span>
      )}
    </>
  )
}

/** Whether there is a reason: what `condition && reason` gives may be none. */
export const isReason = (reason: ReactNode) =>
  reason !== undefined && reason !== null && reason !== false && reason !== ''

/** The reason that an IAM action is missing: `Needs s3:CreateBucket`. */
export function Needs({ action }: { action: string }) {
  return <Trans text="Needs <action/>" parts={{ action: <code>{action}</code> }} />
}

/** For each action the reason why a control that needs it is out of use; none while that is not known. */
export function useNeeds(scope?: Scope): (action: ConsoleAction) => ReactNode {
  const may = useMay(scope)
  return (action) => may(action) === false && <Needs action={action} />
}
