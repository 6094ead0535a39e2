import { ActionIcon, Menu } from '@mantine/core'
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react'
import { useT } from '../../lib/text/i18n.ts'
import { Icon } from '../icons/Icon.tsx'
import type { Column } from './types.ts'
import type { SortOrder } from './use-table-model.ts'

interface SortMenuProps<Row> {
  columns: Column<Row>[]
  sort: SortOrder | undefined
  onSort: (key: string) => void
}

/** The sort order of a list on a small screen, which has no column headers. */
export function SortMenu<Row>({ columns, sort, onSort }: SortMenuProps<Row>) {
  const t = useT()
  return (
    <Menu closeOnItemClick={false}>
      <Menu.Target>
        <ActionIcon size={44} aria-label={t('Sort')}>
          <Icon of={IconArrowsSort} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {columns
          .filter((column) => column.sortable !== false)
          .map(({ key, label }) => {
            const sorted = sort?.key === key
            return (
              <Menu.Item
                key={key}
                onClick={() => onSort(key)}
                rightSection={sorted && <Icon of={sort.desc ? IconArrowDown : IconArrowUp} size={14} />}
              >
                {t(label)}
                {sorted && <span className="visually-hidden">, {sort.desc ? t('descending') : t('ascending')}</span>}
              </Menu.Item>
            )
          })}
      </Menu.Dropdown>
    </Menu>
  )
}
