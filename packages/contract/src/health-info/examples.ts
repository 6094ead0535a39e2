import type { ExamplesOf } from '../example.ts'
import type { healthInfoEndpoints } from './endpoints.ts'

export const healthInfoExamples: ExamplesOf<typeof healthInfoEndpoints> = {
  healthInfo: { query: { deadline: '1h' } },
}
