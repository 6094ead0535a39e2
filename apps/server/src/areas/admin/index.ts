import { adminCalls } from '@stowage/contract/admin/info'
import { type Madmin, MadminError } from '@stowage/madmin'
import type { FastifyInstance } from 'fastify'
import { serve } from '../../lib/http/serve.ts'
import { adminInfoOf } from './info.ts'

export function adminRoutes(app: FastifyInstance): void {
  serve(app, adminCalls.getAdminInfo, async (_input, { madmin }) => {
    const [info, countedAt] = await Promise.all([madmin.serverInfo(), lastScan(madmin)])
    return adminInfoOf(info, countedAt)
  })
}

/**
 * When usage was counted last, null before the first time; undefined when it was counted for this very answer. It needs a
 * right of its own, without which the figures just carry no age.
 */
async function lastScan(madmin: Madmin): Promise<string | null | undefined> {
  const asked = Date.now()
  try {
    const { lastUpdate = null } = await madmin.dataUsage()
    return lastUpdate !== null && Date.parse(lastUpdate) >= asked ? undefined : lastUpdate
  } catch (error) {
    if (error instanceof MadminError) return undefined
    throw error
  }
}
