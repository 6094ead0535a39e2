import type { AreaExamples } from '../call/area-examples.ts'
import { sampleNames } from '../call/sample-names.ts'
import type { configEndpoints } from './endpoints.ts'

export const configExamples: AreaExamples<typeof configEndpoints> = {
  listConfigs: {},
  exportConfigs: { query: { secrets: 'false' } },
  // `scanner speed=default`
  importConfigs: { body: { value: 'c2Nhbm5lciBzcGVlZD1kZWZhdWx0Cg==' } },
  previewConfigImport: { body: { value: 'c2Nhbm5lciBzcGVlZD1kZWZhdWx0Cg==' } },
  getConfig: { params: { name: 'site' } },
  setConfig: { params: { name: 'scanner' }, body: { key_values: [{ key: 'speed', value: 'default' }] } },
  resetConfig: { params: { name: 'scanner' }, body: {} },
  listConfigHistory: {},
  clearConfigHistory: {},
  restoreConfigHistory: { params: { id: sampleNames.configChange } },
  restartService: { body: {} },
}
