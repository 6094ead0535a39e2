import type { AreaExamples } from '../call/area-examples.ts'
import type { volumeEndpoints } from './endpoints.ts'

export const volumeExamples: AreaExamples<typeof volumeEndpoints> = {
  listVolumes: { query: {} },
  listDrives: {},
  listDriveVolumes: {},
  formatDrives: { body: { drives: ['node1:/dev/sdb'], force: false } },
}
