import { type ReactNode, useEffect, useRef } from 'react'
import { cx } from '../../../lib/cx.ts'
import css from '../settings.module.css'

interface SlidingPanelProps {
  /** Identifies the current panel. */
  step: string
  /** The number of steps from the list. A deeper panel slides in from the right, a shallower one from the left. */
  depth: number
  children: ReactNode
}

/** The current panel of several steps. A change slides in within 0.3 s. */
export function SlidingPanel({ step, depth, children }: SlidingPanelProps) {
  const before = useRef(depth)
  const direction = depth > before.current ? css.deeper : depth < before.current ? css.back : undefined
  useEffect(() => {
    before.current = depth
  }, [depth])
  return (
    <div key={step} className={cx(css.slide, direction)}>
      {children}
    </div>
  )
}
