import type { AreaExamples } from '../call/area-examples.ts'
import type { licenseEndpoints } from './endpoints.ts'

export const licenseExamples: AreaExamples<typeof licenseEndpoints> = {
  getSubscription: {},
  validateSubscription: { body: { license: 'eyJhbGciOiJFUzM4NCJ9.e30.c2lnbmF0dXJl', email: '', password: '' } },
  refreshSubscription: {},
}
