import type { ExamplesOf } from '../example.ts'
import { sample } from '../samples.ts'
import type { groupEndpoints } from './endpoints.ts'

const query = { name: sample.group }

export const groupExamples: ExamplesOf<typeof groupEndpoints> = {
  listGroups: {},
  createGroup: { body: { group: sample.newGroup, members: [sample.user] } },
  getGroup: { query },
  updateGroup: { query, body: { group: sample.group, members: [sample.user], status: 'enabled' } },
  deleteGroup: { query },
}
