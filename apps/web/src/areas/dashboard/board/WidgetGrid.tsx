import { ActionIcon, Tooltip } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { IconGripVertical } from '@tabler/icons-react'
import type { KeyboardEvent, ReactNode } from 'react'
import { GridLayout, moveElement, verticalCompactor } from 'react-grid-layout'
import 'react-grid-layout/css/styles.css'
import type { WidgetTab } from '@stowage/contract/admin/dashboard-widgets'
import { cx } from '../../../lib/cx.ts'
import { useT } from '../../../lib/text/i18n.ts'
import { Icon } from '../../../ui/icons/Icon.tsx'
import css from './board.module.css'
import {
  GRID_COLUMNS,
  GRID_MAX_WIDTH,
  GRID_MIN_HEIGHT,
  GRID_PADDING,
  gridRowHeight,
  mergePositions,
  tabPositions,
  type WidgetPosition,
} from './widget-layout.ts'
import type { BoardWidget } from './widgets.ts'

interface WidgetGridProps {
  tab: WidgetTab
  widgets: readonly BoardWidget[]
  /** The positions of the widgets on all tabs. */
  layout: readonly WidgetPosition[]
  onLayout: (layout: WidgetPosition[]) => void
  children: (widget: BoardWidget, handle: (title: ReactNode) => ReactNode) => ReactNode
}

const DRAG = 'data-drag'
const resize = { enabled: true, handles: ['se'] as const }
const drag = { enabled: true, handle: `[${DRAG}]`, bounded: false, threshold: 3 }

/** The widgets of a tab in eight columns, which can be moved and resized by pointer or arrow keys. */
export function WidgetGrid({ tab, widgets, layout, onLayout, children }: WidgetGridProps) {
  const t = useT()
  const { ref, width, height } = useElementSize<HTMLDivElement>()
  const positions = tabPositions(layout, tab).filter(({ i }) => widgets.some((widget) => widget.layoutIdentifier === i))
  const save = (changed: Parameters<typeof mergePositions>[1]) => onLayout(mergePositions(layout, changed))
  const onKey = (i: string) => (event: KeyboardEvent) => {
    const changed = moveByKey(positions, i, event)
    if (!changed) return
    event.preventDefault()
    save(changed)
  }
  return (
    <div ref={ref} className={css.grid}>
      {width > 0 && (
        <GridLayout
          width={Math.min(width, GRID_MAX_WIDTH)}
          style={{ minHeight: GRID_MIN_HEIGHT, maxWidth: GRID_MAX_WIDTH }}
          gridConfig={{
            cols: GRID_COLUMNS,
            rowHeight: gridRowHeight(height),
            margin: [0, 0],
            containerPadding: [GRID_PADDING, GRID_PADDING],
          }}
          dragConfig={drag}
          resizeConfig={resize}
          compactor={verticalCompactor}
          layout={positions}
          onDragStop={save}
          onResizeStop={save}
        >
          {widgets.map((widget) => (
            <div key={widget.layoutIdentifier} className={css.place}>
              {children(widget, (title) => (
                <>
                  <div className={css.drag} {...{ [DRAG]: '' }}>
                    {title}
                  </div>
                  <Tooltip label={t('Arrow keys move it, with Shift they resize it')}>
                    <ActionIcon
                      size={22}
                      className={cx(css.menu, css.grip)}
                      aria-label={t('Move or resize {{name}}', { name: t(widget.title) })}
                      onKeyDown={onKey(widget.layoutIdentifier)}
                    >
                      <Icon of={IconGripVertical} size={14} />
                    </ActionIcon>
                  </Tooltip>
                </>
              ))}
            </div>
          ))}
        </GridLayout>
      )}
    </div>
  )
}

const ARROWS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** Returns the layout after an arrow key was pressed on a widget's handle; undefined for other keys. */
function moveByKey(
  positions: readonly WidgetPosition[],
  i: string,
  { key, shiftKey }: KeyboardEvent,
): WidgetPosition[] | undefined {
  const [x, y] = ARROWS[key] ?? []
  const copies = positions.map((place) => ({ ...place }))
  const own = copies.find((place) => place.i === i)
  if (x === undefined || y === undefined || !own) return undefined
  if (shiftKey) {
    own.w = clamp(own.w + x, own.minW, GRID_COLUMNS - own.x)
    own.h = Math.max(1, own.h + y)
    return verticalCompactor.compact(copies, GRID_COLUMNS) as WidgetPosition[]
  }
  const column = clamp(own.x + x, 0, GRID_COLUMNS - own.w)
  const row = Math.max(0, own.y + (y > 0 ? heightBelow(copies, own) : y))
  const moved = moveElement(copies, own, column, row, true, false, 'vertical', GRID_COLUMNS)
  return verticalCompactor.compact(moved, GRID_COLUMNS) as WidgetPosition[]
}

const clamp = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value))

/** Returns how many rows a widget must move down to swap with the one below; after fewer it would be moved back up. */
function heightBelow(positions: readonly WidgetPosition[], own: WidgetPosition): number {
  const below = positions.filter(
    ({ i, x, y, w }) => i !== own.i && y >= own.y + own.h && x < own.x + own.w && own.x < x + w,
  )
  const next = below.sort((a, b) => a.y - b.y)[0]
  return next?.h ?? 1
}
