import type { AreaExamples } from '../call/area-examples.ts'
import { sampleNames } from '../call/sample-names.ts'
import type { healEndpoints } from './endpoints.ts'

const query = { recursive: 'true', 'force-start': 'false', 'force-stop': 'false' }

export const healExamples: AreaExamples<typeof healEndpoints> = {
  heal: { params: { bucket: sampleNames.bucket }, query: { prefix: 'italy/', ...query } },
  healAll: { query },
}
