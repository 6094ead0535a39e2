import { Tooltip } from '@mantine/core'
import { cloneElement, type KeyboardEvent, type MouseEvent, type ReactElement, type ReactNode } from 'react'
import { useT } from '../lib/i18n.ts'

interface Control {
  disabled?: boolean
  'data-disabled'?: boolean
  'aria-disabled'?: boolean
  onClick?: ((event: MouseEvent) => void) | undefined
  onKeyDown?: ((event: KeyboardEvent) => void) | undefined
}

/**
 * A control that cannot be used, and why. It stays in the tab order, so that the reason is there for the keyboard and for
 * screen readers too. Without a reason the control is left as it is.
 */
export function Disabled({ reason, children }: { reason: ReactNode; children: ReactElement<Control> }) {
  if (reason === undefined || reason === false || reason === '') return children
  const stop = (event: MouseEvent | KeyboardEvent) => event.preventDefault()
  return (
    <Tooltip label={reason} multiline maw={320}>
      {cloneElement(children, { 'data-disabled': true, 'aria-disabled': true, onClick: stop })}
    </Tooltip>
  )
}

/** The reason that an IAM action is missing: `Needs s3:CreateBucket`. */
export function Needs({ action }: { action: string }) {
  const t = useT()
  return (
    <>
      {t('Needs')} <code>{action}</code>
    </>
  )
}
