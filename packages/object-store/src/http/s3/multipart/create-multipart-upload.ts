import type { UploadInfo } from '../../../engine/interface/types.ts'
import { S3Error } from '../../../lib/errors.ts'
import { s3Document, xmlTag } from '../../../lib/xml.ts'
import { requestedChecksumAlgorithm } from '../../bodies/checksums.ts'
import type { ResponseHeaders, StoreCall } from '../../call/call.ts'
import type { S3Operation } from '../../call/s3-operation.ts'
import { encryptionHeaders, requestedEncryption } from '../headers/encryption-headers.ts'
import { readObjectDescription } from '../headers/object-headers.ts'
import { requestedLock } from '../headers/object-lock-calls.ts'
import { replicaTagging, requestedReplica } from '../headers/replica-headers.ts'
import { tagsInHeader } from '../headers/tagging-header.ts'

export const createMultipartUpload: S3Operation = {
  name: 'CreateMultipartUpload',
  method: 'POST',
  level: 'object',
  query: ['uploads'],
  tags: tagsInHeader,
  tagging: replicaTagging,
  async handle(call) {
    const upload = await call.engine.createUpload(call.bucket, call.key, {
      ...readObjectDescription(call.request.headers),
      tags: call.requestTags,
      lock: requestedLock(call),
      encryption: requestedEncryption(call),
      ...requestedChecksum(call),
      ...requestedReplica(call),
    })
    const headers: ResponseHeaders = { ...encryptionHeaders(call, upload.encryption) }
    if (upload.checksumAlgorithm) headers['x-amz-checksum-algorithm'] = upload.checksumAlgorithm
    if (upload.checksumType) headers['x-amz-checksum-type'] = upload.checksumType
    const content = xmlTag('Bucket', call.bucket) + xmlTag('Key', call.key) + xmlTag('UploadId', upload.uploadId)
    call.xml(s3Document('InitiateMultipartUploadResult', content), 200, headers)
  },
}

/** @throws S3Error InvalidRequest: unknown algorithm or type, or a type that the algorithm cannot have */
function requestedChecksum(call: StoreCall): Pick<UploadInfo, 'checksumAlgorithm' | 'checksumType'> {
  const checksumAlgorithm = requestedChecksumAlgorithm(call)
  const type = call.header('x-amz-checksum-type')?.toUpperCase()
  if (checksumAlgorithm === undefined) {
    if (type === undefined) return {}
    throw new S3Error('InvalidRequest', 'The x-amz-checksum-type header needs an x-amz-checksum-algorithm header.')
  }
  const checksumType = type ?? (checksumAlgorithm === 'CRC64NVME' ? 'FULL_OBJECT' : 'COMPOSITE')
  const isHash = checksumAlgorithm === 'SHA1' || checksumAlgorithm === 'SHA256'
  const fits =
    (checksumType === 'FULL_OBJECT' && !isHash) || (checksumType === 'COMPOSITE' && checksumAlgorithm !== 'CRC64NVME')
  if (!fits) {
    throw new S3Error(
      'InvalidRequest',
      `The ${checksumType} checksum type cannot be used with the ${checksumAlgorithm} checksum algorithm.`,
    )
  }
  return { checksumAlgorithm, checksumType: checksumType === 'COMPOSITE' ? 'COMPOSITE' : 'FULL_OBJECT' }
}
