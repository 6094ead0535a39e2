import type { Checksum, CompletedPart, UploadInfo } from '../../../engine/interface/types.ts'
import { S3Error } from '../../../lib/errors.ts'
import { children, parseLargeXml, s3Document, type XmlNode, xmlChildText, xmlTag } from '../../../lib/xml.ts'
import { checksumElements } from '../../bodies/checksum-elements.ts'
import { CHECKSUM_HEADERS, checksumElement } from '../../bodies/checksums.ts'
import { readRequestBody } from '../../bodies/request-body.ts'
import type { ResponseHeaders, StoreCall } from '../../call/call.ts'
import type { S3Operation } from '../../call/s3-operation.ts'
import { encryptionHeaders } from '../headers/encryption-headers.ts'
import { unquoteEtag, writeCondition } from '../headers/preconditions.ts'
import { replicaRights, requestedReplica } from '../headers/replica-headers.ts'
import { MAX_PARTS, requestedUpload } from '../headers/upload-query.ts'
import { addVersionHeader } from '../objects/put-object.ts'

/** Enough for 10,000 parts of 400 bytes. A number, an ETag and two checksums with whitespace take 300. */
const BODY_BYTES = 4 * 1024 * 1024

export const completeMultipartUpload: S3Operation = {
  name: 'CompleteMultipartUpload',
  method: 'POST',
  level: 'object',
  query: ['uploadId'],
  async handle(call) {
    const body = await readRequestBody(call, BODY_BYTES, { checksumsOfObject: true })
    const nodes = children(await parseLargeXml(body, 'CompleteMultipartUpload'), 'Part')
    if (nodes.length === 0 || nodes.length > MAX_PARTS) {
      throw new S3Error('MalformedXML', `An upload is completed with 1 to ${MAX_PARTS} parts.`)
    }
    const upload = call.engine.getUpload(requestedUpload(call))
    const parts = nodes.map((node) => parsePart(node, upload))
    const checksum = expectedChecksum(call, upload)
    const size = expectedSize(call)
    const condition = writeCondition(call)
    const { lastModified } = requestedReplica(call)
    const info = await call.engine.completeUpload(upload, parts, {
      ...(checksum ? { checksum } : {}),
      ...(size === undefined ? {} : { size }),
      ...(condition ? { condition } : {}),
      lastModified,
      replicaRights: replicaRights(call),
    })
    await call.store.replication.waitForSyncTargets(call.bucket, info)
    const headers: ResponseHeaders = { ...encryptionHeaders(call, info.encryption) }
    addVersionHeader(call, info, headers)
    const host = call.header('host') ?? ''
    const content =
      `${xmlTag('Location', `http://${host}${call.target.rawPath}`)}${xmlTag('Bucket', call.bucket)}${xmlTag('Key', call.key)}` +
      `<ETag>&quot;${info.etag}&quot;</ETag>${checksumElements(info.checksum)}`
    call.xml(s3Document('CompleteMultipartUploadResult', content), 200, headers)
  },
}

function parsePart(node: XmlNode, upload: UploadInfo): CompletedPart {
  const number = xmlChildText(node, 'PartNumber') ?? ''
  // Digits only: `Number` accepts 1e3 and 0x10 too.
  const part = /^\d{1,9}$/.test(number.trim()) ? Number(number) : 0
  const etag = xmlChildText(node, 'ETag')
  if (part < 1 || etag === undefined) {
    throw new S3Error('MalformedXML', 'A Part needs a PartNumber and an ETag.')
  }
  const checksum = upload.checksumAlgorithm && xmlChildText(node, checksumElement(upload.checksumAlgorithm))
  return { part, etag: unquoteEtag(etag), ...(checksum ? { checksum } : {}) }
}

/** Returns the checksum of the object that the client expects, if any. */
function expectedChecksum(call: StoreCall, upload: UploadInfo): Checksum | undefined {
  const { checksumAlgorithm: algorithm, checksumType: type } = upload
  if (!algorithm || !type) return undefined
  const value = call.header(CHECKSUM_HEADERS[algorithm])
  return value === undefined ? undefined : { algorithm, value, type }
}

/** Returns the object size in bytes that the client expects, if any. @throws S3Error InvalidRequest */
function expectedSize(call: StoreCall): number | undefined {
  const text = call.header('x-amz-mp-object-size')
  if (text === undefined) return undefined
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new S3Error('InvalidRequest', 'Value for x-amz-mp-object-size header is invalid.')
}
