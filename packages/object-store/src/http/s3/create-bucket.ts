import { S3Error } from '../../errors.ts'
import { childText, parseXml } from '../../xml.ts'
import { readRaw } from '../body.ts'
import type { Call } from '../call.ts'
import { checkBucketName } from './bucket-name.ts'
import type { Operation } from './operation.ts'

const BODY_BYTES = 64 * 1024

/** Creates a bucket. With `x-minio-force-create: true`, an existing bucket is not an error. */
export const createBucket: Operation = {
  name: 'CreateBucket',
  method: 'PUT',
  level: 'bucket',
  action: 's3:CreateBucket',
  async handle(call) {
    const body = await readRaw(call, BODY_BYTES)
    checkBucketName(call.bucket)
    checkLocation(call, body)
    const objectLock = call.header('x-amz-bucket-object-lock-enabled')?.toLowerCase() === 'true'
    try {
      await call.engine.createBucket(call.bucket, { objectLock })
    } catch (error) {
      const taken = error instanceof S3Error && error.code === 'BucketAlreadyOwnedByYou'
      if (!taken || call.header('x-minio-force-create')?.toLowerCase() !== 'true') throw error
    }
    call.empty(200, { Location: `/${call.bucket}` })
  },
}

function checkLocation(call: Call, body: Uint8Array): void {
  if (body.length === 0) return
  const location = childText(parseXml(body, 'CreateBucketConfiguration'), 'LocationConstraint') ?? ''
  const { region, anyRegion } = call.store
  if (location !== '' && location !== region && !anyRegion) {
    throw new S3Error('InvalidRegion', `This store is in the region ${region}.`)
  }
}
