import { ActionIcon } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import type { MouseEvent, ReactNode } from 'react'
import { cx } from '../../lib/cx.ts'
import { useT } from '../../lib/text/i18n.ts'
import { Disabled, isReason } from '../controls/Disabled.tsx'
import { Icon } from '../icons/Icon.tsx'
import css from './Cell.module.css'

interface CellProps {
  /** The label; also used for the name of its edit button: `Edit Quota`. */
  label: string
  /** The number of columns it covers, of three. */
  span?: 1 | 2 | 3
  /** Opens the edit dialog. Called by the edit button and by a click anywhere on the cell. */
  onEdit?: (() => void) | undefined
  /** The reason why the cell cannot be edited. */
  disabled?: ReactNode
  children: ReactNode
}

/** A labelled value in a grid of cells that are separated by hairlines. */
export function Cell({ label, span = 1, onEdit, disabled, children }: CellProps) {
  const t = useT()
  const name = t('Edit {{name}}', { name: label })
  const edit = isReason(disabled) ? undefined : onEdit
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a larger click target for the pointer; keyboard users have the edit button
    <section
      className={cx(css.cell, span === 2 && css.two, span === 3 && css.three, edit && css.open)}
      aria-label={label}
      onClick={edit && ((event) => isClickOnCell(event) && edit())}
    >
      <div className={css.label}>
        <h2>{label}</h2>
        {onEdit && (
          <Disabled reason={disabled} label={name}>
            <ActionIcon aria-label={name} onClick={onEdit}>
              <Icon of={IconPencil} />
            </ActionIcon>
          </Disabled>
        )}
      </div>
      {children}
    </section>
  )
}

/** Reports whether a click was on the cell itself, not on a control inside it and not at the end of a text selection. */
function isClickOnCell({ target, currentTarget }: MouseEvent): boolean {
  // React also bubbles clicks from a dialog that the cell opened, although the dialog is elsewhere in the document.
  if (!(target instanceof Element) || !currentTarget.contains(target)) return false
  return target.closest('a, button, input, label') === null && document.getSelection()?.isCollapsed !== false
}

/** The grid of cells: three columns, or one below 640 px. */
export function Cells({ children }: { children: ReactNode }) {
  return <div className={css.cells}>{children}</div>
}

export function CellValue({ children }: { children: ReactNode }) {
  return <div className={css.value}>{children}</div>
}

/** A line below the value that explains its consequence. */
export function CellNote({ children }: { children: ReactNode }) {
  return <p className={css.note}>{children}</p>
}
