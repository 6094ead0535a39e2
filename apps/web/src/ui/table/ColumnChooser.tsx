import { ActionIcon, Checkbox, Popover, Tooltip } from '@mantine/core'
import { IconColumns3 } from '@tabler/icons-react'
import { useT } from '../../lib/text/i18n.ts'
import { Icon } from '../icons/Icon.tsx'
import css from './table.module.css'
import type { Column } from './types.ts'

interface ColumnChooserProps<Row> {
  columns: Column<Row>[]
  /** The columns that fit at the current width. */
  fitting: Column<Row>[]
  isVisible: (key: string) => boolean
  setVisible: (key: string, on: boolean) => void
}

/** A menu to choose the visible columns. */
export function ColumnChooser<Row>({ columns, fitting, isVisible, setVisible }: ColumnChooserProps<Row>) {
  const t = useT()
  return (
    <Popover position="bottom-end" trapFocus returnFocus>
      <Popover.Target>
        <Tooltip label={t('Columns')}>
          <ActionIcon aria-label={t('Columns')} className={css.columnsButton ?? ''}>
            <Icon of={IconColumns3} />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('Columns')}>
        <div className={css.chooser}>
          {columns.map((column) => (
            <Checkbox
              key={column.key}
              label={
                <>
                  {t(column.label)}
                  {isVisible(column.key) && !fitting.includes(column) && (
                    <span className={css.noRoom}>{t('No room at this width')}</span>
                  )}
                </>
              }
              checked={isVisible(column.key)}
              disabled={column.fixed === true}
              onChange={(event) => setVisible(column.key, event.currentTarget.checked)}
            />
          ))}
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}
