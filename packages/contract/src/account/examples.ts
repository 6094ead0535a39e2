import type { AreaExamples } from '../call/area-examples.ts'
import { sampleNames } from '../call/sample-names.ts'
import type { accountEndpoints } from './endpoints.ts'

export const accountExamples: AreaExamples<typeof accountEndpoints> = {
  changePassword: {
    body: { current_secret_key: 'correct horse battery staple', new_secret_key: 'wrong horse battery staple' },
  },
  changeUserPassword: { body: { selectedUser: sampleNames.user, newSecretKey: 'wrong horse battery staple' } },
  signOutEverywhere: {},
}
