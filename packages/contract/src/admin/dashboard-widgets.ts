// The widgets of the dashboard, each declared once. The server adds where its values come from (a missing one does not compile),
// the web app draws it, and its title is translated like every text. To add a widget, see CONTRIBUTING.md.

/** How a widget is drawn. */
export type WidgetKind = 'singleValue' | 'singleRep' | 'pieChart' | 'barChart' | 'linearGraph'

export type WidgetTab = 'summary' | 'traffic' | 'resources'

export type WidgetUnit = 'bytes' | 'bytesPerSecond' | 'count' | 'perSecond' | 'cores' | 'seconds' | 'nanoseconds'

export interface DashboardWidget {
  /** Of the original console; part of URLs. */
  id: number
  /** In English; the titles of two widgets differ. */
  title: string
  tab: WidgetTab
  kind: WidgetKind
  unit: WidgetUnit
  /** The key of its position in saved boards. It never changes, and no later widget has it. */
  layoutKey: string
  /** Its default position in the grid of its tab: column, row, width, height. */
  position: readonly [x: number, y: number, width: number, height: number]
  /** False for lines whose values are far from zero. */
  axisFromZero?: false
}

const defineWidgets = <const T extends readonly DashboardWidget[]>(widgets: T): T => widgets

/** In the order of the specification. */
export const dashboardWidgets = defineWidgets([
  {
    id: 1,
    title: 'Uptime',
    tab: 'summary',
    kind: 'singleValue',
    unit: 'seconds',
    layoutKey: 'panel-0',
    position: [6, 0, 2, 1],
  },
  {
    id: 64,
    title: 'Total S3 Traffic Outbound',
    tab: 'summary',
    kind: 'singleValue',
    unit: 'bytes',
    layoutKey: 'panel-1',
    position: [3, 2, 1, 1],
  },
  {
    id: 65,
    title: 'Total S3 Traffic Inbound',
    tab: 'summary',
    kind: 'singleValue',
    unit: 'bytes',
    layoutKey: 'panel-2',
    position: [2, 2, 1, 1],
  },
  {
    id: 68,
    title: 'Data Usage Growth',
    tab: 'summary',
    kind: 'linearGraph',
    unit: 'bytes',
    layoutKey: 'panel-3',
    position: [0, 3, 4, 3],
    axisFromZero: false,
  },
  {
    id: 52,
    title: 'Object size distribution',
    tab: 'summary',
    kind: 'barChart',
    unit: 'count',
    layoutKey: 'panel-4',
    position: [4, 3, 4, 3],
  },
  {
    id: 44,
    title: 'Number of Objects',
    tab: 'summary',
    kind: 'singleRep',
    unit: 'count',
    layoutKey: 'panel-5',
    position: [2, 1, 2, 1],
  },
  {
    id: 61,
    title: 'Total Open FDs',
    tab: 'summary',
    kind: 'singleRep',
    unit: 'count',
    layoutKey: 'panel-6',
    position: [5, 1, 1, 1],
  },
  {
    id: 80,
    title: 'Time Since Last Heal Activity',
    tab: 'summary',
    kind: 'singleValue',
    unit: 'nanoseconds',
    layoutKey: 'panel-7',
    position: [4, 2, 2, 1],
  },
  {
    id: 81,
    title: 'Time Since Last Scan Activity',
    tab: 'summary',
    kind: 'singleValue',
    unit: 'nanoseconds',
    layoutKey: 'panel-8',
    position: [6, 2, 2, 1],
  },
  {
    id: 66,
    title: 'Number of Buckets',
    tab: 'summary',
    kind: 'singleRep',
    unit: 'count',
    layoutKey: 'panel-9',
    position: [4, 1, 1, 1],
  },
  {
    id: 62,
    title: 'Total Goroutines',
    tab: 'summary',
    kind: 'singleRep',
    unit: 'count',
    layoutKey: 'panel-10',
    position: [6, 1, 2, 1],
  },
  {
    id: 53,
    title: 'Total Online Servers',
    tab: 'summary',
    kind: 'singleValue',
    unit: 'count',
    layoutKey: 'panel-11',
    position: [2, 0, 1, 1],
  },
  {
    id: 63,
    title: 'S3 API Data Received Rate',
    tab: 'summary',
    kind: 'linearGraph',
    unit: 'bytesPerSecond',
    layoutKey: 'panel-12',
    position: [0, 6, 4, 3],
  },
  {
    id: 50,
    title: 'Current Usable Capacity',
    tab: 'summary',
    kind: 'pieChart',
    unit: 'bytes',
    layoutKey: 'panel-13',
    position: [0, 0, 2, 3],
  },
  {
    id: 69,
    title: 'Total Offline Servers',
    tab: 'summary',
    kind: 'singleValue',
    unit: 'count',
    layoutKey: 'panel-14',
    position: [3, 0, 1, 1],
  },
  {
    id: 70,
    title: 'S3 API Data Sent Rate',
    tab: 'summary',
    kind: 'linearGraph',
    unit: 'bytesPerSecond',
    layoutKey: 'panel-15',
    position: [4, 6, 4, 3],
  },
  {
    id: 9,
    title: 'Total Online Disks',
    tab: 'summary',
    kind: 'singleValue',
    unit: 'count',
    layoutKey: 'panel-16',
    position: [4, 0, 1, 1],
  },
  {
    id: 78,
    title: 'Total Offline Disks',
    tab: 'summary',
    kind: 'singleValue',
    unit: 'count',
    layoutKey: 'panel-17',
    position: [5, 0, 1, 1],
  },
  {
    id: 60,
    title: 'S3 API Request Rate',
    tab: 'traffic',
    kind: 'linearGraph',
    unit: 'perSecond',
    layoutKey: 'panel-18',
    position: [0, 0, 4, 4],
  },
  {
    id: 71,
    title: 'S3 API Request Error Rate',
    tab: 'traffic',
    kind: 'linearGraph',
    unit: 'perSecond',
    layoutKey: 'panel-19',
    position: [4, 0, 4, 4],
  },
  {
    id: 17,
    title: 'Internode Data Transfer',
    tab: 'traffic',
    kind: 'linearGraph',
    unit: 'bytesPerSecond',
    layoutKey: 'panel-20',
    position: [0, 4, 4, 3],
  },
  {
    id: 73,
    title: 'Node IO',
    tab: 'traffic',
    kind: 'linearGraph',
    unit: 'bytesPerSecond',
    layoutKey: 'panel-21',
    position: [4, 4, 4, 3],
  },
  {
    id: 76,
    title: 'Node Memory Usage',
    tab: 'resources',
    kind: 'linearGraph',
    unit: 'bytes',
    layoutKey: 'panel-22',
    position: [4, 0, 4, 3],
  },
  {
    id: 77,
    title: 'Node CPU Usage',
    tab: 'resources',
    kind: 'linearGraph',
    unit: 'cores',
    layoutKey: 'panel-23',
    position: [0, 0, 4, 3],
  },
  {
    id: 11,
    title: 'Node Syscalls',
    tab: 'resources',
    kind: 'linearGraph',
    unit: 'perSecond',
    layoutKey: 'panel-24',
    position: [0, 3, 4, 3],
  },
  {
    id: 8,
    title: 'Node File Descriptors',
    tab: 'resources',
    kind: 'linearGraph',
    unit: 'count',
    layoutKey: 'panel-25',
    position: [4, 3, 4, 3],
  },
  {
    id: 82,
    title: 'Drives Free Inodes',
    tab: 'resources',
    kind: 'linearGraph',
    unit: 'count',
    layoutKey: 'panel-26',
    position: [0, 6, 4, 3],
    axisFromZero: false,
  },
  {
    id: 74,
    title: 'Drive Used Capacity',
    tab: 'resources',
    kind: 'linearGraph',
    unit: 'bytes',
    layoutKey: 'panel-27',
    position: [4, 6, 4, 3],
  },
])

export type WidgetId = (typeof dashboardWidgets)[number]['id']
