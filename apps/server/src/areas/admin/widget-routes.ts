import type { AdminInfo, Widget, WidgetLine } from '@stowage/contract'
import { reason } from '@stowage/contract'
import { widgetCalls } from '@stowage/contract/admin/widgets'
import { MadminError } from '@stowage/madmin'
import type { FastifyInstance } from 'fastify'
import { errorAnswer, HttpError } from '../../lib/errors/http-errors.ts'
import { sendNdjson } from '../../lib/http/ndjson.ts'
import { serve } from '../../lib/http/serve.ts'
import type { SeriesRange } from '../../lib/metrics/evaluate-series.ts'
import type { Metrics } from '../../lib/metrics/metrics.ts'
import { SAMPLER_POLICY } from '../../lib/metrics/sampling/sampler-identity.ts'
import { type MetricsWidget, WIDGETS, widgetById } from '../../lib/metrics/series/widget-definitions.ts'

/** Time range in seconds if the request names none. */
const DEFAULT_RANGE = 15 * 60
/** Maximum number of values per series. */
const MAX_POINTS = 1000

export function widgetRoutes(app: FastifyInstance, metrics: Metrics): void {
  serve(app, widgetCalls.getWidget, async ({ params, query }, context) => {
    await requireMetricsRight(app, context)
    return await readWidget(metrics, params.id, query, context.signal)
  })

  serve(app, widgetCalls.getWidgets, async ({ query }, context) => {
    await requireMetricsRight(app, context)
    const { request, reply, signal } = context
    const lines = [...new Set(query.ids.split(',').map(Number))].map(async (id): Promise<WidgetLine> => {
      try {
        return { id, widget: await readWidget(metrics, id, query, signal) }
      } catch (error) {
        const { status, body, unexpected } = errorAnswer(error, request.id)
        if (unexpected && !signal.aborted) request.log.error({ err: error, widget: id }, 'a widget failed')
        return { id, status, error: { ...body } }
      }
    })
    return await sendNdjson(reply, yieldAsCompleted(lines))
  })

  serve(app, widgetCalls.keepHistory, async (_input, context) => {
    await requireRights(app, context, widgetCalls.keepHistory.endpoint.actions)
    if (await metrics.keepsBuckets()) return
    const key = await context.madmin.addServiceAccount({
      policy: SAMPLER_POLICY,
      name: 'stowage-metrics',
      description: 'Samples the metrics for the dashboard of the console',
    })
    await metrics.keep(key)
  })

  serve(app, widgetCalls.endHistory, async (_input, context) => {
    await requireRights(app, context, widgetCalls.endHistory.endpoint.actions)
    const accessKey = await metrics.end()
    if (accessKey === undefined) return
    await context.madmin.deleteServiceAccount(accessKey).catch((error: unknown) => {
      // Somebody has deleted it already.
      if (!(error instanceof MadminError && error.code === 'XMinioInvalidIAMCredentials')) throw error
    })
  })
}

/** Yields results in the order in which they are ready. */
async function* yieldAsCompleted<T>(promises: readonly Promise<T>[]): AsyncGenerator<T> {
  const waiting = new Map(promises.map((promise, i) => [i, promise.then((value) => ({ i, value }))]))
  while (waiting.size > 0) {
    const { i, value } = await Promise.race(waiting.values())
    waiting.delete(i)
    yield value
  }
}

/** @throws HttpError for an unknown widget, a wrong range, and if there are no values */
async function readWidget(
  metrics: Metrics,
  id: number,
  query: Parameters<typeof widgetRange>[0],
  signal: AbortSignal,
): Promise<Widget> {
  const definition = widgetById.get(id)
  if (!definition) throw new HttpError(404, reason('widget-not-found'))
  const values = await metrics.widget(definition, widgetRange(query, definition), signal)
  if (!values) throw new HttpError(500, reason('unexpected'), { detail: reason('no-metrics') })
  return widgetAnswer(definition, values)
}

/** @throws HttpError 403 without any of the rights to the values */
async function requireMetricsRight(
  app: FastifyInstance,
  clients: Parameters<FastifyInstance['lostRight']>[0],
): Promise<void> {
  // One after the other: most callers have the first right, so one request is enough.
  for (const action of ['admin:ServerInfo', 'admin:Prometheus'])
    if ((await app.lostRight(clients, [action])) === undefined) return
  throw new HttpError(403, reason('access-denied'))
}

/** @throws HttpError 403 */
export async function requireRights(
  app: FastifyInstance,
  clients: Parameters<FastifyInstance['lostRight']>[0],
  actions: readonly string[],
): Promise<void> {
  if ((await app.lostRight(clients, actions)) !== undefined) throw new HttpError(403, reason('access-denied'))
}

/** The widgets without their values. */
export const widgetList: AdminInfo['widgets'] = WIDGETS.map((definition) => ({
  ...widgetHead(definition),
  targets: null,
}))

function widgetHead({ id, title, type, calc }: MetricsWidget): Pick<Widget, 'id' | 'title' | 'type' | 'options'> {
  return { id, title, type, ...(calc === undefined ? {} : { options: { reduceOptions: { calcs: [calc] } } }) }
}

function widgetAnswer(
  definition: MetricsWidget,
  { results, empty, wait }: NonNullable<Awaited<ReturnType<Metrics['widget']>>>,
): Widget {
  return {
    ...widgetHead(definition),
    targets: definition.targets.map(({ legend }, i) => ({
      legendFormat: legend,
      resultType: 'matrix',
      result: results[i] ?? [],
    })),
    ...(empty === undefined ? {} : { empty }),
    ...(wait === undefined ? {} : { wait }),
  }
}

/** Returns the requested time range; if either end is missing, the last 15 minutes. @throws HttpError 400 */
export function widgetRange(
  { step = 0, start, end }: { step?: number | undefined; start?: number | undefined; end?: number | undefined },
  widget: Pick<MetricsWidget, 'step'>,
  now = Date.now() / 1000,
): SeriesRange {
  const given = start !== undefined && end !== undefined ? { start, end } : { start: now - DEFAULT_RANGE, end: now }
  if (given.start > given.end) throw new HttpError(400, reason('range-backwards'), { field: 'start' })
  const least = Math.ceil((given.end - given.start) / MAX_POINTS)
  return { ...given, step: Math.max(1, least, step || widget.step) }
}
