import { ActionIcon, Button, Checkbox } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { cx } from '../../lib/cx.ts'
import { useT } from '../../lib/text/i18n.ts'
import { Icon } from '../icons/Icon.tsx'
import { KeyCap } from '../keyboard/KeyCap.tsx'
import css from './table.module.css'
import type { SelectionOptions } from './types.ts'
import type { RowSelection } from './use-selection.ts'

interface TableToolsProps<Row> {
  small: boolean
  filter: ReactNode
  selection: SelectionOptions<Row> | undefined
  /** The selected rows. */
  chosen: Row[]
  selected: RowSelection
  /** Shown at the right while nothing is selected. */
  children: ReactNode
}

/** The bar above a table. With a selection it is tinted; the filter stays and nothing moves. */
export function TableTools<Row>({ small, filter, selection, chosen, selected, children }: TableToolsProps<Row>) {
  const t = useT()
  const bulk = selection !== undefined && chosen.length > 0
  return (
    <div className={cx(css.tools, bulk && css.bulk)} role="toolbar" aria-label={t('Filter and actions')}>
      {!(bulk && small) && filter}
      {bulk ? (
        <>
          {filter && <span className={css.divider} />}
          {small && (
            <Checkbox
              className={css.all ?? ''}
              aria-label={t('Select all')}
              checked={selected.state === 'all'}
              indeterminate={selected.state === 'some'}
              onChange={() => selected.all(selected.state !== 'all')}
            />
          )}
          <span className={css.count} role="status">
            {selection.count?.(chosen) ?? t('{{count}} selected', { count: chosen.length })}{' '}
            {!small && <span className="ink-2">{selection.summary?.(chosen)}</span>}
          </span>
          <span className="grow" />
          {selection.actions(chosen, selected.clear)}
          {small ? (
            <ActionIcon size={44} aria-label={t('Clear selection')} onClick={selected.clear}>
              <Icon of={IconX} />
            </ActionIcon>
          ) : (
            <Button size="xs" variant="subtle" onClick={selected.clear} rightSection={<KeyCap>Esc</KeyCap>}>
              {t('Clear selection')}
            </Button>
          )}
        </>
      ) : (
        <>
          <span className="grow" />
          {children}
        </>
      )}
    </div>
  )
}
