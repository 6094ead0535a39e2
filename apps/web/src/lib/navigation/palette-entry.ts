import type { Icon } from '@tabler/icons-react'

/** Something that the command palette can go to or do. */
export interface PaletteEntry {
  /** The heading under which it stands. */
  area: string
  label: string
  icon: Icon
  /** In grey behind the label: `14 TiB`. */
  note?: string
  /** What Enter does, shown at the right: `Open Summary`. */
  verb: string
  run: () => void
  /** What Tab does: into the bucket. */
  into?: () => void
}

/** What an area adds to the palette: its things, by their names, and commands. */
export interface PaletteSource {
  items: PaletteEntry[]
  commands: Pick<PaletteEntry, 'label' | 'icon' | 'run'>[]
}
