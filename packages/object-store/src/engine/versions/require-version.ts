import { deleteMarkerError, noSuchKey, noSuchVersion } from '../records/engine-errors.ts'
import type { VersionRecord } from '../records/index-records.ts'
import type { VersionChain } from './version-chain.ts'

/** Returns the latest version or the one with this ID. @throws S3Error NoSuchKey, NoSuchVersion, MethodNotAllowed (a marker) */
export function requireVersion(chain: VersionChain, key: string, versionId: string | undefined): VersionRecord {
  const record = versionId === undefined ? chain.latest : chain.find(versionId)
  if (!record) throw versionId === undefined ? noSuchKey(key) : noSuchVersion(key, versionId)
  if (record.marker) throw deleteMarkerError(key, record, versionId)
  return record
}
