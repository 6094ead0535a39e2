import type { AreaExamples } from '../call/area-examples.ts'
import type { tierEndpoints } from './endpoints.ts'

const params = { type: 's3', name: 'COLD' } as const

export const tierExamples: AreaExamples<typeof tierEndpoints> = {
  listTiers: {},
  listTierStates: { query: { fresh: 'true' } },
  addTier: {
    body: {
      type: 's3',
      s3: {
        name: 'COLD',
        endpoint: 'https://s3.amazonaws.com',
        bucket: 'cold-objects',
        prefix: 'site-1/',
        region: 'us-east-1',
        accesskey: 'AKIAIOSFODNN7EXAMPLE',
        secretkey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
      },
    },
  },
  getTier: { params },
  setTierCredentials: { params, body: { access_key: 'AKIAI44QH8DHBEXAMPLE', secret_key: 'je7MtGbClwBF/2Zp9Utk' } },
  verifyTier: { params, body: {} },
  deleteTier: { params },
}
