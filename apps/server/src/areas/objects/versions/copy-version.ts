import { GiB } from '@stowage/contract'
import { METADATA_HEADERS } from '@stowage/contract/objects/object-details'
import { encodePath } from '@stowage/sigv4'
import pMap from 'p-map'
import type { SessionContext } from '../../../lib/http/serve.ts'
import { xmlText } from '../../../lib/xml/storage-xml.ts'
import { type ObjectVersionReference, readObjectTags, versionParameters } from '../details/object-details.ts'
import { readHeader, type S3ResponseHeaders, USER_METADATA } from '../details/object-headers.ts'
import { abortUpload } from '../uploads/multipart-upload.ts'
import { type NewVersionLock, newLockHeaders } from './version-lock.ts'

export type CopyClients = Pick<SessionContext, 's3' | 's3Stream' | 'detached'>

export interface CopyTarget {
  bucket: string
  key: string
  /** Whether an existing object of this name may be replaced. */
  overwrite: boolean
  /** Replaces the source's content type, headers and metadata. */
  described?: DescriptionHeaders | undefined
  /** Instead of the source's tags. */
  tags?: Record<string, string> | undefined
  /** Of the copy; a lock is never copied from the source. */
  lock?: NewVersionLock | undefined
}

/** Content type, standard headers and metadata of an object, as headers of the request that writes it. */
export type DescriptionHeaders = Readonly<Record<string, string>>

/** The result of a copy. */
export interface CopyResult {
  etag: string
  versionId?: string | undefined
  /** Bytes. */
  size: number
}

/** Sizes in bytes. */
export interface CopySizes {
  /** Larger objects are copied in parts. */
  singleMax: number
  /** Size of a part; larger if the object would have more than 10,000 parts. */
  part: number
}

/** Servers like AWS refuse to copy more than this in one request (bytes). */
export const MAX_SINGLE_COPY = 5 * GiB
const SIZES: CopySizes = { singleMax: MAX_SINGLE_COPY, part: GiB / 2 }
const MAX_PARTS = 10_000
const PART_CONCURRENCY = 4
/** Timeout: a server copies all bytes before it answers. */
const COPY_MS = 1_800_000

/**
 * Copies one version with its metadata and tags, within the server.
 * @param options.head headers of the source, if already read; the copy fails if the source's ETag has changed since
 * @param options.sizes replaced in tests, so that they need no object of 5 GiB
 * @throws UpstreamError AccessDenied, NoSuchKey, PreconditionFailed (the source changed, or the target exists)
 */
export async function copyVersion(
  clients: CopyClients,
  source: ObjectVersionReference,
  target: CopyTarget,
  options: { head?: S3ResponseHeaders; sizes?: CopySizes } = {},
): Promise<CopyResult> {
  const head = options.head ?? (await clients.s3Stream.headers({ method: 'HEAD', ...versionParameters(source) }))
  const size = Number(readHeader(head, 'content-length'))
  const { singleMax, part } = options.sizes ?? SIZES
  const job: CopyJob = { clients, source, target, head, size }
  return size <= singleMax ? await copyWhole(job) : await copyInParts(job, part)
}

interface CopyJob {
  clients: CopyClients
  source: ObjectVersionReference
  target: CopyTarget
  head: S3ResponseHeaders
  size: number
}

async function copyWhole({ clients, source, target, head, size }: CopyJob): Promise<CopyResult> {
  const { bucket, key, overwrite } = target
  const { headers, node } = await clients.s3Stream.result({
    method: 'PUT',
    bucket,
    key,
    headers: {
      'x-amz-copy-source': copySourceHeader(source),
      'x-amz-copy-source-if-match': readHeader(head, 'etag') || undefined,
      ...keptSettings(head),
      ...(target.described ? { 'x-amz-metadata-directive': 'REPLACE', ...target.described } : {}),
      ...(target.tags ? { 'x-amz-tagging-directive': 'REPLACE', 'x-amz-tagging': tagHeader(target.tags) } : {}),
      ...newLockHeaders(target.lock),
      'if-none-match': overwrite ? undefined : '*',
    },
    headersTimeout: COPY_MS,
  })
  return {
    etag: unquoteEtag(xmlText(node, 'ETag')),
    versionId: readHeader(headers, 'x-amz-version-id') || undefined,
    size,
  }
}

