import type { AreaExamples } from '../call/area-examples.ts'
import { sampleNames } from '../call/sample-names.ts'
import type { serviceAccountEndpoints } from './endpoints.ts'

const account = { accessKey: sampleNames.accessKey }
const keys = { policy: '', accessKey: sampleNames.newAccessKey, secretKey: 'a-secret-that-nobody-knows' }
const user = { user: sampleNames.user }

export const serviceAccountExamples: AreaExamples<typeof serviceAccountEndpoints> = {
  listServiceAccounts: {},
  createServiceAccount: { body: { policy: '' } },
  createServiceAccountCredentials: { body: keys },
  getServiceAccount: { params: account },
  updateServiceAccount: { params: account, body: { description: 'Nightly backup' } },
  deleteServiceAccount: { params: account },
  listUserServiceAccounts: { params: user },
  createUserServiceAccount: { params: user, body: { policy: '' } },
  createUserServiceAccountCredentials: { params: user, body: keys },
  listAccessKeys: {},
}
