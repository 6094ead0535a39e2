import type { S3OperationName } from '@stowage/iam-policy'
import { S3Error, type S3ErrorCode } from '../../../lib/errors.ts'
import { s3Document, xmlTag } from '../../../lib/xml.ts'
import type { StoreCall } from '../../call/call.ts'
import type { S3Operation } from '../../call/s3-operation.ts'

/** Sub-resources without settings in this store. The answer is that of an unset one. */
export const fixedAnswers: S3Operation[] = [
  fixedOperation('GetBucketAccelerateConfiguration', 'accelerate', 'AccelerateConfiguration', ''),
  fixedOperation('GetBucketLogging', 'logging', 'BucketLoggingStatus', ''),
  fixedOperation(
    'GetBucketRequestPayment',
    'requestPayment',
    'RequestPaymentConfiguration',
    xmlTag('Payer', 'BucketOwner'),
  ),
  absentOperation(
    'GetBucketWebsite',
    'website',
    'NoSuchWebsiteConfiguration',
    'The specified bucket does not have a website configuration',
  ),
]

function fixedOperation(name: S3OperationName, query: string, root: string, content: string): S3Operation {
  return bucketOperation(name, query, (call) => call.xml(s3Document(root, content)))
}

function absentOperation(name: S3OperationName, query: string, code: S3ErrorCode, message: string): S3Operation {
  return bucketOperation(name, query, () => {
    throw new S3Error(code, message)
  })
}

/** Returns an operation with the same answer for every existing bucket. */
function bucketOperation(name: S3OperationName, query: string, answer: (call: StoreCall) => void): S3Operation {
  return {
    name,
    method: 'GET',
    level: 'bucket',
    query: [query],
    handle(call) {
      call.engine.getBucket(call.bucket)
      answer(call)
    },
  }
}
