import type { ObjectDetails, ObjectItem } from '@stowage/contract'
import { METADATA_HEADERS } from '@stowage/contract/objects/object-details'
import pMap from 'p-map'
import { toStorageError, UpstreamError } from '../../../lib/errors/storage-errors.ts'
import type { S3Stream } from '../../../lib/storage/s3-stream.ts'
import { childOf, childrenOf, parseStorageXml, xmlText } from '../../../lib/xml/storage-xml.ts'
import { readHeader, readUserMetadata, type S3ResponseHeaders } from './object-headers.ts'

/** A version of an object; without an ID, the latest. */
export interface ObjectVersionReference {
  bucket: string
  key: string
  versionId?: string | undefined
}

/** Returns the parameters of an S3 request for a version. */
export function versionParameters({ bucket, key, versionId }: ObjectVersionReference) {
  return { bucket, key, query: { versionId: versionId || undefined } }
}

/**
 * Returns all details of one version, without those that the caller has no right to read.
 * @throws UpstreamError NoSuchKey, NoSuchVersion, AccessDenied (s3:GetObject is needed)
 */
export async function readObjectDetails(s3Stream: S3Stream, version: ObjectVersionReference): Promise<ObjectDetails> {
  const head = await headOrMarker(s3Stream, version)
  if (head.isMarker) return markerDetails(version, head.headers)
  const { headers } = head
  const [hold, tags] = await Promise.all([
    readUnsetHold(s3Stream, version, headers),
    readVisibleTags(s3Stream, version, headers),
  ])
  return { ...readDetails(version.key, headers), ...hold, ...tags }
}

async function headOrMarker(
  s3Stream: S3Stream,
  version: ObjectVersionReference,
): Promise<{ headers: S3ResponseHeaders; isMarker: boolean }> {
  try {
    const headers = await s3Stream.headers({
      method: 'HEAD',
      ...versionParameters(version),
      headers: { 'x-amz-checksum-mode': 'ENABLED' },
    })
    return { headers, isMarker: false }
  } catch (error) {
    // HEAD of a delete marker with its version ID gets this status; the code varies.
    if (version.versionId && error instanceof UpstreamError && error.status === 405)
      return { headers: {}, isMarker: true }
    throw error
  }
}

function markerDetails({ key, versionId }: ObjectVersionReference, headers: S3ResponseHeaders): ObjectDetails {
  return {
    ...readDetails(key, headers),
    content_type: '',
    is_delete_marker: true,
    ...(versionId ? { version_id: versionId } : {}),
  }
}

const CHECKSUM = 'x-amz-checksum-'
const LOCK = 'x-amz-object-lock-'

function readDetails(name: string, headers: S3ResponseHeaders): ObjectDetails {
  const text = (header: string) => readHeader(headers, header)
  const given = <N extends string>(field: N, value: string) => (value === '' ? {} : { [field]: value })
  const modified = Date.parse(text('last-modified'))
  const parts = Number(text('x-amz-mp-parts-count') || /-(\d+)"?$/.exec(text('etag'))?.[1])
  return {
    name,
    size: Number(text('content-length') || 0),
    last_modified: Number.isNaN(modified) ? '' : new Date(modified).toISOString(),
    etag: text('etag').replaceAll('"', ''),
    ...given('version_id', text('x-amz-version-id')),
    is_delete_marker: text('x-amz-delete-marker') === 'true',
    content_type: text('content-type'),
    headers: Object.fromEntries(METADATA_HEADERS.flatMap((name) => (text(name) === '' ? [] : [[name, text(name)]]))),
    user_metadata: readUserMetadata(headers),
    ...lockDetails(headers),
    storage_class: text('x-amz-storage-class') || 'STANDARD',
    ...given('replication_status', text('x-amz-replication-status')),
    ...given('encryption', encryptionName(headers)),
    ...given('encryption_key', text('x-amz-server-side-encryption-aws-kms-key-id')),
    checksums: storedChecksums(headers),
    ...(Number.isInteger(parts) && parts > 0 ? { parts } : {}),
    ...given('restore', text('x-amz-restore')),
    ...given('expiration', text('x-amz-expiration')),
  }
}

function encryptionName(headers: S3ResponseHeaders): string {
  if (readHeader(headers, 'x-amz-server-side-encryption-customer-algorithm')) return 'customer'
  return readHeader(headers, 'x-amz-server-side-encryption')
}

function storedChecksums(headers: S3ResponseHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.keys(headers)
      .filter((name) => name.startsWith(CHECKSUM) && name !== `${CHECKSUM}type`)
      .map((name) => [name.slice(CHECKSUM.length), readHeader(headers, name)]),
  )
}

