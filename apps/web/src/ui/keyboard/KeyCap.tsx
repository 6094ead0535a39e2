import type { ReactNode } from 'react'

/** A keyboard key. Visual only: screen readers use `aria-keyshortcuts` or the name of the control. */
export function KeyCap({ children }: { children: ReactNode }) {
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a kbd element is not focusable; the rule is wrong about it
  return <kbd aria-hidden="true">{children}</kbd>
}
