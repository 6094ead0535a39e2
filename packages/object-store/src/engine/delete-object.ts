import { randomUUID } from 'node:crypto'
import { S3Error } from '../errors.ts'
import { versioningOf } from './bucket-table.ts'
import type { Core } from './core.ts'
import { bucketIn, checkCondition, noteOf } from './enter-version.ts'
import { keyBytes } from './failures.ts'
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
  const result = await core.committer.commit((tx) => deleteIn(core, tx, bucket, key, options))
  return result
}

export async function deleteObjects(
  core: Core,
  bucket: string,
  entries: DeleteEntry[],
): Promise<(DeleteResult | Error)[]> {
  core.buckets.require(bucket)
  const results = await core.committer.commit((tx) =>
    entries.map(({ key, ...options }) => {
      try {
        return deleteIn(core, tx, bucket, key, options)
      } catch (error) {
        // One key's condition or name: the others go on. It threw before it had changed anything.
        if (error instanceof S3Error && error.code !== 'NoSuchBucket') return error
        throw error
      }
    }),
  )
  return results
}

function deleteIn(core: Core, tx: Transaction, bucket: string, key: string, options: DeleteOptions): DeleteResult {
  const record = bucketIn(tx, bucket)
  const bytes = keyBytes(key)
  const chain = new VersionChain(tx, record.number, bytes)
  const { versionId } = options
  const target = versionId === undefined ? chain.latest : chain.find(versionId)
  checkCondition(options.condition, target, key)
  const versioning = versioningOf(record)
  if (versionId !== undefined || versioning === undefined) {
    const removed = chain.remove(versionId ?? 'null')
    if (removed) tx.note(noteOf('object-delete', bucket, key, removed))
    const shown = versioning === undefined && versionId === undefined ? undefined : versionId
    return { key, ...(shown !== undefined && { versionId: shown }), deleteMarker: removed?.marker ?? false }
  }
  const markerId = versioning === 'Enabled' ? randomUUID() : 'null'
  if (markerId === 'null') chain.remove('null')
  const marker = chain.push({
    id: tx.id(),
    versionId: markerId,
    marker: true,
    size: 0,
    etag: '',
    lastModified: core.now(),
    headers: {},
    metadata: {},
    tags: {},
    checksum: undefined,
    body: { kind: 'empty' },
  })
  tx.note(noteOf('marker-put', bucket, key, marker))
  return { key, versionId: markerId, deleteMarker: true }
}
