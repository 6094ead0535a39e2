import type { ExamplesOf } from '../example.ts'
import type { adminEndpoints } from './endpoints.ts'

export const adminExamples: ExamplesOf<typeof adminEndpoints> = {
  getAdminInfo: {},
  getUsage: {},
  getWidget: { params: { id: 1 } },
  connectPrometheus: {},
  keepHistory: {},
  endHistory: {},
}
