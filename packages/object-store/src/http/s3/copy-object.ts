import { S3Error } from '../../errors.ts'
import { s3Document, tag } from '../../xml.ts'
import type { Tags } from '../authentication.ts'
import { requireAllowed, requireTagging } from '../authorize.ts'
import type { Call, ResponseHeaders } from '../call.ts'
import { requestedAlgorithm } from '../checksums.ts'
import { requestedReplica } from '../replica.ts'
import { checksumTags } from './checksum-tags.ts'
import { checksumOfCopy } from './copy-checksum.ts'
import { type CopySource, openCopySource } from './copy-source.ts'
import { encryptionHeaders, requestedEncryption, statesEncryption } from './encryption.ts'
import { type Described, describedObject } from './object-headers.ts'
import { requestedLock } from './object-lock.ts'
import type { Operation } from './operation.ts'
import { writeCondition } from './preconditions.ts'
import { nameVersion } from './put-object.ts'
import { parseTagHeader } from './tag-set.ts'

const PUT = 's3:PutObject'

export const copyObject: Operation = {
  name: 'CopyObject',
  method: 'PUT',
  level: 'object',
  header: 'x-amz-copy-source',
  action: PUT,
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
    const algorithm = requestedAlgorithm(call)
    const options = {
      ...described(call, source, replacesMetadata),
      lock,
      encryption,
      tags: replacesTags(call) ? call.requestTags : sourceTags(call, source),
      ...(condition ? { condition } : {}),
      ...replica,
      ...(algorithm ? { check: () => checksumOfCopy(source.handle, algorithm) } : {}),
    }
    // Another store changes the description of a version by copying the version to itself.
    const versionId = replica.replica && versionCopiedToItself(call, source)
    const info =
      versionId === undefined
        ? await call.engine.copyObject(source.handle, call.bucket, call.key, options)
        : await call.engine.receiveMetadata({ bucket: call.bucket, key: call.key, versionId }, options)
    const headers: ResponseHeaders = { ...encryptionHeaders(call, info.encryption) }
    if (source.versionId !== undefined) headers['x-amz-copy-source-version-id'] = source.handle.info.versionId
    nameVersion(call, info, headers)
    const content =
      `${tag('LastModified', new Date(info.lastModified).toISOString())}<ETag>&quot;${info.etag}&quot;</ETag>` +
      checksumTags(info.checksum)
    call.xml(s3Document('CopyObjectResult', content), 200, headers)
  },
}

const replacesTags = (call: Call) => directive(call, 'x-amz-tagging-directive') === 'REPLACE'

/** @throws S3Error InvalidArgument */
function directive(call: Call, name: string): 'COPY' | 'REPLACE' {
  const value = call.header(name) ?? 'COPY'
  if (value === 'COPY' || value === 'REPLACE') return value
  throw new S3Error('InvalidArgument', `Unknown ${name.replace('x-amz-', '').replace('-', ' ')}.`)
}

/** Headers of a copy that are taken from the request, never from the source. */
const ITS_OWN = ['x-amz-storage-class', 'x-amz-website-redirect-location']

function copiesToItself(call: Call, source: CopySource): boolean {
  // Copying a named version over its own key makes it the latest version again.
  if (source.bucket !== call.bucket || source.key !== call.key || source.versionId !== undefined) return false
  return !statesEncryption(call) && !ITS_OWN.some((name) => call.header(name) !== undefined)
}

function versionCopiedToItself(call: Call, { bucket, key, versionId }: CopySource): string | undefined {
  const isItself = bucket === call.bucket && key === call.key && versionId === call.query.get('versionId')
  return isItself ? versionId : undefined
}

function described(call: Call, { handle }: CopySource, replaces: boolean): Described {
  const given = describedObject(call.request.headers)
  if (replaces) return given
  const headers = { ...handle.info.headers }
  for (const name of ITS_OWN) {
    const value = given.headers[name]
    if (value === undefined) delete headers[name]
    else headers[name] = value
  }
  return { headers, metadata: handle.info.metadata }
}

function sourceTags(call: Call, { bucket, key, versionId, handle }: CopySource): Tags {
  const { tags } = handle.info
  if (Object.keys(tags).length === 0) return tags
  requireAllowed(call, 's3:GetObjectTagging', { bucket, key, versionId })
  requireTagging(call, PUT, tags)
  return tags
}
