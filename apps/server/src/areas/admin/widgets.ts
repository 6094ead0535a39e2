import type { AdminInfo, Widget } from '@stowage/contract'
import { reason } from '@stowage/contract'
import { widgetCalls } from '@stowage/contract/admin/widgets'
import type { FastifyInstance } from 'fastify'
import { HttpError } from '../../lib/http/errors.ts'
import { serve } from '../../lib/http/serve.ts'
import type { Range } from '../../lib/metrics/evaluate.ts'
import { SAMPLER_POLICY } from '../../lib/metrics/identity.ts'
import type { Metrics } from '../../lib/metrics/metrics.ts'
import { WIDGETS, type WidgetDefinition, widgetById } from '../../lib/metrics/widgets.ts'

/** Time range in seconds if the request names none. */
const DEFAULT_RANGE = 15 * 60
/** Maximum number of values per series. */
const MAX_POINTS = 1000

export function widgetRoutes(app: FastifyInstance, metrics: Metrics): void {
  serve(app, widgetCalls.getWidget, async ({ params, query }, context) => {
    const lost = await Promise.all(
      (['admin:ServerInfo', 'admin:Prometheus'] as const).map((action) => app.lostRight(context, [action])),
    )
    if (lost.every((action) => action !== undefined)) throw new HttpError(403, reason('access-denied'))
    const definition = widgetById.get(params.id)
    if (!definition) throw new HttpError(404, reason('widget-not-found'))
    const values = await metrics.widget(definition, rangeOf(query, definition), context.signal)
    if (!values) throw new HttpError(500, reason('unexpected'), { detail: reason('no-metrics') })
    return answerOf(definition, values)
  })

  serve(app, widgetCalls.keepHistory, async (_input, context) => {
    await requireAll(app, context, widgetCalls.keepHistory.endpoint.actions)
    if (await metrics.keepsBuckets()) return
    const key = await context.madmin.addServiceAccount({
      policy: SAMPLER_POLICY,
      name: 'stowage-metrics',
      description: 'Samples the metrics for the dashboard of the console',
    })
    await metrics.keep(key)
  })

  serve(app, widgetCalls.endHistory, async (_input, context) => {
    await requireAll(app, context, widgetCalls.endHistory.endpoint.actions)
    const accessKey = await metrics.end()
    if (accessKey !== undefined) await context.madmin.deleteServiceAccount(accessKey)
  })
}

/** @throws HttpError 403 */
export async function requireAll(
  app: FastifyInstance,
  clients: Parameters<FastifyInstance['lostRight']>[0],
  actions: readonly string[],
): Promise<void> {
  if ((await app.lostRight(clients, actions)) !== undefined) throw new HttpError(403, reason('access-denied'))
}

/** The widgets without their values. */
export const widgetList: AdminInfo['widgets'] = WIDGETS.map((definition) => ({ ...headOf(definition), targets: null }))

function headOf({ id, title, type, calc }: WidgetDefinition): Pick<Widget, 'id' | 'title' | 'type' | 'options'> {
  return { id, title, type, ...(calc === undefined ? {} : { options: { reduceOptions: { calcs: [calc] } } }) }
}

function answerOf(
  definition: WidgetDefinition,
  { results, empty }: NonNullable<Awaited<ReturnType<Metrics['widget']>>>,
): Widget {
  return {
    ...headOf(definition),
    targets: definition.targets.map(({ legend }, i) => ({
      legendFormat: legend,
      resultType: 'matrix',
      result: results[i] ?? [],
    })),
    ...(empty === undefined ? {} : { empty }),
  }
}

/** Returns the requested time range; if either end is missing, the last 15 minutes. @throws HttpError 400 */
export function rangeOf(
  { step = 0, start, end }: { step?: number | undefined; start?: number | undefined; end?: number | undefined },
  widget: Pick<WidgetDefinition, 'step'>,
  now = Date.now() / 1000,
): Range {
  const given = start !== undefined && end !== undefined ? { start, end } : { start: now - DEFAULT_RANGE, end: now }
  if (given.start > given.end) throw new HttpError(400, reason('range-backwards'), { field: 'start' })
  const least = Math.ceil((given.end - given.start) / MAX_POINTS)
  return { ...given, step: Math.max(1, least, step || widget.step) }
}
