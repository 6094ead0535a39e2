import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Engine, ObjectHandle, ObjectInfo, ReplicationTask } from '../engine/interface/types.ts'
import { S3Error } from '../lib/errors.ts'
import { parseXml, s3Document, xmlChild, xmlChildText, xmlTag } from '../lib/xml.ts'
import type { BandwidthLimit } from './bandwidth-limit.ts'
import { type RemoteBucket, RemoteError } from './remote-bucket.ts'
import type { StoredRemoteTarget } from './remote-target-store.ts'

/** The version cannot be sent to any target. */
export class UnsendableVersion extends Error {
  override readonly name = 'UnsendableVersion'
}

export interface SendVersionOptions {
  engine: Engine
  remote: RemoteBucket
  target: StoredRemoteTarget
  bandwidthLimit: BandwidthLimit
  signal: AbortSignal
  /** The target may have the version already. */
  mayExist: boolean
}

const REPLICA_HEADERS = { 'x-amz-replication-status': 'REPLICA', 'x-minio-source-replication-request': 'true' }
const MD5 = /^[0-9a-f]{32}$/

/** Replicates a version's current state to a target. @throws UnsendableVersion, RemoteError, or the signal's reason */
export async function sendChange(change: ReplicationTask, options: SendVersionOptions): Promise<void> {
  if (change.kind === 'version') return sendVersion(change, options)
  const { engine, remote, target, signal } = options
  const { key, versionId, kind } = change
  const marker = kind === 'marker' ? engine.getDeleteMarker(target.sourceBucket, key, versionId) : undefined
  // The version was deleted, which is a separate change.
  if (kind === 'marker' && !marker) return
  await remote.send({
    method: 'DELETE',
    key,
    query: [['versionId', versionId]],
    headers: {
      ...REPLICA_HEADERS,
      ...(marker && {
        'x-minio-source-deletemarker': 'true',
        'x-minio-source-mtime': new Date(marker.lastModified).toISOString(),
      }),
    },
    signal,
  })
}

async function sendVersion(change: ReplicationTask, options: SendVersionOptions): Promise<void> {
  const handle = openVersion(change, options)
  if (!handle) return
  const { info } = handle
  checkEncryption(info, options.target)
  if (options.mayExist && (await existsOnTarget(info, options))) {
    await sendMetadata(info, options)
    return
  }
  const isWhole = info.parts === undefined
  await (isWhole ? sendInOneRequest(handle, options) : sendInParts(handle, info.parts ?? [], options))
}

function openVersion(
  { key, versionId }: ReplicationTask,
  { engine, target }: SendVersionOptions,
): ObjectHandle | undefined {
  try {
    return engine.getObject(target.sourceBucket, key, versionId)
  } catch (error) {
    if (error instanceof S3Error && ['NoSuchKey', 'NoSuchVersion', 'NoSuchBucket'].includes(error.code))
      return undefined
    throw error
  }
}

function checkEncryption({ encryption }: ObjectInfo, { secure }: StoredRemoteTarget): void {
  if (!encryption) return
  if (encryption.mode === 'SSE-C') {
    throw new UnsendableVersion('The object is encrypted with a key of a customer, which the store does not keep.')
  }
  if (!secure)
    throw new UnsendableVersion('Encrypted objects are sent over TLS only, and the target is not reached by TLS.')
}

async function existsOnTarget(info: ObjectInfo, { remote, signal }: SendVersionOptions): Promise<boolean> {
  try {
    const { headers } = await remote.send({
      method: 'HEAD',
      key: info.key,
      query: [['versionId', info.versionId]],
      headers: { 'x-minio-source-proxy-request': 'false' },
      signal,
    })
    const etag = headers.etag?.replaceAll('"', '')
    return (info.encryption !== undefined || etag === info.etag) && Number(headers['content-length']) === info.size
  } catch (error) {
    if (error instanceof RemoteError && (error.status === 404 || error.status === 405)) return false
    throw error
  }
}

/** Returns the headers of a version. Retention that has ended is left out, because servers refuse it. */
export function replicaHeaders(
  info: ObjectInfo,
  { storageClass }: Pick<StoredRemoteTarget, 'storageClass'>,
): Record<string, string> {
  const { metadata, tags, lock, lastModified, replication } = info
  const { 'x-amz-storage-class': ownClass, ...headers } = info.headers
  // The storage class of a version on a tier is the tier's name, which the target does not know.
  const sentClass = storageClass || (info.tier ? undefined : ownClass)
  const times = replication?.times ?? {}
  const stamp = (ms: number | undefined) => new Date(ms ?? lastModified).toISOString()
  const retention = lock?.retention && lock.retention.until > Date.now() ? lock.retention : undefined
  const hasTags = Object.keys(tags).length > 0
  return {
    ...headers,
    ...(sentClass && { 'x-amz-storage-class': sentClass }),
    ...Object.fromEntries(Object.entries(metadata).map(([name, value]) => [`x-amz-meta-${name}`, value])),
    ...(hasTags && { 'x-amz-tagging': new URLSearchParams(tags).toString() }),
    ...((hasTags || times.tags !== undefined) && {
      'x-minio-source-replication-tagging-timestamp': stamp(times.tags),
    }),
    ...(retention && {
      'x-amz-object-lock-mode': retention.mode,
      'x-amz-object-lock-retain-until-date': new Date(retention.until).toISOString(),
      'x-minio-source-replication-retention-timestamp': stamp(times.retention),
    }),
    ...(lock?.legalHold && {
      'x-amz-object-lock-legal-hold': lock.legalHold,
      'x-minio-source-replication-legalhold-timestamp': stamp(times.legalHold),
    }),
    ...(info.encryption && { 'x-amz-server-side-encryption': 'AES256' }),
    ...REPLICA_HEADERS,
    'x-minio-source-mtime': new Date(lastModified).toISOString(),
    'x-minio-source-etag': info.etag,
  }
}

