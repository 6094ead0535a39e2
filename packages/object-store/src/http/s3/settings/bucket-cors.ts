import { S3Error } from '../../../lib/errors.ts'
import { settingOperations } from './setting-calls.ts'

export const bucketCors = settingOperations({
  setting: 'cors',
  query: 'cors',
  get: {
    name: 'GetBucketCors',
    absent: () => new S3Error('NoSuchCORSConfiguration', 'The CORS configuration does not exist'),
  },
  put: { name: 'PutBucketCors', maxBytes: 64 * 1024 },
  delete: { name: 'DeleteBucketCors' },
})
