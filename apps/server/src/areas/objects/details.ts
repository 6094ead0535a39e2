import type { ObjectDetails, ObjectItem } from '@stowage/contract'
import { METADATA_HEADERS } from '@stowage/contract/objects/details'
import type { S3Stream } from '../../lib/storage/s3-stream.ts'
import { storageErrorOf, UpstreamError } from '../../lib/storage/storage-errors.ts'
import { childOf, childrenOf, parseAnswer, textOf } from '../../lib/storage/xml.ts'
import { type Headers, headerOf, userMetadataOf } from './metadata.ts'

/** A version of an object; without an ID, the latest. */
export interface Version {
  bucket: string
  key: string
  versionId?: string | undefined
}

/** Returns the parameters of an S3 request for a version. */
export function onWire({ bucket, key, versionId }: Version) {
  return { bucket, key, query: { versionId: versionId || undefined } }
}

/**
 * Returns all details of one version, without those that the caller has no right to read.
 * @throws UpstreamError NoSuchKey, NoSuchVersion, AccessDenied (s3:GetObject is needed)
 */
export async function detailsOf(s3Stream: S3Stream, version: Version): Promise<ObjectDetails> {
  const head = await headOrMarker(s3Stream, version)
  if (head.isMarker) return markerDetails(version, head.headers)
  const { headers } = head
  return { ...readDetails(version.key, headers), ...(await tagsToShow(s3Stream, version, headers)) }
}

async function headOrMarker(s3Stream: S3Stream, version: Version): Promise<{ headers: Headers; isMarker: boolean }> {
  try {
    const headers = await s3Stream.headers({
      method: 'HEAD',
      ...onWire(version),
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

function markerDetails({ key, versionId }: Version, headers: Headers): ObjectDetails {
  return {
    ...readDetails(key, headers),
    content_type: '',
    is_delete_marker: true,
    ...(versionId ? { version_id: versionId } : {}),
  }
}

const CHECKSUM = 'x-amz-checksum-'
const LOCK = 'x-amz-object-lock-'

function readDetails(name: string, headers: Headers): ObjectDetails {
  const text = (header: string) => headerOf(headers, header)
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
    user_metadata: userMetadataOf(headers),
    ...lockOf(headers),
    storage_class: text('x-amz-storage-class') || 'STANDARD',
    ...given('replication_status', text('x-amz-replication-status')),
    ...given('encryption', encryptionOf(headers)),
    ...given('encryption_key', text('x-amz-server-side-encryption-aws-kms-key-id')),
    checksums: checksumsOf(headers),
    ...(Number.isInteger(parts) && parts > 0 ? { parts } : {}),
    ...given('restore', text('x-amz-restore')),
    ...given('expiration', text('x-amz-expiration')),
  }
}

function encryptionOf(headers: Headers): string {
  if (headerOf(headers, 'x-amz-server-side-encryption-customer-algorithm')) return 'customer'
  return headerOf(headers, 'x-amz-server-side-encryption')
}

function checksumsOf(headers: Headers): Record<string, string> {
  return Object.fromEntries(
    Object.keys(headers)
      .filter((name) => name.startsWith(CHECKSUM) && name !== `${CHECKSUM}type`)
      .map((name) => [name.slice(CHECKSUM.length), headerOf(headers, name)]),
  )
}

/** Servers leave out these headers if the caller has no right to read them. */
function lockOf(headers: Headers): Pick<ObjectItem, 'legal_hold_status' | 'retention_mode' | 'retention_until_date'> {
  const hold = headerOf(headers, `${LOCK}legal-hold`)
  const mode = headerOf(headers, `${LOCK}mode`)
  const until = headerOf(headers, `${LOCK}retain-until-date`)
  return {
    ...(hold ? { legal_hold_status: hold.toUpperCase() } : {}),
    ...(mode ? { retention_mode: mode.toUpperCase(), retention_until_date: until } : {}),
  }
}

/**
 * Returns the tags to show; none if the caller has no right to read them.
 * @param headers of the version's HEAD, which contain the number of tags
 */
async function tagsToShow(
  s3Stream: S3Stream,
  version: Version,
  headers: Headers,
): Promise<{ tags?: Record<string, string> }> {
  // Servers leave out the count if it is 0, and MinIO also without the right to read tags; a request shows which it is.
  const counted = Number(headerOf(headers, 'x-amz-tagging-count') || 0)
  try {
    return { tags: await tagsOf(s3Stream, version) }
  } catch (error) {
    const told = storageErrorOf(error)
    if (!told || told.status >= 500) throw error
    return counted === 0 && told.code !== 'AccessDenied' ? { tags: {} } : {}
  }
}

/** @throws UpstreamError AccessDenied, NoSuchKey */
export async function tagsOf(s3Stream: S3Stream, version: Version): Promise<Record<string, string>> {
  const { bucket, key, query } = onWire(version)
  const xml = await s3Stream.text({ method: 'GET', bucket, key, query: { tagging: '', ...query } })
  const set = childOf(parseAnswer(xml).node, 'TagSet')
  return Object.fromEntries(childrenOf(set, 'Tag').map((tag) => [textOf(tag, 'Key'), textOf(tag, 'Value')]))
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
    const described = [...items]
    const wanted = items.flatMap((item, index) =>
      item.name === this.key && item.is_delete_marker === false && this.#left-- > 0 ? [{ item, index }] : [],
    )
    const next = wanted.values()
    const work = async () => {
      for (const { item, index } of next) described[index] = { ...item, ...(await this.#extras(item.version_id)) }
    }
    await Promise.all(Array.from({ length: CONCURRENCY }, work))
    return described
  }

  async #extras(versionId: string | undefined): Promise<Partial<ObjectItem>> {
    const version = { bucket: this.bucket, key: this.key, versionId }
    try {
      const headers = await this.s3Stream.headers({ method: 'HEAD', ...onWire(version) })
      const { tags = {} } = headerOf(headers, 'x-amz-tagging-count')
        ? await tagsToShow(this.s3Stream, version, headers)
        : {}
      return { ...lockOf(headers), ...(Object.keys(tags).length > 0 ? { tags } : {}) }
    } catch (error) {
      if (storageErrorOf(error)) return {}
      throw error
    }
  }
}
