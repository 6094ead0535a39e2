import type { ObjectHandle } from '../../../engine/interface/types.ts'
import { requirePart } from '../../auth/authorize.ts'
import type { StoreCall } from '../../call/call.ts'
import { parseCopySource } from '../../call/copy-source-name.ts'
import { checkReadConditions, readConditionFailed } from './preconditions.ts'

/** The object in `x-amz-copy-source`, after the caller's rights and the conditions were checked. */
export interface CopySource {
  bucket: string
  key: string
  versionId: string | undefined
  handle: ObjectHandle
}

/** @throws S3Error InvalidArgument, AccessDenied, NoSuchBucket, NoSuchKey, NoSuchVersion, PreconditionFailed */
export function openCopySource(call: StoreCall): CopySource {
  const { bucket, key, versionId } = parseCopySource(call.header('x-amz-copy-source') ?? '')
  requirePart(call, 'source', { bucket, key, versionId })
  const handle = call.engine.getObject(bucket, key, versionId)
  handle.useCustomerKey(call.customerKeys.ofSource?.key)
  if (checkReadConditions(call, handle.info, 'x-amz-copy-source-') !== 'ok') throw readConditionFailed()
  return { bucket, key, versionId, handle }
}
