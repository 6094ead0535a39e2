import { z } from 'zod'
import { listSchema, routes } from '../call/route.ts'
import { adminEndpoints } from './endpoints.ts'

/** Seconds since 1970; some clients send fractions. The maximum is the end of the year 9999. */
const unixTime = z.coerce.number().min(0).max(253_402_300_800).optional()

/** The time range of a chart. If `start` or `end` is absent, the server's default applies. */
export const timeRangeQuery = {
  /** Seconds between two values; 0 or absent for the widget's default. */
  step: z.coerce.number().min(0).max(1e9).optional(),
  start: unixTime,
  end: unixTime,
}

const WidgetType = z.enum(['stat', 'singlestat', 'gauge', 'graph', 'bargauge'])

const widgetOptions = z.object({ reduceOptions: z.object({ calcs: z.array(z.string()) }) }).optional()

/** A widget without values, as listed. */
export const WidgetSummary = z.object({
  id: z.number(),
  title: z.string(),
  type: WidgetType,
  options: widgetOptions,
  targets: z.null(),
})

export const Widget = z.object({
  id: z.number(),
  title: z.string(),
  type: WidgetType,
  /** Which of several values is shown: `mean`, `last` or `lastNotNull`. */
  options: widgetOptions,
  targets: listSchema(
    z.object({
      /** With label names in double braces. */
      legendFormat: z.string(),
      resultType: z.literal('matrix'),
      result: listSchema(
        z.object({
          metric: z.record(z.string(), z.string()),
          /** Seconds since 1970, and the value as text. */
          values: z.array(z.tuple([z.number(), z.string()])),
        }),
      ),
    }),
  ),
  /** Why there are no values. Absent if there are values, or if the reason is unknown. */
  empty: z.enum(['not-reported', 'not-in-range', 'too-new']).optional(),
  /** With `too-new`: seconds until there are values. */
  wait: z.number().optional(),
})
export type Widget = z.infer<typeof Widget>

/** A widget of several, or why it has no values. */
const WidgetLine = z.union([
  z.object({ id: z.number(), widget: Widget }),
  z.object({
    id: z.number(),
    /** The HTTP status with which the call of this widget alone would fail. */
    status: z.number(),
    /** The body of that answer. */
    error: z.looseObject({ code: z.number(), message: z.string(), detailedMessage: z.string() }),
  }),
])
export type WidgetLine = z.infer<typeof WidgetLine>

export const widgetCalls = routes(adminEndpoints, {
  getWidget: {
    summary: 'Values of a dashboard widget over time. Needs admin:ServerInfo or admin:Prometheus.',
    params: z.object({ id: z.coerce.number().int() }),
    query: z.object(timeRangeQuery),
    response: Widget,
  },
  getWidgets: {
    summary:
      'Values of several dashboard widgets, one JSON value per line. A widget is sent as soon as it is ready; each fails alone. ' +
      'Needs admin:ServerInfo or admin:Prometheus.',
    query: z.object({
      ...timeRangeQuery,
      /** Separated by commas, at most 64. */
      ids: z.string().regex(/^\d{1,6}(,\d{1,6}){0,63}$/),
    }),
    response: WidgetLine,
  },
  connectPrometheus: {
    summary:
      'Create a service account of the caller that may only read the metrics, and return the configuration of a Prometheus: ' +
      'its scrape configuration with a token, and example alert rules',
    response: z.object({
      /** Deleting this service account revokes the token. */
      access_key: z.string(),
      /** YAML, including the token. Returned only once. */
      scrape_config: z.string(),
      /** YAML. */
      alert_rules: z.string(),
    }),
  },
  keepHistory: {
    summary: 'Start a history of the metrics: creates a service account of the caller that may only read them',
  },
  endHistory: {
    summary: 'End the history of metrics and delete its service account',
  },
})
