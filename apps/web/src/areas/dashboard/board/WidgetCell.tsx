import { ActionIcon, Menu, Tooltip } from '@mantine/core'
import type { Widget } from '@stowage/contract'
import { IconDotsVertical, IconRefresh } from '@tabler/icons-react'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useRef, useState } from 'react'
import type { ApiFailure } from '../../../lib/api/api-failure.ts'
import { q } from '../../../lib/api/query.ts'
import { resultView } from '../../../lib/api/query-result.ts'
import { useT } from '../../../lib/text/i18n.ts'
import { useLongWait } from '../../../ui/feedback/states.tsx'
import { Icon } from '../../../ui/icons/Icon.tsx'
import { StatusIcon } from '../../../ui/icons/StatusIcon.tsx'
import css from './board.module.css'
import type { BoardRange } from './board-range.ts'
import { readWidget } from './read-widgets.ts'
import { saveWidgetCsv, saveWidgetPicture } from './save-widget.ts'
import { ValuesTable } from './ValuesTable.tsx'
import { ChartLegend, WidgetFigure } from './WidgetFigure.tsx'
import { widgetData } from './widget-values.ts'
import type { BoardWidget } from './widgets.ts'

/** Refresh interval of a live range (ms). */
const REFRESH_MS = 30_000

/** A new history is read again as soon as it has its first values. */
const refreshDelayMs = (widget: Widget | undefined) =>
  widget?.wait === undefined ? REFRESH_MS : Math.min(REFRESH_MS, Math.max(1, widget.wait) * 1000)

interface WidgetCellProps {
  definition: BoardWidget
  range: BoardRange
  /** Renders the title inside the handle by which the widget is moved and resized. */
  handle: (title: ReactNode) => ReactNode
}

/** A widget of the dashboard, with a loading, error and empty state independent of other widgets. */
export function WidgetCell({ definition, range, handle }: WidgetCellProps) {
  const t = useT()
  const id = useId()
  const cell = useRef<HTMLElement>(null)
  const [asTable, setAsTable] = useState(false)
  const query = useQuery({
    ...q('getWidget', { params: { id: definition.id }, query: range.widgetQuery }),
    queryFn: ({ signal }) => readWidget(definition.id, range.widgetQuery, signal),
    refetchInterval: ({ state }) => (range.isLive ? refreshDelayMs(state.data) : false),
    // Shows the values of the previous range until those of the new one are loaded.
    placeholderData: (before) => before,
  })
  const data = query.data && widgetData(query.data)
  const figure = data?.kind === 'value'
  return (
    <section
      ref={cell}
      className={css.cell}
      aria-labelledby={id}
      data-widget={definition.id}
      data-state={loadState(query)}
    >
      <div className={css.head}>
        {handle(
          <h2 id={id} className={css.title}>
            {t(definition.title)}
          </h2>,
        )}
        {data?.kind === 'lines' && !asTable && <ChartLegend lines={data.lines} />}
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon
              size={22}
              className={css.menu ?? ''}
              aria-label={t('Actions of {{name}}', { name: t(definition.title) })}
            >
              <Icon of={IconDotsVertical} size={14} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {!figure && (
              <Menu.Item disabled={!data} onClick={() => setAsTable(!asTable)}>
                {asTable ? t('Show as chart') : t('Show as table')}
              </Menu.Item>
            )}
            <Menu.Item disabled={!data} onClick={() => data && saveWidgetCsv(definition, data)}>
              {t('Save as CSV')}
            </Menu.Item>
            <Menu.Item
              disabled={!data || asTable}
              onClick={() => data && cell.current && saveWidgetPicture(definition, data, cell.current)}
            >
              {t('Save as PNG')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </div>
      <WidgetBody query={query}>
        {(widget) =>
          data ? (
            asTable ? (
              <ValuesTable definition={definition} data={data} />
            ) : (
              <WidgetFigure definition={definition} data={data} range={range} />
            )
          ) : (
            <NoData widget={widget} />
          )
        }
      </WidgetBody>
    </section>
  )
}

const loadState = ({ data, error, isPlaceholderData }: UseQueryResult<Widget>) =>
  error ? 'failed' : data && !isPlaceholderData ? 'loaded' : 'loading'

function WidgetBody({ query, children }: { query: UseQueryResult<Widget>; children: (widget: Widget) => ReactNode }) {
  const t = useT()
  const view = resultView(query)
  const late = useLongWait(view.state === 'loading')
  if (view.state === 'loading') return <p className={css.note}>{late && t('Loading...')}</p>
  if (view.state === 'failed') return <WidgetFailure failure={view.failure} onRetry={query.refetch} />
  return (
    <>
      {view.state === 'stale' && <WidgetFailure failure={view.failure} onRetry={query.refetch} />}
      {children(view.data)}
    </>
  )
}

function WidgetFailure({ failure, onRetry }: { failure: ApiFailure; onRetry: () => unknown }) {
  const t = useT()
  // The console's message is generic; the details name the cause.
  const text = failure.detailedError || failure.errorMessage
  return (
    <div className={css.failed} role="alert">
      <StatusIcon state="bad" className={css.why}>
        <span title={text}>{text}</span>
      </StatusIcon>
      <Tooltip label={t('Retry')}>
        <ActionIcon size={22} aria-label={t('Retry')} onClick={() => void onRetry()}>
          <Icon of={IconRefresh} size={14} />
        </ActionIcon>
      </Tooltip>
    </div>
  )
}

/** Shown if there are no values, which is not the same as 0. */
function NoData({ widget: { empty, wait = 0 } }: { widget: Widget }) {
  const t = useT()
  const reason =
    empty === 'not-reported'
      ? t('The server has not reported this.')
      : empty === 'too-new'
        ? t('The first values appear in {{seconds}} s.', { seconds: wait })
        : empty === 'not-in-range' && t('Nothing was recorded in this time.')
  return (
    <p className={css.note}>
      <span className={css.none}>{t('No data')}</span>
      {reason && <span title={reason}>{reason}</span>}
    </p>
  )
}
