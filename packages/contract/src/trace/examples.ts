import type { AreaExamples } from '../call/area-examples.ts'
import type { traceEndpoints } from './endpoints.ts'

export const traceExamples: AreaExamples<typeof traceEndpoints> = {
  trace: { query: { calls: 's3,internal', threshold: '5ms', onlyErrors: 'no', path: '/photos/' } },
}
