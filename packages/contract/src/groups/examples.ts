import type { AreaExamples } from '../call/area-examples.ts'
import { sampleNames } from '../call/sample-names.ts'
import type { groupEndpoints } from './endpoints.ts'

const query = { name: sampleNames.group }

export const groupExamples: AreaExamples<typeof groupEndpoints> = {
  listGroups: {},
  createGroup: { body: { group: sampleNames.newGroup, members: [sampleNames.user] } },
  getGroup: { query },
  updateGroup: { query, body: { group: sampleNames.group, members: [sampleNames.user], status: 'enabled' } },
  deleteGroup: { query },
}
