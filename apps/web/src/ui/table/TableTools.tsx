import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { cx } from '../../lib/cx.ts'
import { useT } from '../../lib/text/i18n.ts'
import { Key } from '../Key.tsx'
import css from './table.module.css'
import type { SelectionOptions } from './types.ts'

interface TableToolsProps<Row> {
  small: boolean
  filter: ReactNode
  selection: SelectionOptions<Row> | undefined
  /** The selected rows. */
  chosen: Row[]
  onClear: () => void
  /** What stands at the right while nothing is selected. */
  children: ReactNode
}

/** The bar above a table. A selection tints it in place: the filter stays and nothing moves. */
export function TableTools<Row>({ small, filter, selection, chosen, onClear, children }: TableToolsProps<Row>) {
  const t = useT()
  const bulk = selection !== undefined && chosen.length > 0
  return (
    <div className={cx(css.tools, bulk && css.bulk)} role="toolbar" aria-label={t('Filter and actions')}>
      {!(bulk && small) && filter}
      {bulk ? (
        <>
          {filter && <span className={css.divider} />}
          <span className={css.count} role="status">
            {t('{{count}} selected', { count: chosen.length })}{' '}
            {!small && <span className="ink-2">{selection.summary?.(chosen)}</span>}
          </span>
          <span className="grow" />
          {selection.actions(chosen, onClear)}
          <Button size="xs" variant="subtle" onClick={onClear} rightSection={small ? undefined : <Key>Esc</Key>}>
            {small ? t('Clear') : t('Clear selection')}
          </Button>
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
