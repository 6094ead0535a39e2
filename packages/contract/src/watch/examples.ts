import type { ExamplesOf } from '../example.ts'
import { sample } from '../samples.ts'
import type { watchEndpoints } from './endpoints.ts'

export const watchExamples: ExamplesOf<typeof watchEndpoints> = {
  watch: { params: { bucket: sample.bucket }, query: { prefix: 'italy/', suffix: '.jpg', events: 'put,delete' } },
  watchAll: { query: { suffix: '.jpg', events: 'put,delete,bucket-creation,bucket-removal' } },
}
