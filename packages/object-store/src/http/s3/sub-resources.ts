import { S3Error } from '../../lib/errors.ts'
import type { S3Operation } from '../call/s3-operation.ts'

/** Query parameters for sub-resources of buckets on S3, supported or not. */
const BUCKET_SUB_RESOURCES = new Set([
  'abac',
  'accelerate',
  'acl',
  'analytics',
  'cors',
  'delete',
  'encryption',
  'events',
  'intelligent-tiering',
  'inventory',
  'lifecycle',
  'location',
  'logging',
  'metadataConfiguration',
  'metadataInventoryTable',
  'metadataJournalTable',
  'metadataTable',
  'metrics',
  'notification',
  'object-lock',
  'ownershipControls',
  'policy',
  'policyStatus',
  'publicAccessBlock',
  'replication',
  'replication-check',
  'replication-metrics',
  'replication-reset',
  'replication-reset-status',
  'requestPayment',
  'session',
  'tagging',
  'uploads',
  'versioning',
  'versions',
  'website',
])

/** Query parameters for sub-resources of objects on S3, supported or not. */
const OBJECT_SUB_RESOURCES = new Set([
  'acl',
  'attributes',
  'encryption',
  'legal-hold',
  'renameObject',
  'restore',
  'retention',
  'select',
  'tagging',
  'torrent',
  'uploadId',
  'uploads',
])

/**
 * Returns the sub-resource that a query names if `operation` does not handle it. The caller must refuse such a request:
 * otherwise `DELETE /bucket?website` would delete the bucket.
 */
export function unhandledSubResource(
  query: URLSearchParams,
  level: S3Operation['level'],
  method: string,
  operation: S3Operation | undefined,
): string | undefined {
  // HEAD changes nothing, and some clients use it with a sub-resource to check whether the object exists.
  if (method === 'HEAD' || operation?.query?.some(isSubResource)) return undefined
  for (const name of query.keys()) if (isUnhandled(name, level, method)) return name
  return undefined
}

function isUnhandled(name: string, level: S3Operation['level'], method: string): boolean {
  // The URL of a page in a bucket may have other parameters: `index.html?location=…`.
  if (method === 'GET') return (level === 'object' ? OBJECT_SUB_RESOURCES : BUCKET_SUB_RESOURCES).has(name)
  // GET with `partNumber` reads a part; a PUT with it uploads one.
  return isSubResource(name) || (level === 'object' && name === 'partNumber')
}

function isSubResource(name: string): boolean {
  return BUCKET_SUB_RESOURCES.has(name) || OBJECT_SUB_RESOURCES.has(name)
}

/** Display names of sub-resources. */
const SUB_RESOURCE_NAMES: Record<string, string> = {
  acl: 'Access control by ACL',
  cors: 'A CORS configuration',
  encryption: 'Server-side encryption',
  events: 'Listening to events',
  'legal-hold': 'A legal hold',
  notification: 'A notification configuration',
  'object-lock': 'A default retention',
  replication: 'Replication',
  restore: 'Restoring from an archive',
  retention: 'Retention',
  select: 'Selecting by SQL',
  website: 'A website configuration',
}

/** Refuses sub-resources that the store does not have, instead of doing another operation. */
export function notImplementedOperation(
  level: S3Operation['level'],
  method: S3Operation['method'],
  name: string,
): S3Operation {
  return {
    name: `${method} ${level} ?${name}`,
    method,
    level,
    handle() {
      throw new S3Error(
        'NotImplemented',
        `${SUB_RESOURCE_NAMES[name] ?? `The call ${method} ?${name}`} is not supported.`,
      )
    },
  }
}
