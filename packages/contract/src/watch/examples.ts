import type { AreaExamples } from '../call/area-examples.ts'
import { sampleNames } from '../call/sample-names.ts'
import type { watchEndpoints } from './endpoints.ts'

export const watchExamples: AreaExamples<typeof watchEndpoints> = {
  watch: { params: { bucket: sampleNames.bucket }, query: { prefix: 'italy/', suffix: '.jpg', events: 'put,delete' } },
  watchAll: { query: { suffix: '.jpg', events: 'put,delete,bucket-creation,bucket-removal' } },
}
