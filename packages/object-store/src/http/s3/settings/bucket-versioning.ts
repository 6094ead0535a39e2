import { s3Document } from '../../../lib/xml.ts'
import { settingOperations } from './setting-calls.ts'

export const bucketVersioning = settingOperations({
  setting: 'versioning',
  query: 'versioning',
  get: {
    name: 'GetBucketVersioning',
    action: 's3:GetBucketVersioning',
    absent: () => s3Document('VersioningConfiguration', ''),
  },
  put: { name: 'PutBucketVersioning', action: 's3:PutBucketVersioning', maxBytes: 64 * 1024 },
})
