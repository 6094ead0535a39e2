import type { AreaExamples } from '../call/area-examples.ts'
import { sampleNames } from '../call/sample-names.ts'
import type { policyEndpoints } from './endpoints.ts'

const readPhotos = JSON.stringify({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Action: ['s3:GetObject'], Resource: ['arn:aws:s3:::photos/*'] }],
})
const holder = { entityType: 'user', entityName: sampleNames.user } as const

/** A zip archive with the file `iam-assets/users.json`, which contains no users. */
const EMPTY_ARCHIVE =
  'UEsDBBQAAAAAAAAAIQBDv6ajAgAAAAIAAAAVAAAAaWFtLWFzc2V0cy91c2Vycy5qc29ue31QSwECFAMUAAAAAAAAACEAQ7+mowIAAAACAAAAFQAAAAAAAAAAAAAAgAEAAAAAaWFtLWFzc2V0cy91c2Vycy5qc29uUEsFBgAAAAABAAEAQwAAADUAAAAAAA=='

export const policyExamples: AreaExamples<typeof policyEndpoints> = {
  listPolicies: {},
  createPolicy: { body: { name: sampleNames.newPolicy, policy: readPhotos } },
  getPolicy: { query: { name: sampleNames.policy } },
  deletePolicy: { query: { name: sampleNames.policy } },
  listPolicyUsers: { params: { policy: sampleNames.policy } },
  listPolicyGroups: { params: { policy: sampleNames.policy } },
  explainAccess: {
    body: {
      subject: { type: 'user', name: sampleNames.user },
      action: 's3:GetObject',
      resource: 'arn:aws:s3:::photos/italy/lake.jpg',
      conditions: [{ key: 'aws:SourceIp', value: '10.20.4.18' }],
    },
  },
  exportIam: { body: { secrets: 'omit' } },
  previewIamImport: { body: { value: EMPTY_ARCHIVE } },
  importIam: { body: { value: EMPTY_ARCHIVE } },
  listDirectoryPolicies: {},
  changeDirectoryPolicies: { body: { attach: [sampleNames.policy], detach: [], ...holder } },
  setPolicies: { body: { name: [sampleNames.policy], ...holder } },
  setNamedPolicies: { params: { policies: sampleNames.policy }, body: holder },
}
