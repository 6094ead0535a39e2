import type { ExamplesOf } from '../example.ts'
import { sample } from '../samples.ts'
import type { healEndpoints } from './endpoints.ts'

const query = { recursive: 'true', 'force-start': 'false', 'force-stop': 'false' }

export const healExamples: ExamplesOf<typeof healEndpoints> = {
  heal: { params: { bucket: sample.bucket }, query: { prefix: 'italy/', ...query } },
  healAll: { query },
}
