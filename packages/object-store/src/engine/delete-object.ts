import { randomUUID } from 'node:crypto'
import { S3Error } from '../errors.ts'
import type { Core } from './core.ts'
import { bucketIn, checkCondition, noteOf, timeOfNew } from './enter-version.ts'
import { checkVersionId, keyBytes } from './failures.ts'
import type { VersionRecord } from './records.ts'
import { checkReplicaTime, enqueue, enqueueRemoval } from './replication.ts'
import type { Transaction } from './transaction.ts'
import type { DeleteEntry, DeleteOptions, DeleteResult } from './types.ts'
import { VersionChain } from './versions.ts'

export async function deleteObject(
  core: Core,
  bucket: string,
  key: string,
  options: DeleteOptions = {},
): Promise<DeleteResult> {
  core.buckets.require(bucket)
  const result = await core.commit((tx) => deleteIn(core, tx, bucket, key, options))
  return result
}

export async function deleteObjects(
  core: Core,
  bucket: string,
  entries: DeleteEntry[],
): Promise<(DeleteResult | Error)[]> {
  core.buckets.require(bucket)
  const results = await core.commit((tx) =>
    entries.map(({ key, ...options }) => {
      try {
        return deleteIn(core, tx, bucket, key, options)
      } catch (error) {
        // The error concerns this key only, and nothing was changed: continue with the others.
        if (error instanceof S3Error && error.code !== 'NoSuchBucket') return error
        throw error
      }
    }),
  )
  return results
}

/** Deletes one key inside a transaction. */
export function deleteIn(
  core: Core,
  tx: Transaction,
  bucket: string,
  key: string,
  options: DeleteOptions,
): DeleteResult {
  const record = bucketIn(core, tx, bucket)
  const bytes = keyBytes(key)
  const chain = new VersionChain(core, tx, record.number, bytes)
  const { versionId, replica } = options
  if (replica?.marker) return enterMarker(core, tx, { bucket, key, chain }, versionId ?? randomUUID(), replica.marker)
  const target = versionId === undefined ? chain.latest : chain.find(versionId)
  checkCondition(options.condition, target, key)
  const versioning = record.versioningOf(key)
  if (versionId !== undefined || versioning === undefined) {
    const removed = chain.remove(versionId ?? 'null', replica ? undefined : options.bypassGovernance)
    if (removed) tx.note(noteOf('object-delete', bucket, key, removed))
    if (removed && !replica) enqueueRemoval(core, tx, record, key, removed)
    const shown = versioning === undefined && versionId === undefined ? undefined : versionId
    return { key, ...(shown !== undefined && { versionId: shown }), deleteMarker: removed?.marker ?? false }
  }
  const markerId = versioning === 'Enabled' ? randomUUID() : 'null'
  if (markerId === 'null') chain.remove('null')
  const lastModified = timeOfNew(core, chain.latest)
  const sent = { versionId: markerId, tags: {}, marker: true, size: 0, replication: undefined }
  const replication = enqueue(core, tx, record, key, sent, 'marker')
  const marker = chain.push(newMarker(tx, { versionId: markerId, lastModified, replication }))
  tx.note(noteOf('marker-put', bucket, key, marker))
  return { key, versionId: markerId, deleteMarker: true }
}

/** Enters a delete marker of another store, which may be older than local versions. */
function enterMarker(
  core: Core,
  tx: Transaction,
  { bucket, key, chain }: { bucket: string; key: string; chain: VersionChain },
  versionId: string,
  { lastModified }: { lastModified: number },
): DeleteResult {
  checkVersionId(versionId)
  checkReplicaTime(lastModified, core.now())
  const known = chain.find(versionId)
  if (known && !known.marker && versionId !== 'null') {
    throw new S3Error('InvalidRequest', 'The version exists and is no delete marker.')
  }
  const isNewer = known?.marker === false && known.lastModified < lastModified
  if (isNewer) chain.remove('null')
  if (!known || isNewer) {
    const replication = { replica: true, times: {}, targets: {} }
    const marker = chain.insert(newMarker(tx, { versionId, lastModified, replication }))
    tx.note(noteOf('marker-put', bucket, key, marker))
  }
  return { key, versionId, deleteMarker: true }
}

function newMarker(
  tx: Transaction,
  marker: Pick<VersionRecord, 'versionId' | 'lastModified' | 'replication'>,
): Omit<VersionRecord, 'versions' | 'older'> {
  return {
    ...marker,
    id: tx.id(),
    marker: true,
    size: 0,
    etag: '',
    headers: {},
    metadata: {},
    tags: {},
    lock: undefined,
    encryption: undefined,
    checksum: undefined,
    order: undefined,
    body: { kind: 'empty' },
  }
}
