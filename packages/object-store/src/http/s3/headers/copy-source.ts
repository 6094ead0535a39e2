import type { ObjectHandle } from '../../../engine/interface/types.ts'
import { S3Error } from '../../../lib/errors.ts'
import { requireAction } from '../../auth/authorize.ts'
import type { StoreCall } from '../../call/call.ts'
import { checkReadConditions, readConditionFailed } from './preconditions.ts'
import { parseVersionId } from './version-id.ts'

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
  requireAction(call, 's3:GetObject', { bucket, key, versionId })
  const handle = call.engine.getObject(bucket, key, versionId)
  handle.useCustomerKey(call.customerKeys.ofSource?.key)
  if (checkReadConditions(call, handle.info, 'x-amz-copy-source-') !== 'ok') throw readConditionFailed()
  return { bucket, key, versionId, handle }
}

/** Reads `/bucket/key?versionId=id`, percent-encoded. @throws S3Error InvalidArgument */
export function parseCopySource(header: string): { bucket: string; key: string; versionId: string | undefined } {
  const mark = header.lastIndexOf('?versionId=')
  const encoded = mark < 0 ? header : header.slice(0, mark)
  const invalid = new S3Error(
    'InvalidArgument',
    'Copy Source must mention the source bucket and key: sourcebucket/sourcekey.',
  )
  let source: string
  try {
    source = decodeURIComponent(encoded)
  } catch {
    throw invalid
  }
  if (source.startsWith('/')) source = source.slice(1)
  const slash = source.indexOf('/')
  if (slash < 1 || slash === source.length - 1) throw invalid
  const versionId = mark < 0 ? undefined : parseVersionId(header.slice(mark + '?versionId='.length))
  return { bucket: source.slice(0, slash), key: source.slice(slash + 1), versionId }
}
