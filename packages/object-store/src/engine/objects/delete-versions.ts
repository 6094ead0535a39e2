import { randomUUID } from 'node:crypto'
import { S3Error } from '../../lib/errors.ts'
import { requireBucketInTransaction } from '../buckets/bucket-in-transaction.ts'
import type { Transaction } from '../commit/transaction.ts'
import type { EngineCore } from '../core/engine-core.ts'
import type { DeleteObjectEntry, DeleteObjectOptions, DeleteObjectResult } from '../interface/types.ts'
import { checkNewVersionId, keyBytes } from '../records/engine-errors.ts'
import type { VersionRecord } from '../records/index-records.ts'
import { checkReplicaTime, queueReplicatedDeletion, queueReplication } from '../replication/queue-replication.ts'
import { VersionChain } from '../versions/version-chain.ts'
import { checkWriteCondition, newVersionTime, versionChangeNote } from './enter-version.ts'

export async function deleteObject(
  core: EngineCore,
  bucket: string,
  key: string,
  options: DeleteObjectOptions = {},
): Promise<DeleteObjectResult> {
  core.buckets.require(bucket)
  const result = await core.commit((tx) => deleteInTransaction(core, tx, bucket, key, options))
  return result
}

export async function deleteObjects(
  core: EngineCore,
  bucket: string,
  entries: DeleteObjectEntry[],
): Promise<(DeleteObjectResult | Error)[]> {
  core.buckets.require(bucket)
  const results = await core.commit((tx) =>
    entries.map(({ key, ...options }) => {
      try {
        return deleteInTransaction(core, tx, bucket, key, options)
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
export function deleteInTransaction(
  core: EngineCore,
  tx: Transaction,
  bucket: string,
  key: string,
  options: DeleteObjectOptions,
): DeleteObjectResult {
  const record = requireBucketInTransaction(core, tx, bucket)
  const bytes = keyBytes(key)
  const chain = new VersionChain(core, tx, record.number, bytes)
  const { versionId, replica } = options
  if (replica?.marker)
    return enterReplicaMarker(core, tx, { bucket, key, chain }, versionId ?? randomUUID(), replica.marker)
  const target = versionId === undefined ? chain.latest : chain.find(versionId)
  checkWriteCondition(options.condition, target, key)
  const versioning = record.effectiveVersioning(key)
  if (versionId !== undefined || versioning === undefined) {
    const removed = chain.remove(versionId ?? 'null', replica ? undefined : options.bypassGovernance)
    if (removed) tx.note(versionChangeNote('object-delete', bucket, key, removed))
    if (removed && !replica) queueReplicatedDeletion(core, tx, record, key, removed)
    const shown = versioning === undefined && versionId === undefined ? undefined : versionId
    return { key, ...(shown !== undefined && { versionId: shown }), deleteMarker: removed?.marker ?? false }
  }
  const markerId = versioning === 'Enabled' ? randomUUID() : 'null'
  if (markerId === 'null') chain.remove('null')
  const lastModified = newVersionTime(core, chain.latest)
  const sent = { versionId: markerId, tags: {}, marker: true, size: 0, replication: undefined }
  const replication = queueReplication(core, tx, record, key, sent, 'marker')
  const marker = chain.push(newMarker(tx, { versionId: markerId, lastModified, replication }))
  tx.note(versionChangeNote('marker-put', bucket, key, marker))
  return { key, versionId: markerId, deleteMarker: true }
}

/** Enters a delete marker of another store, which may be older than local versions. */
function enterReplicaMarker(
  core: EngineCore,
  tx: Transaction,
  { bucket, key, chain }: { bucket: string; key: string; chain: VersionChain },
  versionId: string,
  { lastModified }: { lastModified: number },
): DeleteObjectResult {
  checkNewVersionId(versionId)
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
    tx.note(versionChangeNote('marker-put', bucket, key, marker))
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
