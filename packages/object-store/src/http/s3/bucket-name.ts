import { S3Error } from '../../errors.ts'

const NAME = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const IP = /^\d{1,3}(\.\d{1,3}){3}$/

/** The rules for names of new buckets. `minio` is taken by the admin and health paths. @throws S3Error InvalidBucketName */
export function checkBucketName(name: string): void {
  if (!NAME.test(name) || name.includes('..') || name.includes('.-') || name.includes('-.') || IP.test(name)) {
    throw new S3Error('InvalidBucketName', 'The specified bucket is not valid.')
  }
  if (name === 'minio') throw new S3Error('AllAccessDisabled', 'All access to this resource has been disabled.')
}
