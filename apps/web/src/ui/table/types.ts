import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { To } from '../../lib/navigation/pages.ts'
import type { Message } from '../../lib/text/i18n.ts'

/** A column of a table, declared. */
export interface Column<Row> {
  /** Also the field that is shown and sorted by, unless `cell` and `value` say otherwise. */
  key: string
  label: Message
  /** Pixels; columns without one share what is left. */
  width?: number
  /** True unless said otherwise. */
  sortable?: boolean
  /** What to sort by. */
  value?: (row: Row) => string | number
  /** Whether that is a number; so unless said where numbers stand right. Names are sorted as people count: 2 before 10. */
  numeric?: boolean
  /** Numbers stand right. */
  align?: 'left' | 'right'
  headerAlign?: 'left' | 'right'
  /** Padding at the right of the header (px), which aligns it with the figures and not with their unit. */
  headerPad?: number
  cell?: (row: Row) => ReactNode
  /** Where it stands on a small screen; without one it is left out there. */
  small?: 'title' | 'aside' | 'note' | 'extra'
  /** Left out where there is little room; of several the highest goes first. */
  yields?: number
  /** Off until chosen. */
  hidden?: boolean
  /** Cannot be switched off. */
  fixed?: boolean
}

/** The kinds of row actions of the specification; each has its icon. */
export type ActionType =
  | 'view'
  | 'edit'
  | 'delete'
  | 'description'
  | 'share'
  | 'cloud'
  | 'console'
  | 'download'
  | 'disable'
  | 'format'
  | 'preview'

export interface RowAction<Row> {
  type: ActionType
  label: Message
  /** Instead of the type's icon. */
  icon?: Icon
  /** A page to go to. */
  to?: (row: Row) => To
  onClick?: (row: Row) => void
  /** The reason why it cannot be used on this row. */
  disabled?: (row: Row) => ReactNode
  /** Shows a spinner instead of the icon. */
  busy?: (row: Row) => boolean
  /** Leaves it out of this row. */
  hidden?: (row: Row) => boolean
}

export interface FilterOptions<Row> {
  /** Also its name: `Filter Buckets`. */
  placeholder: Message
  /** The text that is searched; the row's id unless said. */
  text?: (row: Row) => string
  /** Rows that pass besides the text, such as "public only". */
  also?: ((row: Row) => boolean) | undefined
  /** Given where the filter is done elsewhere (by the server); then the table filters nothing itself. */
  onChange?: (text: string) => void
}

/** The sentences of a table. Whole ones, because words cannot be put together in every language. */
export interface TableTexts {
  /** The table's name: `Buckets`. */
  name: Message
  /** `There are no Buckets yet.` */
  empty: Message
  /** What such rows are for, below `empty`. */
  emptyHint?: Message
  /** `No Buckets match the filter.` */
  noMatch: Message
}

export interface SelectionOptions<Row> {
  /** Beside the count: `13 TiB, 21,922,708 objects`. */
  summary?: (rows: Row[]) => string
  /** The buttons for what is selected. */
  actions: (rows: Row[], clear: () => void) => ReactNode
  /** What the Delete key does with what is selected. Without it, it deletes the row that has the focus. */
  onDelete?: (rows: Row[], clear: () => void) => void
  /** Rows that cannot be selected. */
  canSelect?: (row: Row) => boolean
}