async function copyInParts({ clients, source, target, head, size }: CopyJob, partSize: number): Promise<CopyResult> {
  const { s3, s3Stream } = clients
  const { bucket, key } = target
  const { node } = await s3Stream.result({
    method: 'POST',
    bucket,
    key,
    query: { uploads: '' },
    headers: {
      ...keptSettings(head),
      ...(target.described ?? storedDescription(head)),
      'x-amz-tagging': tagHeader(target.tags ?? (await readObjectTags(s3Stream, source))) || undefined,
      ...newLockHeaders(target.lock),
    },
  })
  const UploadId = xmlText(node, 'UploadId')
  if (!UploadId) throw new TypeError('CreateMultipartUpload answered without an upload ID')
  const upload = { Bucket: bucket, Key: key, UploadId }
  try {
    const ranges = partRanges(size, partSize)
    const copyPart = async ([first, last]: [number, number], index: number) => {
      const { CopyPartResult } = await s3.uploadPartCopy(
        {
          ...upload,
          PartNumber: index + 1,
          CopySource: copySourceHeader(source),
          CopySourceRange: `bytes=${first}-${last}`,
          CopySourceIfMatch: readHeader(head, 'etag'),
        },
        { requestTimeout: COPY_MS },
      )
      return { PartNumber: index + 1, ETag: CopyPartResult?.ETag ?? '' }
    }
    const parts = await pMap(ranges, copyPart, { concurrency: PART_CONCURRENCY })
    const { ETag, VersionId } = await s3.completeMultipartUpload(
      { ...upload, MultipartUpload: { Parts: parts }, ...(target.overwrite ? {} : { IfNoneMatch: '*' }) },
      { requestTimeout: COPY_MS },
    )
    return { etag: unquoteEtag(ETag), versionId: VersionId, size }
  } catch (error) {
    // Parts that cannot be deleted now will be deleted by the server's clean-up of stale uploads.
    await abortUpload(clients.detached().s3, { bucket, key, uploadId: UploadId }).catch(() => {})
    throw error
  }
}

/** Returns tags as the text of a header. */
export const tagHeader = (tags: Record<string, string>) => new URLSearchParams(tags).toString()

function partRanges(size: number, partSize: number): [first: number, last: number][] {
  const part = Math.max(partSize, Math.ceil(size / MAX_PARTS))
  return Array.from({ length: Math.ceil(size / part) }, (_, i) => [i * part, Math.min((i + 1) * part, size) - 1])
}

function copySourceHeader({ bucket, key, versionId }: ObjectVersionReference): string {
  const path = encodePath(`${bucket}/${key}`)
  return versionId ? `${path}?versionId=${encodeURIComponent(versionId)}` : path
}

/** Returns settings that a copy would lose, because they are set by the request and are not metadata, as headers. */
export function keptSettings(head: S3ResponseHeaders): Record<string, string | undefined> {
  const encryption = readHeader(head, ENCRYPTION)
  return {
    'x-amz-storage-class': readHeader(head, 'x-amz-storage-class') || undefined,
    [ENCRYPTION]: encryption || undefined,
    [KMS_KEY]: (encryption === 'aws:kms' && readHeader(head, KMS_KEY)) || undefined,
    [WEBSITE_REDIRECT]: readHeader(head, WEBSITE_REDIRECT) || undefined,
  }
}

const ENCRYPTION = 'x-amz-server-side-encryption'
const WEBSITE_REDIRECT = 'x-amz-website-redirect-location'
const KMS_KEY = 'x-amz-server-side-encryption-aws-kms-key-id'

/** Returns content type, standard headers and user metadata of a HEAD answer. */
export function storedDescription(head: S3ResponseHeaders): DescriptionHeaders {
  const metadata = Object.keys(head).filter((name) => name.startsWith(USER_METADATA))
  return descriptionHeaders(
    (name) => readHeader(head, name),
    Object.fromEntries(metadata.map((name) => [name.slice(USER_METADATA.length), readHeader(head, name)])),
  )
}

const STANDARD = ['content-type', ...METADATA_HEADERS] as const

/** @param header returns the text of a standard header; empty for none */
export function descriptionHeaders(
  header: (name: string) => string,
  metadata: Record<string, string>,
): DescriptionHeaders {
  return Object.fromEntries([
    ...STANDARD.map((name) => [name, header(name)] as const).filter(([, text]) => text !== ''),
    ...Object.entries(metadata).map(([name, text]) => [USER_METADATA + name, text] as const),
  ])
}

const unquoteEtag = (etag: string | undefined) => (etag ?? '').replaceAll('"', '')
