import { adminCalls } from '@stowage/contract/admin/info'
import { type Madmin, MadminError } from '@stowage/madmin'
import type { FastifyInstance } from 'fastify'
import { serve } from '../../lib/http/serve.ts'
import type { Metrics } from '../../lib/metrics/metrics.ts'
import { convertServerInfo } from './admin-info.ts'
import { widgetList } from './widget-routes.ts'

export function adminRoutes(app: FastifyInstance, metrics: Pick<Metrics, 'source'>): void {
  serve(app, adminCalls.getAdminInfo, async ({ query }, { madmin }) => {
    const [info, countedAt, source] = await Promise.all([
      madmin.serverInfo({ metrics: true }),
      readLastScanTime(madmin),
      metrics.source(),
    ])
    return {
      ...convertServerInfo(info, countedAt),
      widgets: query.defaultOnly || source === 'none' ? null : widgetList,
      metrics: source,
      time: Date.now() / 1000,
    }
  })
}

/**
 * Returns when usage was last counted: null if never, undefined if it was counted for this answer or is unknown. Reading it
 * needs a separate right; without that right the age of the figures is unknown.
 */
async function readLastScanTime(madmin: Madmin): Promise<string | null | undefined> {
  const asked = Date.now()
  try {
    const { lastUpdate = null } = await madmin.dataUsage()
    return lastUpdate !== null && Date.parse(lastUpdate) >= asked ? undefined : lastUpdate
  } catch (error) {
    if (error instanceof MadminError) return undefined
    throw error
  }
}
