import { Tooltip } from '@mantine/core'
import {
  cloneElement,
  isValidElement,
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  useId,
} from 'react'
import { explaining } from '../lib/session/explain.ts'
import { type ConsoleAction, type Scope, useMay } from '../lib/session/permissions.ts'
import { useT } from '../lib/text/i18n.ts'
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
 * the tab order), to screen readers as its description. Where a right is missing, selecting it shows which statements
 * decide about that right.
 */
export function Disabled({ reason, label, children }: DisabledProps) {
  const t = useT()
  const id = useId()
  const off = isReason(reason)
  const missing = missingRight(reason)
  const stop = (event: MouseEvent) => {
    event.preventDefault()
    if (missing) explaining.set(missing)
  }
  const control = off
    ? cloneElement(children, { 'data-disabled': true, 'aria-disabled': true, 'aria-describedby': id, onClick: stop })
    : children
  const tip = missing ? (
    <>
      <div>{reason}</div>
      <div>{t('Select to see which policy decides')}</div>
    </>
  ) : (
    reason
  )
  return (
    <>
      {/* Rendered in both cases: React would otherwise recreate the control, and it would lose the focus. */}
      <Tooltip label={off ? tip : label} disabled={!off && label === undefined} multiline={off} maw={320}>
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

interface NeedsProps extends Scope {
  action: string
}

/** The right that a reason says is missing. */
function missingRight(reason: ReactNode): (Scope & { action: ConsoleAction }) | undefined {
  // The caller of `Needs` names an action of the contract, or the question is refused by the server.
  return isValidElement<NeedsProps>(reason) && reason.type === Needs
    ? { ...reason.props, action: reason.props.action as ConsoleAction }
    : undefined
}

/** The reason that an IAM action is missing: `Needs s3:CreateBucket`. */
export function Needs({ action }: NeedsProps) {
  return <Trans text="Needs <action/>" parts={{ action: <code>{action}</code> }} />
}

/** For each action the reason why a control that needs it is out of use; none while that is not known. */
export function useNeeds(scope?: Scope): (action: ConsoleAction) => ReactNode {
  const may = useMay(scope)
  return (action) => may(action) === false && <Needs action={action} {...scope} />
}
