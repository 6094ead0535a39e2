import { dashboardWidgets, type WidgetId, type WidgetKind } from '@stowage/contract/admin/dashboard-widgets'

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

interface WidgetValues {
  /** How the web app picks one value; absent for charts. */
  calc?: 'mean' | 'last' | 'lastNotNull'
  /** Default step in seconds. */
  step: number
  targets: readonly [WidgetTarget, ...WidgetTarget[]]
}

export interface MetricsWidget extends WidgetValues {
  id: number
  title: string
  type: WidgetType
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

const stat = (calc: NonNullable<WidgetValues['calc']>, only: WidgetTarget): WidgetValues => ({
  calc,
  step: 60,
  targets: [only],
})

const graph = (...targets: WidgetValues['targets']): WidgetValues => ({ step: 60, targets })

/** Where the values of each widget come from. Where the original requested the same series twice, the two series differ here. */
const widgetValues: Readonly<Record<WidgetId, WidgetValues>> = {
  1: stat('mean', {
    legend: '{{instance}}',
    compute: 'since',
    from: [source('minio_node_process_starttime_seconds', [], 'max')],
  }),
  65: stat('last', target('{{instance}}', 'value', source('minio_s3_traffic_received_bytes', ['instance']))),
  64: stat('last', target('', 'value', source('minio_s3_traffic_sent_bytes', ['instance']))),
  50: {
    calc: 'lastNotNull',
    step: 300,
    targets: [
      target('Free', 'value', clusterSource('minio_cluster_capacity_usable_free_bytes')),
      target('Total', 'value', clusterSource('minio_cluster_capacity_usable_total_bytes')),
    ],
  },
  68: graph(
    target(
      'Used Capacity',
      'value',
      ...usageSources('minio_cluster_usage_total_bytes', 'minio_bucket_usage_total_bytes'),
    ),
  ),
  52: {
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
  44: stat(
    'lastNotNull',
    target('', 'value', ...usageSources('minio_cluster_usage_object_total', 'minio_bucket_usage_object_total')),
  ),
  66: stat(
    'lastNotNull',
    target('', 'value', clusterSource('minio_cluster_bucket_total'), {
      metric: 'minio_bucket_usage_total_bytes',
      sum: 'count',
      by: [],
      once: true,
    }),
  ),
  61: stat('last', target('', 'value', source('minio_node_file_descriptor_open_total'))),
  62: stat('last', target('', 'value', source('minio_node_go_routine_total'))),
  53: stat('mean', target('', 'value', clusterSource('minio_cluster_nodes_online_total'))),
  69: stat('mean', target('', 'value', clusterSource('minio_cluster_nodes_offline_total'))),
  9: stat(
    'mean',
    target(
      'Total online disks',
      'value',
      clusterSource('minio_cluster_drive_online_total'),
      clusterSource('minio_cluster_disk_online_total'),
    ),
  ),
  78: stat(
    'mean',
    target(
      '',
      'value',
      clusterSource('minio_cluster_drive_offline_total'),
      clusterSource('minio_cluster_disk_offline_total'),
    ),
  ),
  80: stat('last', target('{{server}}', 'value', source('minio_heal_time_last_activity_nano_seconds', ['server']))),
  81: stat('last', target('{{server}}', 'value', source('minio_usage_last_activity_nano_seconds', ['server']))),
  63: graph(perServer('Data Received', 'minio_s3_traffic_received_bytes')),
  70: graph(perServer('Data Sent', 'minio_s3_traffic_sent_bytes')),
  60: graph(target('{{server,api}}', 'rate', source('minio_s3_requests_total', ['server', 'api']))),
  71: graph(target('{{server,api}}', 'rate', source('minio_s3_requests_errors_total', ['server', 'api']))),
  17: graph(
    perServer('Internode Bytes Received', 'minio_inter_node_traffic_received_bytes'),
    perServer('Internode Bytes Sent', 'minio_inter_node_traffic_sent_bytes'),
  ),
  73: graph(perServer('Node RChar', 'minio_node_io_rchar_bytes'), perServer('Node WChar', 'minio_node_io_wchar_bytes')),
  77: graph(perServer('CPU Usage Rate', 'minio_node_process_cpu_total_seconds')),
  76: graph(perServer('Memory Used', 'minio_node_process_resident_memory_bytes', 'value')),
  11: graph(
    perServer('Read Syscalls', 'minio_node_syscall_read_total'),
    perServer('Write Syscalls', 'minio_node_syscall_write_total'),
  ),
  8: graph(perServer('Open FDs', 'minio_node_file_descriptor_open_total', 'value')),
  82: graph(
    target(
      'Free Inodes [{{server}}:{{drive}}{{disk}}]',
      'value',
      source('minio_node_drive_free_inodes', ['server', 'drive']),
      source('minio_cluster_disk_free_inodes', ['server', 'disk']),
    ),
  ),
  74: graph(
    target(
      'Used Capacity [{{server}}:{{drive}}{{disk}}]',
      'value',
      source('minio_node_drive_used_bytes', ['server', 'drive']),
      source('minio_node_disk_used_bytes', ['server', 'disk']),
    ),
  ),
}

const serverTypes: Readonly<Record<WidgetKind, WidgetType>> = {
  singleValue: 'stat',
  singleRep: 'stat',
  pieChart: 'gauge',
  barChart: 'bargauge',
  linearGraph: 'graph',
}

export const WIDGETS: readonly MetricsWidget[] = dashboardWidgets.map(({ id, title, kind }) => ({
  id,
  title,
  type: serverTypes[kind],
  ...widgetValues[id],
}))

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
