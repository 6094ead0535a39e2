import { ActionIcon } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import type { MouseEvent, ReactNode } from 'react'
import { cx } from '../lib/cx.ts'
import { useT } from '../lib/text/i18n.ts'
import css from './Cell.module.css'
import { Disabled, isReason } from './Disabled.tsx'
import { Icon } from './Icon.tsx'

interface CellProps {
  /** Also the name of its edit button: `Edit Quota`. */
  label: string
  /** Columns of the three that it takes. */
  span?: 1 | 2 | 3
  /** Opens its dialog, from its button and from a click anywhere on it. */
  onEdit?: (() => void) | undefined
  /** Why it cannot be edited. */
  disabled?: ReactNode
  children: ReactNode
}

/** A field of the sheet between hairlines: what others call a card. */
export function Cell({ label, span = 1, onEdit, disabled, children }: CellProps) {
  const t = useT()
  const name = t('Edit {{name}}', { name: label })
  const edit = isReason(disabled) ? undefined : onEdit
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a larger target for the pointer; by keyboard its button does it
    <section
      className={cx(css.cell, span === 2 && css.two, span === 3 && css.three, edit && css.open)}
      aria-label={label}
      onClick={edit && ((event) => isOwn(event) && edit())}
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

/** A click on the cell itself: controls in it have their own, and who selects text wants to copy it. */
function isOwn({ target, currentTarget }: MouseEvent): boolean {
  // React hands on clicks in a dialog that the cell has opened, though that is elsewhere in the document.
  if (!(target instanceof Element) || !currentTarget.contains(target)) return false
  return target.closest('a, button, input, label') === null && document.getSelection()?.isCollapsed !== false
}

/** The grid of cells: three in a row, one below 640 px. */
export function Cells({ children }: { children: ReactNode }) {
  return <div className={css.cells}>{children}</div>
}

export function CellValue({ children }: { children: ReactNode }) {
  return <div className={css.value}>{children}</div>
}

/** One line of consequence below the value. */
export function CellNote({ children }: { children: ReactNode }) {
  return <p className={css.note}>{children}</p>
}
