import { Button } from '@mantine/core'
import type { WidgetTab } from '@stowage/contract/admin/dashboard-widgets'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../../lib/api/query.ts'
import { useT } from '../../../lib/text/i18n.ts'
import { useSmallScreen } from '../../../lib/use-small-screen.ts'
import { RetryButton } from '../../../ui/controls/RetryButton.tsx'
import { SlowNotice, useLongWait } from '../../../ui/feedback/states.tsx'
import { StatusIcon } from '../../../ui/icons/StatusIcon.tsx'
import { loadable } from '../../../ui/lazy/loadable.tsx'
import css from './board.module.css'
import type { BoardRange } from './board-range.ts'
import { WidgetCell } from './WidgetCell.tsx'
import {
  defaultWidgetLayout,
  forgetWidgetLayout,
  readWidgetLayout,
  saveWidgetLayout,
  type WidgetPosition,
} from './widget-layout.ts'
import { type BoardWidget, shownWidgets } from './widgets.ts'

const WidgetGrid = loadable(async () => (await import('./WidgetGrid.tsx')).WidgetGrid)

/** The widgets of a tab. */
export function WidgetBoard({ tab, range }: { tab: WidgetTab; range: BoardRange }) {
  const t = useT()
  const query = useQuery({
    ...q('getAdminInfo', { query: range.listQuery }),
    placeholderData: (before) => before,
  })
  const late = useLongWait(query.isPending)
  if (query.isPending) return late ? <SlowNotice /> : null
  const reported = query.data?.widgets
  if (!reported) {
    return (
      <div className={css.missing} role="alert">
        <StatusIcon state="bad">
          {t('Widget information could not be retrieved at this time. Please try again')}
        </StatusIcon>
        <RetryButton onRetry={query.refetch} />
      </div>
    )
  }
  return <TabWidgets tab={tab} range={range} widgets={shownWidgets(tab, reported)} />
}

function TabWidgets({ tab, range, widgets }: { tab: WidgetTab; range: BoardRange; widgets: readonly BoardWidget[] }) {
  const t = useT()
  const small = useSmallScreen()
  const [layout, setLayout] = useState<readonly WidgetPosition[]>(readWidgetLayout)
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
  const change = (next: WidgetPosition[]) => {
    setLayout(next)
    saveWidgetLayout(next)
  }
  const reset = () => {
    setLayout(defaultWidgetLayout)
    forgetWidgetLayout()
  }
  return (
    <>
      <WidgetGrid tab={tab} widgets={widgets} layout={layout} onLayout={change}>
        {(widget, handle) => <WidgetCell definition={widget} range={range} handle={handle} />}
      </WidgetGrid>
      {layout !== defaultWidgetLayout && (
        <div className={css.foot}>
          <Button onClick={reset}>{t('Reset the layout')}</Button>
        </div>
      )}
    </>
  )
}
