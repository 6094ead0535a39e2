import type { Icon as TablerIcon } from '@tabler/icons-react'

/** An outline icon, 16 px and thin as the look has it. Decoration: the word beside it or the button's name speaks. */
export function Icon({ of: Shape, size = 16, className }: { of: TablerIcon; size?: number; className?: string }) {
  return <Shape size={size} stroke={1.5} aria-hidden className={className ?? ''} />
}
