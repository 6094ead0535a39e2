import type { ObjectInfo } from '../../../engine/interface/types.ts'
import { S3Error } from '../../../lib/errors.ts'
import { s3Document, xmlTag } from '../../../lib/xml.ts'
import { checksumElements } from '../../bodies/checksum-elements.ts'
import { checksumElement } from '../../bodies/checksums.ts'
import type { ResponseHeaders, StoreCall } from '../../call/call.ts'
import type { S3Operation } from '../../call/s3-operation.ts'
import { requestedVersion } from '../../call/version-id.ts'
import { checkReadConditions, readConditionFailed } from '../headers/preconditions.ts'

const KNOWN = ['ETag', 'Checksum', 'ObjectParts', 'StorageClass', 'ObjectSize']
const PARTS_PAGE = 1000

export const getObjectAttributes: S3Operation = {
  name: 'GetObjectAttributes',
  method: 'GET',
  level: 'object',
  query: ['attributes'],
  handle(call) {
    const wanted = requestedAttributes(call)
    const handle = call.engine.getObject(call.bucket, call.key, requestedVersion(call))
    handle.useCustomerKey(call.customerKeys.own?.key)
    const { info } = handle
    const verdict = checkReadConditions(call, info, '')
    if (verdict === 'failed') throw readConditionFailed()
    if (verdict === 'not-modified') return call.empty(304)
    const headers: ResponseHeaders = { 'Last-Modified': new Date(info.lastModified).toUTCString() }
    if (call.engine.getBucket(call.bucket).versioning !== undefined) headers['x-amz-version-id'] = info.versionId
    let content = ''
    if (wanted.has('ETag')) content += xmlTag('ETag', info.etag)
    if (wanted.has('Checksum') && info.checksum) content += `<Checksum>${checksumElements(info.checksum)}</Checksum>`
    if (wanted.has('ObjectParts') && info.parts) content += partsElement(call, info, info.parts)
    if (wanted.has('StorageClass')) content += xmlTag('StorageClass', info.headers['x-amz-storage-class'] ?? 'STANDARD')
    if (wanted.has('ObjectSize')) content += xmlTag('ObjectSize', info.size)
    call.xml(s3Document('GetObjectAttributesResponse', content), 200, headers)
  },
}

function requestedAttributes(call: StoreCall): Set<string> {
  const names = (call.header('x-amz-object-attributes') ?? '').split(',').map((name) => name.trim())
  if (names.some((name) => !KNOWN.includes(name))) {
    throw new S3Error('InvalidArgument', 'Invalid attribute name specified.')
  }
  return new Set(names)
}

function partsElement(call: StoreCall, info: ObjectInfo, parts: NonNullable<ObjectInfo['parts']>): string {
  const marker = positiveInteger(call.header('x-amz-part-number-marker')) ?? 0
  const limit = Math.min(PARTS_PAGE, positiveInteger(call.header('x-amz-max-parts')) ?? PARTS_PAGE)
  const page = parts.slice(marker, marker + limit)
  const truncated = marker + page.length < parts.length
  const rows = page.map(({ size, checksum }, index) => {
    const sum = info.checksum && checksum ? xmlTag(checksumElement(info.checksum.algorithm), checksum) : ''
    return `<Part>${xmlTag('PartNumber', marker + index + 1)}${xmlTag('Size', size)}${sum}</Part>`
  })
  return (
    `<ObjectParts>${xmlTag('IsTruncated', truncated)}${xmlTag('MaxParts', limit)}${xmlTag('PartNumberMarker', marker)}` +
    `${xmlTag('NextPartNumberMarker', marker + page.length)}${xmlTag('PartsCount', parts.length)}${rows.join('')}</ObjectParts>`
  )
}

/** @throws S3Error InvalidArgument */
function positiveInteger(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^\d{1,5}$/.test(text)) throw new S3Error('InvalidArgument', 'Not a number of a part.')
  return Number(text)
}
