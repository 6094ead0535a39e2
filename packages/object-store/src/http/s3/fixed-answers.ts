import { S3Error, type S3ErrorCode } from '../../errors.ts'
import type { Call } from '../call.ts'
import { s3Document, tag } from '../xml.ts'
import type { Operation } from './operation.ts'
import { requestedVersion } from './version-id.ts'

/** Sub-resources that the store has no settings for, answered as an unset one is. */
export const fixedAnswers: Operation[] = [
  fixed('GetBucketAccelerateConfiguration', 'accelerate', 's3:GetBucketPolicy', 'AccelerateConfiguration', ''),
  fixed('GetBucketLogging', 'logging', 's3:GetBucketPolicy', 'BucketLoggingStatus', ''),
  fixed(
    'GetBucketRequestPayment',
    'requestPayment',
    's3:GetBucketPolicy',
    'RequestPaymentConfiguration',
    tag('Payer', 'BucketOwner'),
  ),
  fixed(
    'GetBucketNotificationConfiguration',
    'notification',
    's3:GetBucketNotification',
    'NotificationConfiguration',
    '',
  ),
  absent(
    'GetBucketCors',
    'cors',
    's3:GetBucketCors',
    'NoSuchCORSConfiguration',
    'The CORS configuration does not exist',
  ),
  absent(
    'GetBucketWebsite',
    'website',
    's3:GetBucketPolicy',
    'NoSuchWebsiteConfiguration',
    'The specified bucket does not have a website configuration',
  ),
  absent(
    'GetBucketEncryption',
    'encryption',
    's3:GetEncryptionConfiguration',
    'ServerSideEncryptionConfigurationNotFoundError',
    'The server side encryption configuration was not found',
  ),
  absent(
    'GetBucketLifecycleConfiguration',
    'lifecycle',
    's3:GetLifecycleConfiguration',
    'NoSuchLifecycleConfiguration',
    'The lifecycle configuration does not exist',
  ),
  absent(
    'GetBucketReplication',
    'replication',
    's3:GetReplicationConfiguration',
    'ReplicationConfigurationNotFoundError',
    'The replication configuration was not found',
  ),
  {
    name: 'GetObjectLockConfiguration',
    method: 'GET',
    level: 'bucket',
    query: ['object-lock'],
    action: 's3:GetBucketObjectLockConfiguration',
    handle(call) {
      if (!call.engine.getBucket(call.bucket).objectLock) {
        throw new S3Error(
          'ObjectLockConfigurationNotFoundError',
          'Object Lock configuration does not exist for this bucket',
        )
      }
      call.xml(s3Document('ObjectLockConfiguration', tag('ObjectLockEnabled', 'Enabled')))
    },
  },
  lock('GetObjectRetention', 'retention', 's3:GetObjectRetention'),
  lock('GetObjectLegalHold', 'legal-hold', 's3:GetObjectLegalHold'),
]

function fixed(name: string, query: string, action: string, root: string, content: string): Operation {
  return ofBucket(name, query, action, (call) => call.xml(s3Document(root, content)))
}

function absent(name: string, query: string, action: string, code: S3ErrorCode, message: string): Operation {
  return ofBucket(name, query, action, () => {
    throw new S3Error(code, message)
  })
}

/** The same for every bucket that is there. */
function ofBucket(name: string, query: string, action: string, answer: (call: Call) => void): Operation {
  return {
    name,
    method: 'GET',
    level: 'bucket',
    query: [query],
    action,
    handle(call) {
      call.engine.getBucket(call.bucket)
      answer(call)
    },
  }
}

/** What an object has that was never locked. */
function lock(name: string, query: string, action: string): Operation {
  return {
    name,
    method: 'GET',
    level: 'object',
    query: [query],
    action,
    handle(call) {
      if (!call.engine.getBucket(call.bucket).objectLock) {
        throw new S3Error('InvalidRequest', 'Bucket is missing ObjectLockConfiguration')
      }
      call.engine.getObject(call.bucket, call.key, requestedVersion(call))
      throw new S3Error(
        'NoSuchObjectLockConfiguration',
        'The specified object does not have a ObjectLock configuration',
      )
    },
  }
}
