import { type Message, msg } from '../../../lib/text/i18n.ts'
import { formatUnit, type Unit } from './units.ts'

/** How a widget is drawn. */
export type WidgetKind = 'singleValue' | 'singleRep' | 'pieChart' | 'barChart' | 'linearGraph'

export type TabId = 'summary' | 'traffic' | 'resources'

/** The definition of a widget, without values. */
export interface WidgetDefinition {
  id: number
  title: Message
  type: WidgetKind
  /** The key of its position in a saved layout. */
  layoutIdentifier: string
  unit: Unit
  /** Formats a value for display. */
  format: (value: number) => string
}

let panels = 0
const define = (id: number, title: Message, type: WidgetKind, unit: Unit): WidgetDefinition => ({
  id,
  title,
  type,
  layoutIdentifier: `panel-${panels++}`,
  unit,
  format: (value) => formatUnit(value, unit),
})

/** The widgets of each tab, in the order of the specification. */
export const tabs: Readonly<Record<TabId, readonly WidgetDefinition[]>> = {
  summary: [
    define(1, msg('Uptime'), 'singleValue', 'seconds'),
    define(64, msg('Total S3 Traffic Outbound'), 'singleValue', 'bytes'),
    define(65, msg('Total S3 Traffic Inbound'), 'singleValue', 'bytes'),
    define(68, msg('Data Usage Growth'), 'linearGraph', 'bytes'),
    define(52, msg('Object size distribution'), 'barChart', 'count'),
    define(44, msg('Number of Objects'), 'singleRep', 'count'),
    define(61, msg('Total Open FDs'), 'singleRep', 'count'),
    define(80, msg('Time Since Last Heal Activity'), 'singleValue', 'nanoseconds'),
    define(81, msg('Time Since Last Scan Activity'), 'singleValue', 'nanoseconds'),
    define(66, msg('Number of Buckets'), 'singleRep', 'count'),
    define(62, msg('Total Goroutines'), 'singleRep', 'count'),
    define(53, msg('Total Online Servers'), 'singleValue', 'count'),
    define(63, msg('S3 API Data Received Rate'), 'linearGraph', 'bytesPerSecond'),
    define(50, msg('Current Usable Capacity'), 'pieChart', 'bytes'),
    define(69, msg('Total Offline Servers'), 'singleValue', 'count'),
    define(70, msg('S3 API Data Sent Rate'), 'linearGraph', 'bytesPerSecond'),
    define(9, msg('Total Online Disks'), 'singleValue', 'count'),
    define(78, msg('Total Offline Disks'), 'singleValue', 'count'),
  ],
  traffic: [
    define(60, msg('S3 API Request Rate'), 'linearGraph', 'perSecond'),
    define(71, msg('S3 API Request Error Rate'), 'linearGraph', 'perSecond'),
    define(17, msg('Internode Data Transfer'), 'linearGraph', 'bytesPerSecond'),
    define(73, msg('Node IO'), 'linearGraph', 'bytesPerSecond'),
  ],
  resources: [
    define(76, msg('Node Memory Usage'), 'linearGraph', 'bytes'),
    define(77, msg('Node CPU Usage'), 'linearGraph', 'cores'),
    define(11, msg('Node Syscalls'), 'linearGraph', 'perSecond'),
    define(8, msg('Node File Descriptors'), 'linearGraph', 'count'),
    define(82, msg('Drives Free Inodes'), 'linearGraph', 'count'),
    define(74, msg('Drive Used Capacity'), 'linearGraph', 'bytes'),
  ],
}

export const allWidgets: readonly WidgetDefinition[] = [...tabs.summary, ...tabs.traffic, ...tabs.resources]

/** Reports whether the value axis starts at zero; not for lines whose values are far from it. */
export const fromZero = ({ id }: WidgetDefinition) => id !== 68 && id !== 82

const kinds: Readonly<Record<WidgetKind, readonly string[]>> = {
  singleValue: ['stat', 'singlestat'],
  singleRep: ['stat', 'singlestat'],
  pieChart: ['gauge'],
  barChart: ['bargauge'],
  linearGraph: ['graph'],
}

const plain = (title: string) => title.trim().toLowerCase()

/** Returns the widgets of a tab that the server provides, matched by title. */
export function widgetsOf(tab: TabId, told: readonly { title: string; type: string }[]): WidgetDefinition[] {
  return tabs[tab].filter(({ title, type }) =>
    told.some((widget) => plain(widget.title) === plain(title) && kinds[type].includes(widget.type)),
  )
}
