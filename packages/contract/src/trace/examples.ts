import type { ExamplesOf } from '../example.ts'
import type { traceEndpoints } from './endpoints.ts'

export const traceExamples: ExamplesOf<typeof traceEndpoints> = {
  trace: { query: { calls: 's3,internal', threshold: '5ms', onlyErrors: 'no', path: '/photos/' } },
}
