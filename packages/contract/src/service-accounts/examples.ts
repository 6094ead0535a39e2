import type { ExamplesOf } from '../example.ts'
import { sample } from '../samples.ts'
import type { serviceAccountEndpoints } from './endpoints.ts'

const account = { accessKey: sample.accessKey }
const keys = { policy: '', accessKey: sample.newAccessKey, secretKey: 'a-secret-that-nobody-knows' }
const user = { user: sample.user }

export const serviceAccountExamples: ExamplesOf<typeof serviceAccountEndpoints> = {
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
