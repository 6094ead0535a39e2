/** How a target's value is computed from a metric. */
export type ComputeMode =
  /** The value itself. */
  | 'value'
  /** Increase per second, taking resets into account. */
  | 'rate'
  /** Seconds since the greatest value, which is a time in seconds since 1970. */
  | 'since'

/** The metric for one generation of servers. */
export interface MetricSource {
  metric: string
  /** How series with the same `by` labels are combined. */
  sum: 'sum' | 'max' | 'count'
  by: readonly string[]
  /** Before that, use only one of several servers that report the same value. */
  once?: boolean
}

export interface WidgetTarget {
  /** With labels in double braces. */
  legend: string
  compute: ComputeMode
  /** The metric name of 2025 first; values under older names are stored under it. */
  from: readonly [MetricSource, ...MetricSource[]]
}

export type WidgetType = 'stat' | 'gauge' | 'graph' | 'bargauge'

export interface MetricsWidget {
  id: number
  title: string
  type: WidgetType
  /** How the web app picks one value; absent for charts. */
  calc?: 'mean' | 'last' | 'lastNotNull'
  /** Default step in seconds. */
  step: number
  targets: readonly [WidgetTarget, ...WidgetTarget[]]
}

const source = (metric: string, by: readonly string[] = [], sum: MetricSource['sum'] = 'sum'): MetricSource => ({
  metric,
  sum,
  by,
})

/** Each server of a cluster reports the totals of the cluster, so use only one report. */
const clusterSource = (metric: string, by: readonly string[] = []): MetricSource => ({ metric, sum: 'max', by })

const target = (legend: string, compute: ComputeMode, ...from: WidgetTarget['from']): WidgetTarget => ({
  legend,
  compute,
  from,
})

const perServer = (legend: string, metric: string, compute: ComputeMode = 'rate') =>
  target(`${legend} [{{server}}]`, compute, source(metric, ['server']))

/** If a server has no metric of the total, its buckets are summed. */
const usageSources = (metric: string, ofBuckets: string, by: readonly string[] = []) =>
  [clusterSource(metric, by), { metric: ofBuckets, sum: 'sum', by, once: true }] as const

const stat = (id: number, title: string, calc: 'mean' | 'last' | 'lastNotNull', only: WidgetTarget): MetricsWidget => ({
  id,
  title,
  type: 'stat',
  calc,
  step: 60,
  targets: [only],
})

const graph = (id: number, title: string, ...targets: MetricsWidget['targets']): MetricsWidget => ({
  id,
  title,
  type: 'graph',
  step: 60,
  targets,
})

/**
 * The widgets of the dashboard, with the ids and titles of the original. Where the original requested the same series twice,
 * the two series differ here.
 */
