import { S3_OPERATIONS } from '@stowage/iam-policy'
import { S3Error } from '../../../lib/errors.ts'
import { isActionNotDenied, requestedResource, requireAction, versionedAction } from '../../auth/authorize.ts'
import type { ResponseHeaders, StoreCall } from '../../call/call.ts'
import type { S3Operation } from '../../call/s3-operation.ts'
import { requestedVersion } from '../../call/version-id.ts'
import { governanceBypass } from '../headers/object-lock-calls.ts'
import { unsupportedCondition, writeCondition } from '../headers/preconditions.ts'
import { isReplica, requestedReplicaDelete } from '../headers/replica-headers.ts'
import { forceDeletePrefix, isForceDelete } from './force-delete.ts'

export const deleteObject: S3Operation = {
  name: 'DeleteObject',
  method: 'DELETE',
  level: 'object',
  async handle(call) {
    requireDeletion(call)
    if (isForceDelete(call)) {
      await forceDeletePrefix(call)
      call.empty(204)
      return
    }
    refuseUnknownConditions(call)
    const versionId = requestedVersion(call)
    const condition = writeCondition(call)
    const replica = requestedReplicaDelete(call)
    const result = await call.engine.deleteObject(call.bucket, call.key, {
      ...(versionId === undefined ? {} : { versionId }),
      bypassGovernance: governanceBypass(call),
      replica,
      ...(condition ? { condition } : {}),
    })
    const headers: ResponseHeaders = {}
    if (result.versionId !== undefined) headers['x-amz-version-id'] = result.versionId
    if (result.deleteMarker) headers['x-amz-delete-marker'] = 'true'
    call.empty(204, headers)
  },
}

/** @throws S3Error AccessDenied */
function requireDeletion(call: StoreCall): void {
  const { action, version } = S3_OPERATIONS.DeleteObject
  const resource = requestedResource(call)
  const isReplicated = isReplica(call)
  requireAction(call, isReplicated ? action : versionedAction({ action, version }, resource), resource)
  if (isReplicated && resource.versionId && !isActionNotDenied(call, version, resource))
    throw new S3Error('AccessDenied', 'Access Denied.')
}

const UNKNOWN_CONDITIONS = ['x-amz-if-match-last-modified-time', 'x-amz-if-match-size']

/** @throws S3Error NotImplemented */
function refuseUnknownConditions(call: StoreCall): void {
  const name = UNKNOWN_CONDITIONS.find((header) => call.header(header) !== undefined)
  if (name !== undefined) throw unsupportedCondition(name)
}
