import type { ObjectVersionName } from '../../engine/interface/types.ts'
import { S3Error } from '../../lib/errors.ts'
import type { StoreCall } from './call.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Returns the version ID in the query of a request. @throws S3Error InvalidArgument */
export function requestedVersion(call: StoreCall): string | undefined {
  return call.query.size === 0 ? undefined : parseVersionId(call.query.get('versionId') ?? undefined)
}

/** Returns the object or version in a request. @throws S3Error InvalidArgument */
export function requestedObject(call: StoreCall): ObjectVersionName {
  return { bucket: call.bucket, key: call.key, versionId: requestedVersion(call) }
}

/** Checks a version ID. An empty one counts as missing. @throws S3Error InvalidArgument for a text that is not a version ID */
export function parseVersionId(versionId: string | undefined): string | undefined {
  if (versionId === undefined || versionId === '') return undefined
  if (versionId === 'null' || UUID.test(versionId)) return versionId
  throw new S3Error('InvalidArgument', 'Invalid version id specified')
}
