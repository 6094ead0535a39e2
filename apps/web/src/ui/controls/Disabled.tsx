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
import { type ConsoleAction, type PermissionScope, usePermissions } from '../../lib/data/permissions.ts'
import { openExplanation } from '../../lib/session/access-explanation.ts'
import { useT } from '../../lib/text/i18n.ts'
import { Trans } from '../../lib/text/Trans.tsx'

interface ControlProps {
  disabled?: boolean
  'data-disabled'?: boolean
  'aria-disabled'?: boolean
  'aria-describedby'?: string
  onClick?: ((event: MouseEvent) => void) | undefined
  onKeyDown?: ((event: KeyboardEvent) => void) | undefined
}

interface DisabledProps {
  /** The reason why the control is disabled. Without a reason the control is enabled. */
  reason: ReactNode
  /** The tooltip of the enabled control, for icon buttons. */
  label?: string
  children: ReactElement<ControlProps>
}

/**
 * A control that explains why it is disabled: in a tooltip, on keyboard focus (it stays in the tab order) and in its
 * description for screen readers. If a permission is missing, selecting the control shows the policy statements that decide.
 */
export function Disabled({ reason, label, children }: DisabledProps) {
  const t = useT()
  const id = useId()
  const off = isReason(reason)
  const missing = findMissingPermission(reason)
  const stop = (event: MouseEvent) => {
    event.preventDefault()
    if (missing) openExplanation.set(missing)
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
      {/* Rendered in both cases: otherwise React would recreate the control, and it would lose the focus. */}
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

/** Reports whether a node is a reason; `condition && reason` can be false or empty. */
export const isReason = (reason: ReactNode) =>
  reason !== undefined && reason !== null && reason !== false && reason !== ''

interface MissingPermissionProps extends PermissionScope {
  action: string
}

/** Returns the permission that a reason reports as missing. */
function findMissingPermission(reason: ReactNode): (PermissionScope & { action: ConsoleAction }) | undefined {
  // Callers of `Needs` pass an action of the contract; for any other, the server rejects the query.
  return isValidElement<MissingPermissionProps>(reason) && reason.type === MissingPermission
    ? { ...reason.props, action: reason.props.action as ConsoleAction }
    : undefined
}

/** The reason for a missing permission: `Needs s3:CreateBucket`. */
export function MissingPermission({ action }: MissingPermissionProps) {
  return <Trans text="Needs <action/>" parts={{ action: <code>{action}</code> }} />
}

/** Returns a function from an action to the reason why its control is disabled; undefined while permissions are not loaded. */
export function useDisabledReason(scope?: PermissionScope): (action: ConsoleAction) => ReactNode {
  const may = usePermissions(scope)
  return (action) => may(action) === false && <MissingPermission action={action} {...scope} />
}