async function sendMetadata(info: ObjectInfo, { remote, target, signal }: SendVersionOptions): Promise<void> {
  const { key, versionId } = info
  const source = `/${target.targetBucket}/${key}`
  await remote.send({
    method: 'PUT',
    key,
    query: [['versionId', versionId]],
    headers: {
      ...replicaHeaders(info, target),
      'x-amz-copy-source': `${source.split('/').map(encodeURIComponent).join('/')}?versionId=${versionId}`,
      'x-amz-metadata-directive': 'REPLACE',
      'x-amz-tagging-directive': 'REPLACE',
    },
    signal,
  })
}

async function sendInOneRequest(
  handle: ObjectHandle,
  { remote, target, bandwidthLimit, signal }: SendVersionOptions,
): Promise<void> {
  const { info } = handle
  const digest = info.encryption === undefined && MD5.test(info.etag) ? info.etag : undefined
  await remote.send({
    method: 'PUT',
    key: info.key,
    query: [['versionId', info.versionId]],
    headers: {
      ...replicaHeaders(info, target),
      ...(digest && { 'content-md5': Buffer.from(digest, 'hex').toString('base64') }),
    },
    body: limitedBody(handle, undefined, bandwidthLimit, signal),
    size: info.size,
    signal,
  })
}

/** Sends the version part by part, so that the ETag and the part numbers are the same. */
async function sendInParts(
  handle: ObjectHandle,
  parts: NonNullable<ObjectInfo['parts']>,
  { remote, target, bandwidthLimit, signal }: SendVersionOptions,
): Promise<void> {
  const { info } = handle
  const { key, versionId } = info
  const headers = replicaHeaders(info, target)
  const begun = await remote.send({
    method: 'POST',
    key,
    query: [
      ['uploads', ''],
      ['versionId', versionId],
    ],
    headers,
    signal,
  })
  const uploadId = xmlChildText(parseXml(begun.text, 'InitiateMultipartUploadResult'), 'UploadId') ?? ''
  try {
    const sent: string[] = []
    let start = 0
    for (const [i, { size }] of parts.entries()) {
      const range = { start, end: start + size - 1 }
      start += size
      const answer = await remote.send({
        method: 'PUT',
        key,
        query: [
          ['partNumber', String(i + 1)],
          ['uploadId', uploadId],
        ],
        headers: { 'x-minio-source-replication-request': 'true' },
        body: size === 0 ? Buffer.alloc(0) : limitedBody(handle, range, bandwidthLimit, signal),
        size,
        signal,
      })
      sent.push(`<Part>${xmlTag('PartNumber', i + 1)}${xmlTag('ETag', answer.headers.etag ?? '')}</Part>`)
    }
    const body = Buffer.from(s3Document('CompleteMultipartUpload', sent.join('')))
    const completed = await remote.send({
      method: 'POST',
      key,
      query: [['uploadId', uploadId]],
      headers: {
        'content-md5': createHash('md5').update(body).digest('base64'),
        'x-minio-source-replication-request': 'true',
        'x-minio-source-mtime': new Date(info.lastModified).toISOString(),
        'x-minio-source-etag': info.etag,
      },
      body,
      signal,
    })
    checkCompleted(completed.text)
  } catch (error) {
    if (!signal.aborted) {
      // Report the first error; the other store deletes unfinished uploads itself.
      await remote.send({ method: 'DELETE', key, query: [['uploadId', uploadId]], signal }).catch(() => undefined)
    }
    throw error
  }
}

/** Checks the body of a completion, which may fail after its status was sent. */
function checkCompleted(text: string): void {
  const root = parseXml(text, 'CompleteMultipartUploadResult', 'Error')
  const code = xmlChild(root, 'ETag') === undefined ? xmlChildText(root, 'Code') : undefined
  if (code !== undefined) throw new RemoteError(code, xmlChildText(root, 'Message') ?? code, 400)
}

function limitedBody(
  handle: ObjectHandle,
  range: { start: number; end: number } | undefined,
  pace: BandwidthLimit,
  signal: AbortSignal,
): Readable | Buffer {
  if (handle.info.size === 0) return Buffer.alloc(0)
  return Readable.from(limitBandwidth(handle.read(range), pace, signal), { objectMode: false })
}

/** Copies chunks, because their memory is reused for the next one and a socket may hold several. */
async function* limitBandwidth(
  chunks: AsyncGenerator<Buffer, void, void>,
  pace: BandwidthLimit,
  signal: AbortSignal,
): AsyncGenerator<Buffer, void, void> {
  for await (const chunk of chunks) {
    await pace.acquire(chunk.length, signal)
    yield Buffer.from(chunk)
  }
}
