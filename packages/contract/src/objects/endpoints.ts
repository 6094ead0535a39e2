import { defineEndpoints } from '../call/endpoint.ts'

const base = '/api/v1/buckets/:bucket'

/** Calls that show what a bucket contains. */
const CONTENT = ['listObjects', 'rewindObjects', 'getObject', 'getBucket', 'listBuckets', 'getAdminInfo'] as const
/** Calls that show the properties of an object. */
const OBJECT = ['getObject', 'listObjects'] as const

export const objectEndpoints = defineEndpoints('objects', {
  listObjects: { method: 'GET', path: `${base}/objects`, actions: ['s3:ListBucket'] },
  searchObjects: { method: 'GET', path: `${base}/search`, answer: 'lines', actions: ['s3:ListBucket'] },
  exportSearch: { method: 'GET', path: `${base}/search/export`, answer: 'stream', actions: ['s3:ListBucket'] },
  deleteObject: {
    method: 'DELETE',
    path: `${base}/objects`,
    status: 200,
    answer: 'lines',
    actions: ['s3:DeleteObject'],
    changes: CONTENT,
  },
  deleteObjects: {
    method: 'POST',
    path: `${base}/delete-objects`,
    status: 200,
    answer: 'lines',
    actions: ['s3:DeleteObject'],
    changes: CONTENT,
  },
  emptyBucket: {
    method: 'POST',
    path: `${base}/empty`,
    status: 200,
    answer: 'lines',
    actions: [
      's3:ListBucketVersions',
      's3:DeleteObject',
      's3:DeleteObjectVersion',
      's3:ListBucketMultipartUploads',
      's3:AbortMultipartUpload',
    ],
    changes: CONTENT,
  },
  copyObjects: {
    method: 'POST',
    path: `${base}/copy-objects`,
    status: 200,
    answer: 'lines',
    // With `move`, s3:DeleteObject is required as well.
    actions: ['s3:GetObject', 's3:PutObject'],
    changes: CONTENT,
  },
  changeObjects: {
    method: 'POST',
    path: `${base}/change-objects`,
    status: 200,
    answer: 'lines',
    // Changing metadata needs the first two; each other change needs its own action.
    actions: [
      's3:GetObject',
      's3:PutObject',
      's3:GetObjectTagging',
      's3:PutObjectTagging',
      's3:PutObjectRetention',
      's3:PutObjectLegalHold',
    ],
    changes: CONTENT,
  },
  restoreFolder: {
    method: 'POST',
    path: `${base}/restore-folder`,
    status: 200,
    answer: 'lines',
    actions: [
      's3:GetBucketVersioning',
      's3:ListBucketVersions',
      's3:GetObjectVersion',
      's3:PutObject',
      's3:DeleteObject',
    ],
    changes: CONTENT,
  },
  undeleteObjects: {
    method: 'POST',
    path: `${base}/undelete-objects`,
    status: 200,
    answer: 'lines',
    actions: ['s3:ListBucketVersions', 's3:DeleteObjectVersion'],
    changes: CONTENT,
  },
  downloadObject: { method: 'GET', path: `${base}/objects/download`, answer: 'stream', actions: ['s3:GetObject'] },
  listArchive: { method: 'GET', path: `${base}/objects/archive`, actions: ['s3:GetObject'] },
  downloadArchiveMember: {
    method: 'GET',
    path: `${base}/objects/archive/member`,
    answer: 'stream',
    actions: ['s3:GetObject'],
  },
  downloadObjects: {
    method: 'POST',
    path: `${base}/objects/download-multiple`,
    body: 'form',
    status: 200,
    answer: 'stream',
    changes: [],
  },
  uploadObjects: {
    method: 'POST',
    path: `${base}/objects/upload`,
    body: 'multipart',
    status: 200,
    actions: ['s3:PutObject'],
    changes: CONTENT,
  },
  listUploads: {
    method: 'GET',
    path: `${base}/objects/uploads`,
    actions: ['s3:ListBucketMultipartUploads'],
  },
  createUpload: {
    method: 'POST',
    path: `${base}/objects/uploads`,
    answer: 'json',
    actions: ['s3:PutObject'],
    changes: [],
  },
  listUploadParts: {
    method: 'GET',
    path: `${base}/objects/uploads/:uploadId`,
    actions: ['s3:ListMultipartUploadParts'],
  },
  uploadPart: {
    method: 'PUT',
    path: `${base}/objects/uploads/:uploadId/:part`,
    body: 'bytes',
    answer: 'json',
    actions: ['s3:PutObject'],
    changes: ['listUploadParts'],
  },
  completeUpload: {
    method: 'POST',
    path: `${base}/objects/uploads/:uploadId`,
    status: 200,
    answer: 'json',
    actions: ['s3:PutObject'],
    changes: CONTENT,
  },
  abortUpload: {
    method: 'DELETE',
    path: `${base}/objects/uploads/:uploadId`,
    actions: ['s3:AbortMultipartUpload'],
    changes: ['listUploadParts', 'listUploads'],
  },
  rewindObjects: {
    method: 'GET',
    path: '/api/v1/buckets/:bucket/rewind/:date',
    // MinIO requires either of these, other servers the second one.
    actions: ['s3:ListBucket', 's3:ListBucketVersions'],
  },
  getObject: { method: 'GET', path: `${base}/objects/details`, actions: ['s3:GetObject'] },
  setObjectTags: {
    method: 'PUT',
    path: `${base}/objects/tags`,
    // The second one for a named version.
    actions: ['s3:PutObjectTagging', 's3:PutObjectVersionTagging'],
    changes: OBJECT,
  },
  setObjectRetention: {
    method: 'PUT',
    path: `${base}/objects/retention`,
    actions: ['s3:PutObjectRetention'],
    changes: OBJECT,
  },
  deleteObjectRetention: {
    method: 'DELETE',
    path: `${base}/objects/retention`,
    status: 200,
    actions: ['s3:PutObjectRetention', 's3:BypassGovernanceRetention'],
    changes: OBJECT,
  },
  setObjectLegalHold: {
    method: 'PUT',
    path: `${base}/objects/legalhold`,
    actions: ['s3:PutObjectLegalHold'],
    changes: OBJECT,
  },
  setObjectMetadata: {
    method: 'PUT',
    path: `${base}/objects/metadata`,
    actions: ['s3:GetObject', 's3:PutObject'],
    changes: CONTENT,
  },
  setObjectText: {
    method: 'PUT',
    path: `${base}/objects/text`,
    answer: 'json',
    // The tags are read because they must be stored again.
    actions: ['s3:GetObject', 's3:GetObjectTagging', 's3:PutObject'],
    changes: CONTENT,
  },
  restoreObject: {
    method: 'PUT',
    path: `${base}/objects/restore`,
    actions: ['s3:GetObjectVersion', 's3:PutObject'],
    changes: CONTENT,
  },
  restoreFromTier: {
    method: 'POST',
    path: `${base}/objects/tier-restore`,
    status: 204,
    actions: ['s3:RestoreObject'],
    changes: OBJECT,
  },
  shareObject: { method: 'GET', path: `${base}/objects/share`, actions: ['s3:GetObject'] },
  listLinks: { method: 'GET', path: `${base}/objects/links` },
  createLink: {
    method: 'POST',
    path: `${base}/objects/links`,
    answer: 'json',
    actions: ['s3:GetObject', 'admin:CreateServiceAccount'],
    changes: ['listLinks'],
  },
  deleteLink: {
    method: 'DELETE',
    path: `${base}/objects/links/:accessKey`,
    // Lists only the caller's own links.
    changes: ['listLinks'],
  },
  createUploadLink: {
    method: 'POST',
    path: `${base}/objects/upload-links`,
    answer: 'json',
    actions: ['s3:PutObject', 'admin:CreateServiceAccount'],
    changes: ['listLinks'],
  },
})
