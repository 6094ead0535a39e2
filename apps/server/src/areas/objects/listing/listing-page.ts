import type { ObjectItem } from '@stowage/contract'
import { NO_OBJECT_DATE } from '@stowage/contract/objects/objects'
import type { S3Stream } from '../../../lib/storage/s3-stream.ts'
import { childOf, childrenOf, parseStorageXml, type XmlNode, xmlText } from '../../../lib/xml/storage-xml.ts'
import { mergeByName } from './merge-by-name.ts'

export interface ListingQuery {
  prefix: string
  /** All keys below the prefix instead of one level. */
  recursive: boolean
  versions: boolean
  /** Uses the extension of MinIO that lists user metadata and tags too. */
  metadata: boolean
  /** At most 1,000, which is also the limit of servers. */
  limit: number
  /** `next` of the previous page. */
  continuation?: string | undefined
  startAfter?: string | undefined
}

export interface ListingPage {
  /** Objects and folders together, in the order of their names' bytes. */
  items: ObjectItem[]
  /** Opaque; absent on the last page. */
  next?: string
  /** Whether entries with metadata also contain their tags. MinIO of 2021 lists metadata only. */
  listsTags: boolean
}

/**
 * Returns one page of a bucket's listing.
 * @throws UpstreamError NoSuchBucket, AccessDenied
 */
export async function readListingPage(s3Stream: S3Stream, bucket: string, query: ListingQuery): Promise<ListingPage> {
  const xml = await s3Stream.text({ method: 'GET', bucket, query: listingParameters(query) })
  const { node: root } = parseStorageXml(xml)
  const decode = xmlText(root, 'EncodingType') === 'url' ? decodeListedKey : (text: string) => text
  const objects = query.versions
    ? parseVersions(xml, root, decode)
    : childrenOf(root, 'Contents').map((node) => parseObject(node, decode))
  const folders = childrenOf(root, 'CommonPrefixes').map((node) => parseFolder(node, decode))
  const items = mergeByName(objects, folders)
  const next = xmlText(root, 'IsTruncated') === 'true' ? nextToken(root, query.versions, decode) : undefined
  // Servers that list tags also list the shards of each object. In text, `<` is escaped, so this is an element.
  const listsTags = xml.includes('<Internal>')
  return next === undefined ? { items, listsTags } : { items, next, listsTags }
}

function listingParameters(query: ListingQuery): Record<string, string | undefined> {
  const common = {
    prefix: query.prefix,
    delimiter: query.recursive ? undefined : '/',
    'max-keys': String(query.limit),
    'encoding-type': 'url',
    metadata: query.metadata ? 'true' : undefined,
  }
  if (!query.versions)
    return {
      ...common,
      'list-type': '2',
      'continuation-token': query.continuation,
      'start-after': query.continuation === undefined ? query.startAfter : undefined,
    }
  const [key, version] = query.continuation ? readMarker(query.continuation) : [query.startAfter]
  return { ...common, versions: '', 'key-marker': key, 'version-id-marker': version }
}

function nextToken(root: XmlNode | undefined, versions: boolean, decode: DecodeKey): string | undefined {
  if (!versions) return xmlText(root, 'NextContinuationToken') || undefined
  const key = decode(xmlText(root, 'NextKeyMarker'))
  return key ? writeMarker(key, xmlText(root, 'NextVersionIdMarker') || undefined) : undefined
}

/** Encodes the two markers from which listings of versions continue as one text. */
function writeMarker(key: string, version: string | undefined): string {
  return Buffer.from(JSON.stringify([key, version])).toString('base64url')
}

function readMarker(text: string): [key?: string, version?: string | undefined] {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    if (Array.isArray(value)) return [String(value[0] ?? ''), value[1] == null ? undefined : String(value[1])]
  } catch {
    // Not a token of the console: list from the start, as servers do for an unknown token.
  }
  return []
}

type DecodeKey = (text: string) => string

/** Decodes `encoding-type=url`, in which a space is `+`. */
export function decodeListedKey(text: string): string {
  if (!/[%+]/.test(text)) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    // Not valid UTF-8: show the encoded name that the server sent.
    return text
  }
}

/** Returns versions and delete markers in document order. The parser groups elements by name and so loses their order. */
function parseVersions(xml: string, root: XmlNode | undefined, decode: DecodeKey): ObjectItem[] {
  const versions = childrenOf(root, 'Version').values()
  const markers = childrenOf(root, 'DeleteMarker').values()
  const items: ObjectItem[] = []
  // In text, `<` is escaped, so these matches are elements.
  for (const [, name] of xml.matchAll(/<(Version|DeleteMarker)[\s>]/g)) {
    const deleted = name === 'DeleteMarker'
    const { value: node } = (deleted ? markers : versions).next()
    if (node !== undefined) items.push(parseVersion(node, decode, deleted))
  }
  return items
}

function parseFolder(node: XmlNode, decode: DecodeKey): ObjectItem {
  return { name: decode(xmlText(node, 'Prefix')), size: 0, last_modified: NO_OBJECT_DATE }
}

function parseObject(node: XmlNode, decode: DecodeKey): ObjectItem {
  const metadata = childOf(node, 'UserMetadata')
  const tags = xmlText(node, 'UserTags')
  const storageClass = xmlText(node, 'StorageClass')
  return {
    name: decode(xmlText(node, 'Key')),
    size: Number(xmlText(node, 'Size')),
    last_modified: xmlText(node, 'LastModified'),
    etag: xmlText(node, 'ETag').replaceAll('"', ''),
    ...(storageClass ? { storage_class: storageClass } : {}),
    ...(typeof metadata === 'object' ? { user_metadata: parseMetadata(metadata) } : {}),
    ...(tags ? { user_tags: Object.fromEntries(new URLSearchParams(tags)) } : {}),
  }
}

function parseVersion(node: XmlNode, decode: DecodeKey, deleted: boolean): ObjectItem {
  return {
    ...parseObject(node, decode),
    version_id: xmlText(node, 'VersionId'),
    is_latest: xmlText(node, 'IsLatest') === 'true',
    is_delete_marker: deleted,
  }
}

function parseMetadata(node: XmlNode): Record<string, string> {
  return Object.fromEntries(
    Object.entries(node).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}
