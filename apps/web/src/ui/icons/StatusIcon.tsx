import { IconLock, IconWorld } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { cx } from '../../lib/cx.ts'
import { Icon } from './Icon.tsx'
import css from './StatusIcon.module.css'

/** A different shape for each state, so that it can be read without colour. */
const statusShapes = {
  ok: <circle cx="5" cy="5" r="4" fill="currentColor" />,
  off: <circle cx="5" cy="5" r="3.25" fill="none" stroke="currentColor" strokeWidth="1.5" />,
  warn: <path d="M5 .6 9.8 9.2H.2z" fill="currentColor" />,
  bad: <rect x="1" y="1" width="8" height="8" rx="1" fill="currentColor" />,
  run: (
    <>
      <circle cx="5" cy="5" r="3.25" fill="none" stroke="currentColor" strokeWidth="1.5" />
      <path d="M5 1a4 4 0 0 1 0 8z" fill="currentColor" />
    </>
  ),
  unknown: <path d="M5 1 9 5 5 9 1 5z" fill="none" stroke="currentColor" strokeWidth="1.5" />,
}

/** ok: online, enabled · off: disabled · warn: degraded · bad: failed, offline, denied · run: running · unknown. */
export type StatusIconState = keyof typeof statusShapes

/** A state as an icon and a word. */
export function StatusIcon({
  state,
  children,
  sentence = false,
  className,
}: {
  state: StatusIconState
  children?: ReactNode
  /** Whether the text may take several lines. */
  sentence?: boolean
  className?: string | undefined
}) {
  return (
    <span className={cx(css.mark, sentence && css.sentence, css[state], className)}>
      <svg viewBox="0 0 10 10" aria-hidden="true">
        {statusShapes[state]}
      </svg>
      {children !== undefined && <span>{children}</span>}
    </span>
  )
}

/** A lock for private buckets, a globe for public ones. */
export function AccessIcon({ open, children }: { open: boolean; children: ReactNode }) {
  return (
    <span className={cx(css.mark, css.access, open && css.open)}>
      <Icon of={open ? IconWorld : IconLock} size={14} />
      <span>{children}</span>
    </span>
  )
}
