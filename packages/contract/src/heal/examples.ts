import type { AreaExamples } from '../example.ts'
import { sampleNames } from '../samples.ts'
import type { healEndpoints } from './endpoints.ts'

const query = { recursive: 'true', 'force-start': 'false', 'force-stop': 'false' }

export const healExamples: AreaExamples<typeof healEndpoints> = {
  heal: { params: { bucket: sampleNames.bucket }, query: { prefix: 'italy/', ...query } },
  healAll: { query },
}
