import type { AreaExamples } from '../call/area-examples.ts'
import { sampleNames } from '../call/sample-names.ts'
import { GiB } from '../values/units.ts'
import type { bucketEndpoints } from './endpoints.ts'

const params = { bucket: sampleNames.bucket }
const rule = { id: 'delete-old-drafts', params: { bucket: sampleNames.ruledBucket } }

export const bucketExamples: AreaExamples<typeof bucketEndpoints> = {
  listBuckets: {},
  createBucket: { body: { name: sampleNames.newBucket } },
  getBucket: { params },
  deleteBucket: { params, body: { name: sampleNames.bucket } },
  setBucketAccess: { params, body: { access: 'PRIVATE' } },
  getBucketVersioning: { params },
  setBucketVersioning: { params, body: { versioning: true } },
  getBucketQuota: { params },
  setBucketQuota: { params, body: { enabled: true, quota_type: 'hard', amount: 10 * GiB } },
  listAccessRules: { params },
  setAccessRule: { params, body: { prefix: 'public/', access: 'readonly' } },
  deleteAccessRule: { params, body: { prefix: 'public/' } },
  listBucketPolicies: { params },
  listBucketUsers: { params },
  getObjectLocking: { params },
  getBucketRetention: { params },
  setBucketRetention: {
    params: { bucket: sampleNames.lockBucket },
    body: { mode: 'governance', unit: 'days', validity: 1 },
  },
  deleteBucketRetention: { params: { bucket: sampleNames.lockBucket }, body: {} },
  getBucketEncryption: { params: { bucket: sampleNames.encryptedBucket } },
  enableBucketEncryption: { params, body: { encType: 'sse-s3' } },
  disableBucketEncryption: { params, body: {} },
  getBucketTags: { params },
  listArns: {},
  listBucketEvents: { params },
  createBucketEvent: {
    params,
    body: { configuration: { arn: sampleNames.arn, events: ['put'], prefix: 'in/' }, ignoreExisting: true },
  },
  deleteBucketEvent: {
    params: { bucket: sampleNames.bucket, arn: sampleNames.arn },
    body: { events: [], prefix: '', suffix: '' },
  },
  getBucketCors: { params },
  setBucketCors: {
    params,
    body: { rules: [{ allowedOrigins: ['https://www.example.com'], allowedMethods: ['GET'], allowedHeaders: ['*'] }] },
  },
  copyBucketSetting: { params, body: { from: sampleNames.versionBucket, setting: 'tags' } },
  getBucketPolicy: { params },
  setBucketPolicy: { params, body: { policy: '' } },
  getBucketUsage: { params },
  listKmsKeys: {},
  setBucketTags: { params, body: { tags: { team: 'design' } } },
  listLifecycleRules: { params: rule.params },
  addLifecycleRule: { params, body: { prefix: 'tmp/', tags: 'team=design', expiry_days: 7 } },
  setLifecycleRule: { params: { ...rule.params, id: rule.id }, body: { disable: true } },
  deleteLifecycleRule: { params: { ...rule.params, id: rule.id } },
  simulateLifecycleRule: { params, body: { prefix: 'tmp/', expiry_days: 7 } },
  getLifecycleForecast: { params: rule.params },
  confirmLifecycleClock: { body: {} },
}
