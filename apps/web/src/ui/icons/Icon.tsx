import type { Icon as TablerIcon } from '@tabler/icons-react'

/** An outline icon of 16 px. Decorative: the text beside it or the name of the button states its meaning. */
export function Icon({ of: Shape, size = 16, className }: { of: TablerIcon; size?: number; className?: string }) {
  return <Shape size={size} stroke={1.5} aria-hidden className={className ?? ''} />
}
