import type { ExamplesOf } from '../example.ts'
import { sample } from '../samples.ts'
import type { userEndpoints } from './endpoints.ts'

const query = { name: sample.user }

export const userExamples: ExamplesOf<typeof userEndpoints> = {
  listUsers: {},
  createUser: {
    body: { accessKey: sample.newUser, secretKey: 'correct horse battery staple', groups: [], policies: [] },
  },
  getUser: { query },
  updateUser: { query, body: { status: 'disabled', groups: [] } },
  deleteUser: { query, body: { id: sample.user } },
  setUserGroups: { query, body: { groups: [sample.group] } },
  addUsersToGroups: { body: { users: [sample.user], groups: [sample.group] } },
}
