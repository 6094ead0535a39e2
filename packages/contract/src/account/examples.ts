import type { ExamplesOf } from '../example.ts'
import { sample } from '../samples.ts'
import type { accountEndpoints } from './endpoints.ts'

export const accountExamples: ExamplesOf<typeof accountEndpoints> = {
  changePassword: {
    body: { current_secret_key: 'correct horse battery staple', new_secret_key: 'wrong horse battery staple' },
  },
  changeUserPassword: { body: { selectedUser: sample.user, newSecretKey: 'wrong horse battery staple' } },
  signOutEverywhere: {},
}
