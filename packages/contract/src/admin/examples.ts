import type { AreaExamples } from '../call/area-examples.ts'
import type { adminEndpoints } from './endpoints.ts'

export const adminExamples: AreaExamples<typeof adminEndpoints> = {
  getAdminInfo: {},
  getUsage: {},
  getWidget: { params: { id: 1 } },
  getWidgets: { query: { ids: '1,44,73' } },
  connectPrometheus: {},
  keepHistory: {},
  endHistory: {},
}
