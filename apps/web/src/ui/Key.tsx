import type { ReactNode } from 'react'

/** A key cap. For the eye only: `aria-keyshortcuts` or the control's own name tells it to others. */
export function Key({ children }: { children: ReactNode }) {
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a kbd takes no focus, the rule is wrong about it
  return <kbd aria-hidden="true">{children}</kbd>
}
