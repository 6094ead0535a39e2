import {
  type DashboardWidget,
  dashboardWidgets,
  type WidgetKind,
  type WidgetTab,
} from '@stowage/contract/admin/dashboard-widgets'
import type { Message } from '../../../lib/text/i18n.ts'
import { formatUnit } from './widget-units.ts'

/** The definition of a widget, without values. */
export interface BoardWidget {
  id: number
  title: Message
  type: WidgetKind
  /** The key of its position in a saved layout. */
  layoutIdentifier: string
  unit: DashboardWidget['unit']
  /** Formats a value for display. */
  format: (value: number) => string
  position: DashboardWidget['position']
  /** Whether the value axis starts at zero. */
  axisFromZero: boolean
}

const tabWidgets = (tab: WidgetTab): readonly BoardWidget[] =>
  dashboardWidgets
    .filter((widget) => widget.tab === tab)
    .map(({ id, title, kind, layoutKey, unit, position, ...widget }: DashboardWidget) => ({
      id,
      // Extracted from the contract: see scripts/texts/extract.mjs.
      title: title as Message,
      type: kind,
      layoutIdentifier: layoutKey,
      unit,
      format: (value) => formatUnit(value, unit),
      position,
      axisFromZero: widget.axisFromZero ?? true,
    }))

/** The widgets of each tab, in the order of the specification. */
export const widgetTabs: Readonly<Record<WidgetTab, readonly BoardWidget[]>> = {
  summary: tabWidgets('summary'),
  traffic: tabWidgets('traffic'),
  resources: tabWidgets('resources'),
}

export const allWidgets: readonly BoardWidget[] = Object.values(widgetTabs).flat()

const serverWidgetTypes: Readonly<Record<WidgetKind, readonly string[]>> = {
  singleValue: ['stat', 'singlestat'],
  singleRep: ['stat', 'singlestat'],
  pieChart: ['gauge'],
  barChart: ['bargauge'],
  linearGraph: ['graph'],
}

const normalizeTitle = (title: string) => title.trim().toLowerCase()

/** Returns the widgets of a tab that the server provides, matched by title. */
export function shownWidgets(tab: WidgetTab, reported: readonly { title: string; type: string }[]): BoardWidget[] {
  return widgetTabs[tab].filter(({ title, type }) =>
    reported.some(
      (widget) =>
        normalizeTitle(widget.title) === normalizeTitle(title) && serverWidgetTypes[type].includes(widget.type),
    ),
  )
}