/** Servers leave out these headers if the caller has no right to read them. */
function lockDetails(
  headers: S3ResponseHeaders,
): Pick<ObjectItem, 'legal_hold_status' | 'retention_mode' | 'retention_until_date'> {
  const hold = readHeader(headers, `${LOCK}legal-hold`)
  const mode = readHeader(headers, `${LOCK}mode`)
  const until = readHeader(headers, `${LOCK}retain-until-date`)
  return {
    ...(hold ? { legal_hold_status: hold.toUpperCase() } : {}),
    ...(mode ? { retention_mode: mode.toUpperCase(), retention_until_date: until } : {}),
  }
}

/**
 * Returns the legal hold of a version whose headers do not have it: servers leave it out if it was never set, and for callers
 * without the right to read it. A request shows which it is.
 */
async function readUnsetHold(
  s3Stream: S3Stream,
  version: ObjectVersionReference,
  headers: S3ResponseHeaders,
): Promise<Pick<ObjectItem, 'legal_hold_status'>> {
  const versionId = readHeader(headers, 'x-amz-version-id')
  // Without versioning there is no object lock.
  if (readHeader(headers, `${LOCK}legal-hold`) || !versionId || versionId === 'null') return {}
  const { bucket, key, query } = versionParameters(version)
  try {
    const xml = await s3Stream.text({ method: 'GET', bucket, key, query: { 'legal-hold': '', ...query } })
    return { legal_hold_status: xmlText(parseStorageXml(xml).node, 'Status') || 'OFF' }
  } catch (error) {
    const failure = toStorageError(error)
    if (!failure || failure.status >= 500) throw error
    return failure.code === 'NoSuchObjectLockConfiguration' ? { legal_hold_status: 'OFF' } : {}
  }
}

/**
 * Returns the tags to show; none if the caller has no right to read them.
 * @param headers of the version's HEAD, which contain the number of tags
 */
async function readVisibleTags(
  s3Stream: S3Stream,
  version: ObjectVersionReference,
  headers: S3ResponseHeaders,
): Promise<{ tags?: Record<string, string> }> {
  // Servers leave out the count if it is 0, and MinIO also without the right to read tags; a request shows which it is.
  const counted = Number(readHeader(headers, 'x-amz-tagging-count') || 0)
  try {
    return { tags: await readObjectTags(s3Stream, version) }
  } catch (error) {
    const failure = toStorageError(error)
    if (!failure || failure.status >= 500) throw error
    return counted === 0 && failure.code !== 'AccessDenied' ? { tags: {} } : {}
  }
}

/** @throws UpstreamError AccessDenied, NoSuchKey */
export async function readObjectTags(
  s3Stream: S3Stream,
  version: ObjectVersionReference,
): Promise<Record<string, string>> {
  const { bucket, key, query } = versionParameters(version)
  const xml = await s3Stream.text({ method: 'GET', bucket, key, query: { tagging: '', ...query } })
  const set = childOf(parseStorageXml(xml).node, 'TagSet')
  return Object.fromEntries(childrenOf(set, 'Tag').map((tag) => [xmlText(tag, 'Key'), xmlText(tag, 'Value')]))
}

/** Maximum number of versions per listing with full details; each needs one or two requests. */
const DESCRIBED = 1000
const CONCURRENCY = 8

/**
 * Adds lock and tags to the versions of one object in a listing. Other objects with the same prefix, and details that cannot be
 * read, are left unchanged.
 */
export class VersionDescriber {
  #left = DESCRIBED

  constructor(
    private readonly s3Stream: S3Stream,
    private readonly bucket: string,
    private readonly key: string,
  ) {}

  async describe(items: readonly ObjectItem[]): Promise<ObjectItem[]> {
    const describe = async (item: ObjectItem) =>
      item.name === this.key && item.is_delete_marker === false && this.#left-- > 0
        ? { ...item, ...(await this.#extras(item.version_id)) }
        : item
    return await pMap(items, describe, { concurrency: CONCURRENCY })
  }

  async #extras(versionId: string | undefined): Promise<Partial<ObjectItem>> {
    const version = { bucket: this.bucket, key: this.key, versionId }
    try {
      const headers = await this.s3Stream.headers({ method: 'HEAD', ...versionParameters(version) })
      const { tags = {} } = readHeader(headers, 'x-amz-tagging-count')
        ? await readVisibleTags(this.s3Stream, version, headers)
        : {}
      const hold = await readUnsetHold(this.s3Stream, version, headers)
      return { ...lockDetails(headers), ...hold, ...(Object.keys(tags).length > 0 ? { tags } : {}) }
    } catch (error) {
      if (toStorageError(error)) return {}
      throw error
    }
  }
}
