import type { ExamplesOf } from '../example.ts'
import { sample } from '../samples.ts'
import type { policyEndpoints } from './endpoints.ts'

const readPhotos = JSON.stringify({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Action: ['s3:GetObject'], Resource: ['arn:aws:s3:::photos/*'] }],
})
const holder = { entityType: 'user', entityName: sample.user } as const

/** A zip archive with the file `iam-assets/users.json`, which contains no users. */
const EMPTY_ARCHIVE =
  'UEsDBBQAAAAAAAAAIQBDv6ajAgAAAAIAAAAVAAAAaWFtLWFzc2V0cy91c2Vycy5qc29ue31QSwECFAMUAAAAAAAAACEAQ7+mowIAAAACAAAAFQAAAAAAAAAAAAAAgAEAAAAAaWFtLWFzc2V0cy91c2Vycy5qc29uUEsFBgAAAAABAAEAQwAAADUAAAAAAA=='

export const policyExamples: ExamplesOf<typeof policyEndpoints> = {
  listPolicies: {},
  createPolicy: { body: { name: sample.newPolicy, policy: readPhotos } },
  getPolicy: { query: { name: sample.policy } },
  deletePolicy: { query: { name: sample.policy } },
  listPolicyUsers: { params: { policy: sample.policy } },
  listPolicyGroups: { params: { policy: sample.policy } },
  explainAccess: {
    body: {
      subject: { type: 'user', name: sample.user },
      action: 's3:GetObject',
      resource: 'arn:aws:s3:::photos/italy/lake.jpg',
      conditions: [{ key: 'aws:SourceIp', value: '10.20.4.18' }],
    },
  },
  exportIam: { body: { secrets: 'omit' } },
  previewIamImport: { body: { value: EMPTY_ARCHIVE } },
  importIam: { body: { value: EMPTY_ARCHIVE } },
  listDirectoryPolicies: {},
  changeDirectoryPolicies: { body: { attach: [sample.policy], detach: [], ...holder } },
  setPolicies: { body: { name: [sample.policy], ...holder } },
  setNamedPolicies: { params: { policies: sample.policy }, body: holder },
}
