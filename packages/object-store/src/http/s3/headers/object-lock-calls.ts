import { S3_REQUEST_PARTS } from '@stowage/iam-policy'
import { objectLockCodec, parseRetentionMode } from '../../../bucket-settings/object-lock-codec.ts'
import type { GovernanceBypass, ObjectInfo, VersionLock, VersionRetention } from '../../../engine/interface/types.ts'
import { S3Error } from '../../../lib/errors.ts'
import { parseXml, s3Document, xmlChildText, xmlTag } from '../../../lib/xml.ts'
import { isActionAllowed, requestedResource, requirePart, requirePossibleAction } from '../../auth/authorize.ts'
import type { ActionResource } from '../../auth/request-conditions.ts'
import { readRequestBody } from '../../bodies/request-body.ts'
import type { ResponseHeaders, StoreCall } from '../../call/call.ts'
import type { S3Operation } from '../../call/s3-operation.ts'
import { requestedObject } from '../../call/version-id.ts'
import { settingOperations } from '../settings/setting-calls.ts'

/* Object lock: retention and legal hold of versions, and the default retention of a bucket. */

const MODE = 'x-amz-object-lock-mode'
const UNTIL = 'x-amz-object-lock-retain-until-date'
const HOLD = 'x-amz-object-lock-legal-hold'
const MAX_BODY_BYTES = 4096
const DAY_MS = 86_400_000
const ISO_8601 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/

/**
 * Returns the lock in the headers or form fields of a write.
 * @throws S3Error InvalidRequest, AccessDenied (no right to set retention or a hold)
 */
export function requestedLock(call: StoreCall): VersionLock | undefined {
  const [mode, until, hold] = [MODE, UNTIL, HOLD].map((name) => call.headerOrField(name) || undefined)
  if (mode === undefined && until === undefined && hold === undefined) return undefined
  const lock: VersionLock = {}
  if (mode !== undefined || until !== undefined) {
    if (mode === undefined || until === undefined) throw invalid(`${UNTIL} and ${MODE} must both be supplied`)
    lock.retention = readRetention(call, mode.toUpperCase(), until)
    requireRetention(call, lock.retention)
  }
  if (hold !== undefined) {
    lock.legalHold = readHold(hold.toUpperCase())
    requirePart(call, 'legal-hold', {
      ...requestedResource(call),
      values: { 's3:object-lock-legal-hold': lock.legalHold },
    })
  }
  return lock
}

/** Returns whether the caller may bypass governance; undefined if the request does not ask for it. */
export function governanceBypass(call: StoreCall, resource?: ActionResource): GovernanceBypass | undefined {
  if (call.header('x-amz-bypass-governance-retention')?.toLowerCase() !== 'true') return undefined
  return isActionAllowed(call, S3_REQUEST_PARTS['governance-bypass'].action, resource ?? requestedResource(call))
    ? 'allowed'
    : 'denied'
}

/** Returns the lock headers of GET and HEAD, if the caller may read the lock. */
export function lockHeaders(call: StoreCall, { lock }: ObjectInfo): ResponseHeaders {
  const headers: ResponseHeaders = {}
  if (!lock) return headers
  if (lock.retention && isActionAllowed(call, 's3:GetObjectRetention')) {
    headers[MODE] = lock.retention.mode
    headers[UNTIL] = new Date(lock.retention.until).toISOString()
  }
  if (lock.legalHold && isActionAllowed(call, 's3:GetObjectLegalHold')) headers[HOLD] = lock.legalHold
  return headers
}

