import * as info from './admin/info.ts'
import * as buckets from './buckets/buckets.ts'
import * as quota from './buckets/quota.ts'
import * as versioning from './buckets/versioning.ts'
import * as objects from './objects/objects.ts'
import * as transfers from './objects/transfers.ts'
import type { Route } from './route.ts'
import * as session from './session/session.ts'

/** Every call of the console with its schemas, by name. The server registers it, tests walk it, OpenAPI is made of it. */
export const contract = {
  getLoginStrategy: session.getLoginStrategy,
  login: session.login,
  loginOperator: session.loginOperator,
  logout: session.logout,
  getSession: session.getSession,
  hasPermission: session.hasPermission,
  getAdminInfo: info.getAdminInfo,
  listBuckets: buckets.listBuckets,
  createBucket: buckets.createBucket,
  getBucket: buckets.getBucket,
  deleteBucket: buckets.deleteBucket,
  setBucketAccess: buckets.setBucketAccess,
  getBucketVersioning: versioning.getBucketVersioning,
  setBucketVersioning: versioning.setBucketVersioning,
  getBucketQuota: quota.getBucketQuota,
  setBucketQuota: quota.setBucketQuota,
  listObjects: objects.listObjects,
  deleteObject: objects.deleteObject,
  deleteObjects: objects.deleteObjects,
  downloadObject: transfers.downloadObject,
  downloadObjects: transfers.downloadObjects,
  uploadObjects: transfers.uploadObjects,
  createUpload: transfers.createUpload,
  listUploadParts: transfers.listUploadParts,
  uploadPart: transfers.uploadPart,
  completeUpload: transfers.completeUpload,
  abortUpload: transfers.abortUpload,
} as const satisfies Record<string, Route>

export type Contract = typeof contract
