import { S3Error, type S3ErrorCode } from '../../errors.ts'
import { s3Document, tag } from '../../xml.ts'
import type { Call } from '../call.ts'
import type { Operation } from './operation.ts'

/** Sub-resources without settings in this store. The answer is that of an unset one. */
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
  absent(
    'GetBucketWebsite',
    'website',
    's3:GetBucketPolicy',
    'NoSuchWebsiteConfiguration',
    'The specified bucket does not have a website configuration',
  ),
]

function fixed(name: string, query: string, action: string, root: string, content: string): Operation {
  return ofBucket(name, query, action, (call) => call.xml(s3Document(root, content)))
}

function absent(name: string, query: string, action: string, code: S3ErrorCode, message: string): Operation {
  return ofBucket(name, query, action, () => {
    throw new S3Error(code, message)
  })
}

/** Returns an operation with the same answer for every existing bucket. */
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
