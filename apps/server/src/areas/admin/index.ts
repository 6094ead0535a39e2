import { getAdminInfo } from '@stowage/contract/admin/info'
import type { FastifyInstance } from 'fastify'
import { serve } from '../../lib/serve.ts'
import { adminInfoOf } from './info.ts'

export function adminRoutes(app: FastifyInstance): void {
  serve(app, getAdminInfo, async (_input, { madmin, signal }) => adminInfoOf(await madmin.serverInfo({ signal })))
}
