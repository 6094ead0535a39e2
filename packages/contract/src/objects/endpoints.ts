import { defineEndpoints } from '../endpoint.ts'

const base = '/api/v1/buckets/:bucket'

/** The reads that show what a bucket contains. */
const CONTENT = ['listObjects', 'getBucket', 'listBuckets', 'getAdminInfo'] as const

export const objectEndpoints = defineEndpoints('objects', {
  listObjects: { method: 'GET', path: `${base}/objects`, actions: ['s3:ListBucket'] },
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
  downloadObject: { method: 'GET', path: `${base}/objects/download`, answer: 'stream', actions: ['s3:GetObject'] },
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
    changes: ['listUploadParts'],
  },
})
