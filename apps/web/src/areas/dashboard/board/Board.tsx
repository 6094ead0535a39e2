import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../../lib/api/query.ts'
import { useT } from '../../../lib/text/i18n.ts'
import { useSmall } from '../../../lib/use-small.ts'
import { loadable } from '../../../ui/lazy/loadable.tsx'
import { RetryButton } from '../../../ui/RetryButton.tsx'
import { StatusIcon } from '../../../ui/StatusIcon.tsx'
import { SlowNotice, useLate } from '../../../ui/states.tsx'
import css from './board.module.css'
import { defaultLayout, forgetLayout, type Place, readLayout, saveLayout } from './layout.ts'
import type { ShownRange } from './range.ts'
import { WidgetCell } from './WidgetCell.tsx'
import { type TabId, type WidgetDefinition, widgetsOf } from './widgets.ts'

const Grid = loadable(async () => (await import('./Grid.tsx')).Grid)

/** The widgets of a tab. */
export function Board({ tab, range }: { tab: TabId; range: ShownRange }) {
  const t = useT()
  const query = useQuery({
    ...q('getAdminInfo', { query: range.listQuery }),
    placeholderData: (before) => before,
  })
  const late = useLate(query.isPending)
  if (query.isPending) return late ? <SlowNotice /> : null
  const told = query.data?.widgets
  if (!told) {
    return (
      <div className={css.missing} role="alert">
        <StatusIcon state="bad">
          {t('Widget information could not be retrieved at this time. Please try again')}
        </StatusIcon>
        <RetryButton onRetry={query.refetch} />
      </div>
    )
  }
  return <Widgets tab={tab} range={range} widgets={widgetsOf(tab, told)} />
}

function Widgets({ tab, range, widgets }: { tab: TabId; range: ShownRange; widgets: readonly WidgetDefinition[] }) {
  const t = useT()
  const small = useSmall()
  const [layout, setLayout] = useState<readonly Place[]>(readLayout)
  if (small) {
    return (
      <div className={css.column}>
        {widgets.map((widget) => (
          <div key={widget.id} className={css.row} data-kind={widget.type}>
            <WidgetCell definition={widget} range={range} handle={(title) => title} />
          </div>
        ))}
      </div>
    )
  }
  const change = (next: Place[]) => {
    setLayout(next)
    saveLayout(next)
  }
  const reset = () => {
    setLayout(defaultLayout)
    forgetLayout()
  }
  return (
    <>
      <Grid tab={tab} widgets={widgets} layout={layout} onLayout={change}>
        {(widget, handle) => <WidgetCell definition={widget} range={range} handle={handle} />}
      </Grid>
      {layout !== defaultLayout && (
        <div className={css.foot}>
          <Button onClick={reset}>{t('Reset the layout')}</Button>
        </div>
      )}
    </>
  )
}
