import type { ExamplesOf } from '../example.ts'
import { sample } from '../samples.ts'
import { GiB } from '../units.ts'
import type { bucketEndpoints } from './endpoints.ts'

const params = { bucket: sample.bucket }

export const bucketExamples: ExamplesOf<typeof bucketEndpoints> = {
  listBuckets: {},
  createBucket: { body: { name: sample.newBucket } },
  getBucket: { params },
  deleteBucket: { params, body: { name: sample.bucket } },
  setBucketAccess: { params, body: { access: 'PRIVATE' } },
  getBucketVersioning: { params },
  setBucketVersioning: { params, body: { versioning: true } },
  getBucketQuota: { params },
  setBucketQuota: { params, body: { enabled: true, quota_type: 'hard', amount: 10 * GiB } },
}
