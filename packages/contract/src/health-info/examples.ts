import type { AreaExamples } from '../call/area-examples.ts'
import type { healthInfoEndpoints } from './endpoints.ts'

export const healthInfoExamples: AreaExamples<typeof healthInfoEndpoints> = {
  healthInfo: { query: { deadline: '1h' } },
  listLocks: { query: { count: 10 } },
  profile: { query: { kinds: 'cpu', seconds: 0.1 } },
  inspectData: { body: { volume: 'no-such-bucket', file: 'key/xl.meta' } },
  speedtest: { query: { test: 'drive', bytes: 1_048_576 } },
}
