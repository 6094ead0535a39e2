import { type ReactNode, useEffect, useRef } from 'react'
import { cx } from '../../lib/cx.ts'
import css from './settings.module.css'

interface SlidesProps {
  /** Names the panel that is shown. */
  step: string
  /** How many steps it is from the list: a deeper one comes from the right, a list comes back from the left. */
  depth: number
  children: ReactNode
}

/** One panel of several steps, which slides in for 0.3 s. */
export function Slides({ step, depth, children }: SlidesProps) {
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
