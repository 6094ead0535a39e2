import type { Readable } from 'node:stream'
import { linkSegments } from './blob-references.ts'
import { INLINE_BYTES, receive } from './body.ts'
import { quotaOf } from './bucket-table.ts'
import type { Core } from './core.ts'
import { bucketIn, checkCondition, describeVersion, enterVersion, noteOf } from './enter-version.ts'
import { keyBytes, noSuchKey, noSuchVersion, quotaExceeded } from './failures.ts'
import { isInternal, markerError } from './get-object.ts'
import type { BucketRecord } from './records.ts'
import type { Checksum, ObjectHandle, ObjectInfo, PutOptions } from './types.ts'
import { type NewBody, readLatest, VersionChain } from './versions.ts'

export async function putObject(
  core: Core,
  bucket: string,
  key: string,
  body: Readable,
  options: PutOptions,
): Promise<ObjectInfo> {
  const record = core.buckets.require(bucket)
  const bytes = keyBytes(key)
  core.pool.checkRoom(options.size ?? 0)
  refuseEarly(core, record, bytes, options)
  const received = await receive(core, body, { size: options.size, inline: true })
  const { size, md5, data } = received
  let info: ObjectInfo
  try {
    const checksum = await options.check?.({ size, md5 })
    info = await core.committer.commit((tx) => {
      const segments = received.enter(tx)
      return enterVersion(core, tx, bucket, key, {
        size,
        etag: md5,
        headers: options.headers,
        metadata: options.metadata,
        tags: options.tags,
        checksum,
        body: data ? { kind: 'inline', data } : { kind: 'segments', segments, parts: undefined },
        condition: options.condition,
        versionId: options.versionId,
        lastModified: options.lastModified,
        type: 'object-put',
      })
    })
  } catch (error) {
    await received.discard()
    throw error
  }
  received.settle()
  return info
}

/** Refuses before the body is read what the commit would refuse anyway, as far as that is known. */
function refuseEarly(core: Core, bucket: BucketRecord, key: Buffer, options: PutOptions): void {
  const quota = quotaOf(bucket)
  if (!options.condition && (quota === undefined || options.size === undefined)) return
  const latest = readLatest(core.index, bucket.number, key)
  checkCondition(options.condition, latest, key.toString())
  if (quota !== undefined && options.size !== undefined && options.size > quota) throw quotaExceeded()
}

export async function copyObject(
  core: Core,
  source: ObjectHandle,
  bucket: string,
  key: string,
  options: Omit<PutOptions, 'size'>,
): Promise<ObjectInfo> {
  if (!isInternal(source)) throw new TypeError('the source is not a handle of this engine')
  core.buckets.require(bucket)
  const { size, etag } = source.info
  core.pool.checkRoom(size <= INLINE_BYTES ? size : 0)
  const checksum = (await options.check?.({ size, md5: etag })) ?? source.info.checksum
  const info = await core.committer.commit((tx) => {
    if (!linkSegments(tx, source.segments)) throw noSuchKey(source.info.key)
    const body: NewBody = source.data
      ? { kind: 'inline', data: source.data }
      : size === 0
        ? { kind: 'inline', data: Buffer.alloc(0) }
        : { kind: 'segments', segments: source.segments, parts: partsUnder(checksum, source.info) }
    return enterVersion(core, tx, bucket, key, {
      size,
      etag,
      headers: options.headers,
      metadata: options.metadata,
      tags: options.tags,
      checksum,
      body,
      condition: options.condition,
      versionId: options.versionId,
      lastModified: options.lastModified,
      type: 'object-copy',
    })
  })
  return info
}

/** The parts of a copy: their checksums are of the source's algorithm, which may not be the copy's. */
function partsUnder(checksum: Checksum | undefined, { parts, checksum: own }: ObjectInfo): ObjectInfo['parts'] {
  return checksum?.algorithm === own?.algorithm ? parts : parts?.map(({ size }) => ({ size }))
}

export async function setObjectTags(
  core: Core,
  bucket: string,
  key: string,
  versionId: string | undefined,
  tags: Record<string, string>,
): Promise<ObjectInfo> {
  core.buckets.require(bucket)
  return core.committer.commit((tx) => {
    const chain = new VersionChain(tx, bucketIn(tx, bucket).number, keyBytes(key))
    const record = versionId === undefined ? chain.latest : chain.find(versionId)
    if (!record) throw versionId === undefined ? noSuchKey(key) : noSuchVersion(key, versionId)
    if (record.marker) throw markerError(key, record, versionId)
    const tagged = { ...record, tags }
    chain.update(tagged)
    tx.note(noteOf('object-tags', bucket, key, tagged))
    return describeVersion(bucket, key, tagged, record.id === chain.latest?.id)
  })
}
