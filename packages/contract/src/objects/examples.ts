import type { AreaExamples } from '../call/area-examples.ts'
import { sampleNames } from '../call/sample-names.ts'
import type { objectEndpoints } from './endpoints.ts'

const params = { bucket: sampleNames.bucket }
const query = { prefix: sampleNames.key }
const versionParams = { bucket: sampleNames.versionBucket }
const lockParams = { bucket: sampleNames.lockBucket }
const lockQuery = { prefix: sampleNames.key }
const uploadParams = { ...params, uploadId: sampleNames.uploadId }

export const objectExamples: AreaExamples<typeof objectEndpoints> = {
  listObjects: { params, query: { prefix: 'italy/', limit: 100 } },
  searchObjects: { params, query: { name: '*.jpg', min_size: 1024 ** 2, limit: 100 } },
  exportSearch: { params, query: { name: '*.jpg', format: 'csv' } },
  deleteObject: { params, query: { path: sampleNames.key } },
  deleteObjects: { params, body: [{ path: sampleNames.key }, { path: 'france/', recursive: true }] },
  emptyBucket: { params, body: { bypass: false } },
  copyObjects: {
    params,
    body: {
      target_bucket: sampleNames.bucket,
      entries: [{ from: sampleNames.key, to: 'lakes/como.jpg' }],
      overwrite: true,
    },
  },
  changeObjects: {
    params: lockParams,
    body: { paths: [sampleNames.key], changes: { tags: { project: 'lakes', draft: null }, legal_hold: 'disabled' } },
  },
  restoreFolder: { params: versionParams, body: { prefix: 'italy/', date: '2026-11-20T12:00:00Z', dry_run: true } },
  undeleteObjects: { params: versionParams, body: { paths: [sampleNames.key], since: '2026-11-20T12:00:00Z' } },
  downloadObject: { params, query },
  listArchive: { params, query: { prefix: sampleNames.archive, search: 'lake' } },
  downloadArchiveMember: { params, query: { prefix: sampleNames.archive, member: 'lake.txt' } },
  downloadObjects: { params, body: { objects: JSON.stringify([sampleNames.key, 'france/']), name: 'photos.zip' } },
  uploadObjects: { params, query: { prefix: 'italy/' } },
  listUploads: { params, query: { prefix: 'italy/' } },
  createUpload: { params, query, body: { content_type: 'image/jpeg' } },
  listUploadParts: { params: uploadParams, query },
  uploadPart: { params: { ...uploadParams, part: 1 }, query },
  completeUpload: { params: uploadParams, query, body: { parts: [{ part: 1, etag: sampleNames.partEtag }] } },
  abortUpload: { params: uploadParams, query },
  rewindObjects: { params: { ...params, date: '2026-11-20T12:00:00Z' }, query: { prefix: 'italy/', limit: 100 } },
  getObject: { params, query },
  setObjectTags: { params, query, body: { tags: { project: 'lakes' } } },
  setObjectRetention: {
    params: lockParams,
    query: lockQuery,
    body: { mode: 'governance', expires: '2031-01-02T23:59:59Z' },
  },
  deleteObjectRetention: { params: lockParams, query: lockQuery },
  setObjectLegalHold: { params: lockParams, query: lockQuery, body: { status: 'disabled' } },
  setObjectMetadata: { params, query, body: { content_type: 'image/jpeg', user_metadata: { camera: 'X100' } } },
  setObjectText: { params, query, body: { text: 'Lake of Garda\n', etag: sampleNames.keyEtag } },
  restoreObject: { params: versionParams, query: { prefix: sampleNames.key, version_id: sampleNames.versionId } },
  restoreFromTier: { params, query, body: { days: 7 } },
  shareObject: { params, query: { ...query, expires: '3600000ms' } },
  listLinks: { params, query },
  createLink: { params, body: { path: sampleNames.key, expires: inOneDay() } },
  deleteLink: { params: { ...params, accessKey: sampleNames.linkKey } },
  createUploadLink: { params, body: { prefix: 'incoming/', max_size: 1024 ** 3, expires: inOneDay() } },
}

/** Returns a date that is neither in the past nor too far ahead, for examples. */
function inOneDay(): string {
  return new Date(Date.now() + 86_400_000).toISOString()
}
