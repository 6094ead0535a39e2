import { S3_OPERATIONS } from '@stowage/iam-policy'
import { S3Error } from '../../../lib/errors.ts'
import { s3Document, xmlTag } from '../../../lib/xml.ts'
import { requirePart, requireTaggingAction } from '../../auth/authorize.ts'
import { checksumElements } from '../../bodies/checksum-elements.ts'
import { requestedChecksumAlgorithm } from '../../bodies/checksums.ts'
import type { TagMap } from '../../call/authentication-result.ts'
import type { ResponseHeaders, StoreCall } from '../../call/call.ts'
import type { S3Operation } from '../../call/s3-operation.ts'
import { type CopySource, openCopySource } from '../headers/copy-source.ts'
import { encryptionHeaders, requestedEncryption, requestsEncryption } from '../headers/encryption-headers.ts'
import { type ObjectDescription, readObjectDescription } from '../headers/object-headers.ts'
import { requestedLock } from '../headers/object-lock-calls.ts'
import { writeCondition } from '../headers/preconditions.ts'
import { requestedReplica } from '../headers/replica-headers.ts'
import { parseTagHeader } from '../headers/tagging-header.ts'
import { copyChecksum } from './copy-checksum.ts'
import { addVersionHeader } from './put-object.ts'

export const copyObject: S3Operation = {
  name: 'CopyObject',
  method: 'PUT',
  level: 'object',
  header: 'x-amz-copy-source',
  tags: { in: 'head', read: (call) => (replacesTags(call) ? parseTagHeader(call.header('x-amz-tagging')) : {}) },
  async handle(call) {
    const replacesMetadata = directive(call, 'x-amz-metadata-directive') === 'REPLACE'
    const source = openCopySource(call)
    const replica = requestedReplica(call)
    if (!replacesMetadata && !replacesTags(call) && copiesToItself(call, source)) {
      throw new S3Error(
        'InvalidRequest',
        'This copy request is illegal because it is trying to copy an object to itself without changing the ' +
          "object's metadata, storage class, website redirect location or encryption attributes.",
      )
    }
    const lock = requestedLock(call)
    const encryption = requestedEncryption(call)
    const condition = writeCondition(call)
    const algorithm = requestedChecksumAlgorithm(call)
    const options = {
      ...copyDescription(call, source, replacesMetadata),
      lock,
      encryption,
      tags: replacesTags(call) ? call.requestTags : copiedTags(call, source),
      ...(condition ? { condition } : {}),
      ...replica,
      ...(algorithm ? { check: () => copyChecksum(source.handle, algorithm) } : {}),
    }
    // Another store changes the description of a version by copying the version to itself.
    const versionId = replica.replica && versionCopiedToItself(call, source)
    const info =
      versionId === undefined
        ? await call.engine.copyObject(source.handle, call.bucket, call.key, options)
        : await call.engine.applyReplicaMetadata({ bucket: call.bucket, key: call.key, versionId }, options)
    const headers: ResponseHeaders = { ...encryptionHeaders(call, info.encryption) }
    if (source.versionId !== undefined) headers['x-amz-copy-source-version-id'] = source.handle.info.versionId
    addVersionHeader(call, info, headers)
    const content =
      `${xmlTag('LastModified', new Date(info.lastModified).toISOString())}<ETag>&quot;${info.etag}&quot;</ETag>` +
      checksumElements(info.checksum)
    call.xml(s3Document('CopyObjectResult', content), 200, headers)
  },
}

const replacesTags = (call: StoreCall) => directive(call, 'x-amz-tagging-directive') === 'REPLACE'

/** @throws S3Error InvalidArgument */
function directive(call: StoreCall, name: string): 'COPY' | 'REPLACE' {
  const value = call.header(name) ?? 'COPY'
  if (value === 'COPY' || value === 'REPLACE') return value
  throw new S3Error('InvalidArgument', `Unknown ${name.replace('x-amz-', '').replace('-', ' ')}.`)
}

/** Headers of a copy that are taken from the request, never from the source. */
const NOT_COPIED = ['x-amz-storage-class', 'x-amz-website-redirect-location']

function copiesToItself(call: StoreCall, source: CopySource): boolean {
  // Copying a named version over its own key makes it the latest version again.
  if (source.bucket !== call.bucket || source.key !== call.key || source.versionId !== undefined) return false
  return !requestsEncryption(call) && !NOT_COPIED.some((name) => call.header(name) !== undefined)
}

function versionCopiedToItself(call: StoreCall, { bucket, key, versionId }: CopySource): string | undefined {
  const isItself = bucket === call.bucket && key === call.key && versionId === call.query.get('versionId')
  return isItself ? versionId : undefined
}

function copyDescription(call: StoreCall, { handle }: CopySource, replaces: boolean): ObjectDescription {
  const given = readObjectDescription(call.request.headers)
  if (replaces) return given
  const headers = { ...handle.info.headers }
  for (const name of NOT_COPIED) {
    const value = given.headers[name]
    if (value === undefined) delete headers[name]
    else headers[name] = value
  }
  return { headers, metadata: handle.info.metadata }
}

function copiedTags(call: StoreCall, { bucket, key, versionId, handle }: CopySource): TagMap {
  const { tags } = handle.info
  if (Object.keys(tags).length === 0) return tags
  requirePart(call, 'source-tags', { bucket, key, versionId })
  requireTaggingAction(call, S3_OPERATIONS.CopyObject.action, tags)
  return tags
}
