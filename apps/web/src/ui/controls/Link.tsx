import { type AnchorHTMLAttributes, forwardRef, type MouseEvent } from 'react'
import { consoleAddress } from '../../lib/base-path.ts'
import { navigate } from '../../lib/navigation/navigate.ts'
import type { PageTarget } from '../../lib/navigation/pages.ts'
import { useRowTabStop } from '../keyboard/row-tab-stop.ts'

export interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  to: PageTarget
}

/** A link to a page of the console. Opens in place; the browser handles clicks with a modifier key or another mouse button. */
export const Link = forwardRef<HTMLAnchorElement, LinkProps>(function Link({ to, onClick, target, ...rest }, ref) {
  const tabIndex = useRowTabStop()
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    if (event.defaultPrevented || !plain || target === '_blank') return
    event.preventDefault()
    navigate(to)
  }
  return <a ref={ref} href={consoleAddress(to)} target={target} onClick={follow} tabIndex={tabIndex} {...rest} />
})
