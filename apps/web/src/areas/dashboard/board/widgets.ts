import { type Message, msg } from '../../../lib/text/i18n.ts'
import { formatUnit, type WidgetUnit } from './widget-units.ts'

/** How a widget is drawn. */
export type WidgetKind = 'singleValue' | 'singleRep' | 'pieChart' | 'barChart' | 'linearGraph'

export type WidgetTabId = 'summary' | 'traffic' | 'resources'

/** The definition of a widget, without values. */
export interface BoardWidget {
  id: number
  title: Message
  type: WidgetKind
  /** The key of its position in a saved layout. */
  layoutIdentifier: string
  unit: WidgetUnit
  /** Formats a value for display. */
  format: (value: number) => string
}

let panels = 0
const defineWidget = (id: number, title: Message, type: WidgetKind, unit: WidgetUnit): BoardWidget => ({
  id,
  title,
  type,
  layoutIdentifier: `panel-${panels++}`,
  unit,
  format: (value) => formatUnit(value, unit),
})

/** The widgets of each tab, in the order of the specification. */
export const widgetTabs: Readonly<Record<WidgetTabId, readonly BoardWidget[]>> = {
  summary: [
    defineWidget(1, msg('Uptime'), 'singleValue', 'seconds'),
    defineWidget(64, msg('Total S3 Traffic Outbound'), 'singleValue', 'bytes'),
    defineWidget(65, msg('Total S3 Traffic Inbound'), 'singleValue', 'bytes'),
    defineWidget(68, msg('Data Usage Growth'), 'linearGraph', 'bytes'),
    defineWidget(52, msg('Object size distribution'), 'barChart', 'count'),
    defineWidget(44, msg('Number of Objects'), 'singleRep', 'count'),
    defineWidget(61, msg('Total Open FDs'), 'singleRep', 'count'),
    defineWidget(80, msg('Time Since Last Heal Activity'), 'singleValue', 'nanoseconds'),
    defineWidget(81, msg('Time Since Last Scan Activity'), 'singleValue', 'nanoseconds'),
    defineWidget(66, msg('Number of Buckets'), 'singleRep', 'count'),
    defineWidget(62, msg('Total Goroutines'), 'singleRep', 'count'),
    defineWidget(53, msg('Total Online Servers'), 'singleValue', 'count'),
    defineWidget(63, msg('S3 API Data Received Rate'), 'linearGraph', 'bytesPerSecond'),
    defineWidget(50, msg('Current Usable Capacity'), 'pieChart', 'bytes'),
    defineWidget(69, msg('Total Offline Servers'), 'singleValue', 'count'),
    defineWidget(70, msg('S3 API Data Sent Rate'), 'linearGraph', 'bytesPerSecond'),
    defineWidget(9, msg('Total Online Disks'), 'singleValue', 'count'),
    defineWidget(78, msg('Total Offline Disks'), 'singleValue', 'count'),
  ],
  traffic: [
    defineWidget(60, msg('S3 API Request Rate'), 'linearGraph', 'perSecond'),
    defineWidget(71, msg('S3 API Request Error Rate'), 'linearGraph', 'perSecond'),
    defineWidget(17, msg('Internode Data Transfer'), 'linearGraph', 'bytesPerSecond'),
    defineWidget(73, msg('Node IO'), 'linearGraph', 'bytesPerSecond'),
  ],
  resources: [
    defineWidget(76, msg('Node Memory Usage'), 'linearGraph', 'bytes'),
    defineWidget(77, msg('Node CPU Usage'), 'linearGraph', 'cores'),
    defineWidget(11, msg('Node Syscalls'), 'linearGraph', 'perSecond'),
    defineWidget(8, msg('Node File Descriptors'), 'linearGraph', 'count'),
    defineWidget(82, msg('Drives Free Inodes'), 'linearGraph', 'count'),
    defineWidget(74, msg('Drive Used Capacity'), 'linearGraph', 'bytes'),
  ],
}

export const allWidgets: readonly BoardWidget[] = [
  ...widgetTabs.summary,
  ...widgetTabs.traffic,
  ...widgetTabs.resources,
]

/** Reports whether the value axis starts at zero; not for lines whose values are far from it. */
export const startsAtZero = ({ id }: BoardWidget) => id !== 68 && id !== 82

const serverWidgetTypes: Readonly<Record<WidgetKind, readonly string[]>> = {
  singleValue: ['stat', 'singlestat'],
  singleRep: ['stat', 'singlestat'],
  pieChart: ['gauge'],
  barChart: ['bargauge'],
  linearGraph: ['graph'],
}

const normalizeTitle = (title: string) => title.trim().toLowerCase()

/** Returns the widgets of a tab that the server provides, matched by title. */
export function shownWidgets(tab: WidgetTabId, reported: readonly { title: string; type: string }[]): BoardWidget[] {
  return widgetTabs[tab].filter(({ title, type }) =>
    reported.some(
      (widget) =>
        normalizeTitle(widget.title) === normalizeTitle(title) && serverWidgetTypes[type].includes(widget.type),
    ),
  )
}
