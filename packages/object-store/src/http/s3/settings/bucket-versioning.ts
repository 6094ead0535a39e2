import { s3Document } from '../../../lib/xml.ts'
import { settingOperations } from './setting-calls.ts'

export const bucketVersioning = settingOperations({
  setting: 'versioning',
  query: 'versioning',
  get: {
    name: 'GetBucketVersioning',
    absent: () => s3Document('VersioningConfiguration', ''),
  },
  put: { name: 'PutBucketVersioning', maxBytes: 64 * 1024 },
})
