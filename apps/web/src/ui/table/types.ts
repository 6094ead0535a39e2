import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { PageTarget } from '../../lib/navigation/pages.ts'
import type { Message } from '../../lib/text/i18n.ts'

/** A column of a table. */
export interface Column<Row> {
  /** The ID of the column; also the field to show and sort by, unless `cell` or `value` is set. */
  key: string
  label: Message
  /** The width in px; columns without one share the remaining width. */
  width?: number
  /** Default: true. */
  sortable?: boolean
  /** Returns the value to sort by. */
  value?: (row: Row) => string | number
  /** Sorts the values as numbers. Default: true if `align` is `right`. Text is sorted in natural order: 2 before 10. */
  numeric?: boolean
  /** Set if the rows already come in the ascending order of this column: a long list is then not sorted again. */
  inOrder?: boolean
  /** Use `right` for numbers. */
  align?: 'left' | 'right'
  headerAlign?: 'left' | 'right'
  /** Right padding of the header (px), to align it with the figures rather than with their unit. */
  headerPad?: number
  cell?: (row: Row) => ReactNode
  /** The position in a row on a small screen; `whole` has lines of its own, as many as its text needs. Without one: hidden. */
  small?: 'title' | 'aside' | 'note' | 'extra' | 'whole'
  /** Hides the column if there is not enough room; the column with the highest value is hidden first. */
  yields?: number
  /** Hidden by default; the user can show it. */
  hidden?: boolean
  /** The user cannot hide it. */
  fixed?: boolean
}

/** The row actions of the specification; each has an icon. */
export type RowActionType =
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
  type: RowActionType
  label: Message
  /** Replaces the icon of the type. */
  icon?: Icon
  /** The page to open. */
  to?: (row: Row) => PageTarget
  onClick?: (row: Row) => void
  /** Returns the reason why the action is disabled for this row. */
  disabled?: (row: Row) => ReactNode
  /** Shows a spinner instead of the icon. */
  busy?: (row: Row) => boolean
  /** Omits the action from this row. */
  hidden?: (row: Row) => boolean
}

export interface FilterOptions<Row> {
  /** The placeholder; also the accessible name: `Filter Buckets`. */
  placeholder: Message
  /** Returns the text to search in. Default: the row's ID. */
  text?: (row: Row) => string
  /** An additional condition, such as "public only". */
  also?: ((row: Row) => boolean) | undefined
  /** Set if the server filters the rows; the table then does not filter them itself. */
  onChange?: (text: string) => void
}

/** The texts of a table. Whole sentences, because words cannot be combined in every language. */
export interface TableTexts {
  /** The name of the table: `Buckets`. */
  name: Message
  /** `There are no Buckets yet.` */
  empty: Message
  /** The purpose of such rows, below `empty`. */
  emptyHint?: Message
  /** `No Buckets match the filter.` */
  noMatch: Message
}

export interface SelectionOptions<Row> {
  /** Shown beside the number of selected rows: `13 TiB, 21,922,708 objects`. */
  summary?: (rows: Row[]) => string
  /** Returns what is selected, if it is more than the selected rows; otherwise their number is shown. */
  count?: (rows: Row[]) => string | undefined
  /** The buttons for the selected rows. */
  actions: (rows: Row[], clear: () => void) => ReactNode
  /** Shown below the bar while rows are selected. `all` selects all rows that are listed. */
  note?: (rows: Row[], all: () => void) => ReactNode
  /** Called for the Delete key with the selected rows. Without it, the key deletes the focused row. */
  onDelete?: (rows: Row[], clear: () => void) => void
  /** Returns whether a row can be selected. */
  canSelect?: (row: Row) => boolean
}
