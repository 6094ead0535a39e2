import type { AreaExamples } from '../call/area-examples.ts'
import { sampleNames } from '../call/sample-names.ts'
import type { userEndpoints } from './endpoints.ts'

const query = { name: sampleNames.user }

export const userExamples: AreaExamples<typeof userEndpoints> = {
  listUsers: {},
  createUser: {
    body: { accessKey: sampleNames.newUser, secretKey: 'correct horse battery staple', groups: [], policies: [] },
  },
  getUser: { query },
  updateUser: { query, body: { status: 'disabled', groups: [] } },
  deleteUser: { query, body: { id: sampleNames.user } },
  setUserGroups: { query, body: { groups: [sampleNames.group] } },
  addUsersToGroups: { body: { users: [sampleNames.user], groups: [sampleNames.group] } },
}