export const WIDGETS: readonly MetricsWidget[] = [
  stat(1, 'Uptime', 'mean', {
    legend: '{{instance}}',
    compute: 'since',
    from: [source('minio_node_process_starttime_seconds', [], 'max')],
  }),
  stat(
    65,
    'Total S3 Traffic Inbound',
    'last',
    target('{{instance}}', 'value', source('minio_s3_traffic_received_bytes', ['instance'])),
  ),
  stat(
    64,
    'Total S3 Traffic Outbound',
    'last',
    target('', 'value', source('minio_s3_traffic_sent_bytes', ['instance'])),
  ),
  {
    id: 50,
    title: 'Current Usable Capacity',
    type: 'gauge',
    calc: 'lastNotNull',
    step: 300,
    targets: [
      target('Free', 'value', clusterSource('minio_cluster_capacity_usable_free_bytes')),
      target('Total', 'value', clusterSource('minio_cluster_capacity_usable_total_bytes')),
    ],
  },
  graph(
    68,
    'Data Usage Growth',
    target(
      'Used Capacity',
      'value',
      ...usageSources('minio_cluster_usage_total_bytes', 'minio_bucket_usage_total_bytes'),
    ),
  ),
  {
    id: 52,
    title: 'Object size distribution',
    type: 'bargauge',
    calc: 'mean',
    step: 300,
    targets: [
      target(
        '{{range}}',
        'value',
        ...usageSources('minio_cluster_objects_size_distribution', 'minio_bucket_objects_size_distribution', ['range']),
      ),
    ],
  },
  stat(
    44,
    'Number of Objects',
    'lastNotNull',
    target('', 'value', ...usageSources('minio_cluster_usage_object_total', 'minio_bucket_usage_object_total')),
  ),
  stat(
    66,
    'Number of Buckets',
    'lastNotNull',
    target('', 'value', clusterSource('minio_cluster_bucket_total'), {
      metric: 'minio_bucket_usage_total_bytes',
      sum: 'count',
      by: [],
      once: true,
    }),
  ),
  stat(61, 'Total Open FDs', 'last', target('', 'value', source('minio_node_file_descriptor_open_total'))),
  stat(62, 'Total Goroutines', 'last', target('', 'value', source('minio_node_go_routine_total'))),
  stat(53, 'Total Online Servers', 'mean', target('', 'value', clusterSource('minio_cluster_nodes_online_total'))),
  stat(69, 'Total Offline Servers', 'mean', target('', 'value', clusterSource('minio_cluster_nodes_offline_total'))),
  stat(
    9,
    'Total Online Disks',
    'mean',
    target(
      'Total online disks',
      'value',
      clusterSource('minio_cluster_drive_online_total'),
      clusterSource('minio_cluster_disk_online_total'),
    ),
  ),
  stat(
    78,
    'Total Offline Disks',
    'mean',
    target(
      '',
      'value',
      clusterSource('minio_cluster_drive_offline_total'),
      clusterSource('minio_cluster_disk_offline_total'),
    ),
  ),
  stat(
    80,
    'Time Since Last Heal Activity',
    'last',
    target('{{server}}', 'value', source('minio_heal_time_last_activity_nano_seconds', ['server'])),
  ),
  stat(
    81,
    'Time Since Last Scan Activity',
    'last',
    target('{{server}}', 'value', source('minio_usage_last_activity_nano_seconds', ['server'])),
  ),
  graph(63, 'S3 API Data Received Rate', perServer('Data Received', 'minio_s3_traffic_received_bytes')),
  graph(70, 'S3 API Data Sent Rate', perServer('Data Sent', 'minio_s3_traffic_sent_bytes')),
  graph(
    60,
    'S3 API Request Rate',
    target('{{server,api}}', 'rate', source('minio_s3_requests_total', ['server', 'api'])),
  ),
  graph(
    71,
    'S3 API Request Error Rate',
    target('{{server,api}}', 'rate', source('minio_s3_requests_errors_total', ['server', 'api'])),
  ),
  graph(
    17,
    'Internode Data Transfer',
    perServer('Internode Bytes Received', 'minio_inter_node_traffic_received_bytes'),
    perServer('Internode Bytes Sent', 'minio_inter_node_traffic_sent_bytes'),
  ),
  graph(
    73,
    'Node IO',
    perServer('Node RChar', 'minio_node_io_rchar_bytes'),
    perServer('Node WChar', 'minio_node_io_wchar_bytes'),
  ),
  graph(77, 'Node CPU Usage', perServer('CPU Usage Rate', 'minio_node_process_cpu_total_seconds')),
  graph(76, 'Node Memory Usage', perServer('Memory Used', 'minio_node_process_resident_memory_bytes', 'value')),
  graph(
    11,
    'Node Syscalls',
    perServer('Read Syscalls', 'minio_node_syscall_read_total'),
    perServer('Write Syscalls', 'minio_node_syscall_write_total'),
  ),
  graph(8, 'Node File Descriptors', perServer('Open FDs', 'minio_node_file_descriptor_open_total', 'value')),
  graph(
    82,
    'Drives Free Inodes',
    target(
      'Free Inodes [{{server}}:{{drive}}{{disk}}]',
      'value',
      source('minio_node_drive_free_inodes', ['server', 'drive']),
      source('minio_cluster_disk_free_inodes', ['server', 'disk']),
    ),
  ),
  graph(
    74,
    'Drive Used Capacity',
    target(
      'Used Capacity [{{server}}:{{drive}}{{disk}}]',
      'value',
      source('minio_node_drive_used_bytes', ['server', 'drive']),
      source('minio_node_disk_used_bytes', ['server', 'disk']),
    ),
  ),
]

export const widgetById: ReadonlyMap<number, MetricsWidget> = new Map(WIDGETS.map((widget) => [widget.id, widget]))

const TARGETS = WIDGETS.flatMap(({ targets }) => targets)

/** Metrics that only increase, until their process restarts. */
export const COUNTER_METRICS: ReadonlySet<string> = new Set(
  TARGETS.filter(({ compute }) => compute === 'rate').flatMap(({ from }) => from.map(({ metric }) => metric)),
)

/** The targets by the metric name in the history. */
export const SAMPLED_METRICS: ReadonlyMap<string, WidgetTarget['from']> = new Map(
  TARGETS.map(({ from }) => [from[0].metric, from]),
)
