import { S3_OPERATIONS } from '@stowage/iam-policy'
import { S3Error } from '../../../lib/errors.ts'
import { parseXml, xmlChildText } from '../../../lib/xml.ts'
import { requirePart } from '../../auth/authorize.ts'
import { readRequestBody } from '../../bodies/request-body.ts'
import type { StoreCall } from '../../call/call.ts'
import type { S3Operation } from '../../call/s3-operation.ts'
import { checkBucketName } from './bucket-name.ts'

const BODY_BYTES = 64 * 1024

/** Creates a bucket. With `x-minio-force-create: true`, an existing bucket is not an error. */
export const createBucket: S3Operation = {
  name: 'CreateBucket',
  method: 'PUT',
  level: 'bucket',
  async handle(call) {
    const body = await readRequestBody(call, BODY_BYTES)
    checkBucketName(call.bucket)
    checkLocation(call, body)
    const objectLock = call.header('x-amz-bucket-object-lock-enabled')?.toLowerCase() === 'true'
    // As on S3: object lock also turns versioning on.
    if (objectLock) for (const part of S3_OPERATIONS.CreateBucket.parts) requirePart(call, part)
    try {
      await call.engine.createBucket(call.bucket, { objectLock })
    } catch (error) {
      const taken = error instanceof S3Error && error.code === 'BucketAlreadyOwnedByYou'
      if (!taken || call.header('x-minio-force-create')?.toLowerCase() !== 'true') throw error
    }
    call.empty(200, { Location: `/${call.bucket}` })
  },
}

function checkLocation(call: StoreCall, body: Uint8Array): void {
  if (body.length === 0) return
  const location = xmlChildText(parseXml(body, 'CreateBucketConfiguration'), 'LocationConstraint') ?? ''
  const { region, anyRegion } = call.store
  if (location !== '' && location !== region && !anyRegion) {
    throw new S3Error('InvalidRegion', `This store is in the region ${region}.`)
  }
}
