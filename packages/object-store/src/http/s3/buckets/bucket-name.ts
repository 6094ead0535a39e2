import { S3Error } from '../../../lib/errors.ts'

const NAME = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const IP = /^\d{1,3}(\.\d{1,3}){3}$/

/** Reserved name: the admin API, health checks, metrics and key management are below this path. */
export const RESERVED_BUCKET = 'minio'

/** Checks the name of a new bucket. @throws S3Error InvalidBucketName */
export function checkBucketName(name: string): void {
  if (!NAME.test(name) || name.includes('..') || name.includes('.-') || name.includes('-.') || IP.test(name)) {
    throw new S3Error('InvalidBucketName', 'The specified bucket is not valid.')
  }
  if (name === RESERVED_BUCKET) throw new S3Error('AllAccessDisabled', 'All access to this resource has been disabled.')
}