export const objectLockOperations: S3Operation[] = [
  ...settingOperations({
    setting: 'object-lock',
    query: 'object-lock',
    get: {
      name: 'GetObjectLockConfiguration',
      absent: (call) =>
        call.engine.getBucket(call.bucket).objectLock
          ? objectLockCodec.write({})
          : new S3Error(
              'ObjectLockConfigurationNotFoundError',
              'Object Lock configuration does not exist for this bucket',
            ),
    },
    put: {
      name: 'PutObjectLockConfiguration',
      maxBytes: MAX_BODY_BYTES,
    },
  }),
  {
    name: 'GetObjectRetention',
    method: 'GET',
    level: 'object',
    query: ['retention'],
    handle(call) {
      const retention = findLock(call)?.retention
      if (!retention) throw notLocked()
      const until = new Date(retention.until).toISOString()
      call.xml(s3Document('Retention', xmlTag('Mode', retention.mode) + xmlTag('RetainUntilDate', until)))
    },
  },
  {
    name: 'PutObjectRetention',
    method: 'PUT',
    level: 'object',
    query: ['retention'],
    async handle(call) {
      requirePossibleAction(call, ['s3:PutObjectRetention'], requestedResource(call))
      const root = parseXml(await readRequestBody(call, MAX_BODY_BYTES), 'Retention')
      const mode = xmlChildText(root, 'Mode') || undefined
      const until = xmlChildText(root, 'RetainUntilDate') || undefined
      if ((mode === undefined) !== (until === undefined)) {
        throw new S3Error('MalformedXML', 'A Retention needs both Mode and RetainUntilDate, or neither.')
      }
      if (mode !== undefined && !parseRetentionMode(mode)) throw new S3Error('MalformedXML', 'The Mode is not known.')
      const retention = mode !== undefined && until !== undefined ? readRetention(call, mode, until) : undefined
      requireRetention(call, retention)
      await call.engine.setObjectRetention(requestedObject(call), retention, governanceBypass(call))
      call.empty(200)
    },
  },
  {
    name: 'GetObjectLegalHold',
    method: 'GET',
    level: 'object',
    query: ['legal-hold'],
    handle(call) {
      const legalHold = findLock(call)?.legalHold
      if (!legalHold) throw notLocked()
      call.xml(s3Document('LegalHold', xmlTag('Status', legalHold)))
    },
  },
  {
    name: 'PutObjectLegalHold',
    method: 'PUT',
    level: 'object',
    query: ['legal-hold'],
    async handle(call) {
      requirePossibleAction(call, ['s3:PutObjectLegalHold'], requestedResource(call))
      const root = parseXml(await readRequestBody(call, MAX_BODY_BYTES), 'LegalHold', 'ObjectLockLegalHold')
      const legalHold = xmlChildText(root, 'Status')
      if (legalHold !== 'ON' && legalHold !== 'OFF') throw new S3Error('MalformedXML', 'The Status must be ON or OFF.')
      requirePart(call, 'legal-hold', {
        ...requestedResource(call),
        values: { 's3:object-lock-legal-hold': legalHold },
      })
      await call.engine.setObjectLegalHold(requestedObject(call), legalHold)
      call.empty(200)
    },
  },
]

/** @throws S3Error InvalidRequest */
function readRetention(call: StoreCall, modeText: string, untilText: string): VersionRetention {
  const mode = parseRetentionMode(modeText)
  if (!mode) throw invalid('unknown wormMode directive')
  const until = ISO_8601.test(untilText.trim()) ? Date.parse(untilText.trim()) : Number.NaN
  if (Number.isNaN(until)) throw invalid('Date must be provided in ISO 8601 format')
  if (until <= call.record.startedAt) throw invalid('the retain until date must be in the future')
  return { mode, until }
}

function readHold(text: string): 'ON' | 'OFF' {
  if (text === 'ON' || text === 'OFF') return text
  throw invalid('The legal hold must be ON or OFF.')
}

/** @throws S3Error AccessDenied */
function requireRetention(call: StoreCall, retention: VersionRetention | undefined): void {
  if (!isRetentionAllowed(call, retention)) throw new S3Error('AccessDenied', 'Access Denied.')
}

/** Whether the caller may set this retention, or remove it if it is undefined, by default on the requested version. */
export function isRetentionAllowed(
  call: StoreCall,
  retention: VersionRetention | undefined,
  resource: ActionResource = requestedResource(call),
): boolean {
  const values = retention && {
    's3:object-lock-mode': retention.mode,
    's3:object-lock-retain-until-date': new Date(retention.until).toISOString(),
    's3:object-lock-remaining-retention-days': String(Math.ceil((retention.until - call.record.startedAt) / DAY_MS)),
  }
  return isActionAllowed(call, S3_REQUEST_PARTS.retention.action, { ...resource, ...(values && { values }) })
}

/** @throws S3Error InvalidRequest in a bucket without object lock */
function findLock(call: StoreCall): VersionLock | undefined {
  if (!call.engine.getBucket(call.bucket).objectLock) throw invalid('Bucket is missing ObjectLockConfiguration')
  const { bucket, key, versionId } = requestedObject(call)
  return call.engine.getObject(bucket, key, versionId).info.lock
}

const invalid = (message: string) => new S3Error('InvalidRequest', message)
const notLocked = () =>
  new S3Error('NoSuchObjectLockConfiguration', 'The specified object does not have a ObjectLock configuration')
