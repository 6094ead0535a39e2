import type { Icon } from '@tabler/icons-react'

/** An entry of the command palette: a page to open or a command. */
export interface PaletteEntry {
  /** The heading that it is listed under. */
  area: string
  label: string
  icon: Icon
  /** Shown in grey after the label: `14 TiB`. */
  note?: string
  /** The effect of Enter, shown at the right: `Open Summary`. */
  verb: string
  run: () => void
  /** Called for Tab: opens the bucket in the palette. */
  into?: () => void
}

/** The entries that an area adds to the palette: its resources by name, and commands. */
export interface PaletteSource {
  items: PaletteEntry[]
  commands: Pick<PaletteEntry, 'label' | 'icon' | 'run'>[]
}
