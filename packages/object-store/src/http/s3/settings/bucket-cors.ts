import { S3Error } from '../../../lib/errors.ts'
import { settingOperations } from './setting-calls.ts'

export const bucketCors = settingOperations({
  setting: 'cors',
  query: 'cors',
  get: {
    name: 'GetBucketCors',
    action: 's3:GetBucketCors',
    absent: () => new S3Error('NoSuchCORSConfiguration', 'The CORS configuration does not exist'),
  },
  put: { name: 'PutBucketCors', action: 's3:PutBucketCors', maxBytes: 64 * 1024 },
  delete: { name: 'DeleteBucketCors', action: 's3:DeleteBucketCors' },
})
