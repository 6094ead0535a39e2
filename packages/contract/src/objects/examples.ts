import type { ExamplesOf } from '../example.ts'
import { sample } from '../samples.ts'
import type { objectEndpoints } from './endpoints.ts'

const params = { bucket: sample.bucket }
const query = { prefix: sample.key }
const uploadParams = { ...params, uploadId: sample.uploadId }

export const objectExamples: ExamplesOf<typeof objectEndpoints> = {
  listObjects: { params, query: { prefix: 'italy/', limit: 100 } },
  deleteObject: { params, query: { path: sample.key } },
  deleteObjects: { params, body: [{ path: sample.key }, { path: 'france/', recursive: true }] },
  downloadObject: { params, query },
  downloadObjects: { params, body: { objects: JSON.stringify([sample.key, 'france/']), name: 'photos.zip' } },
  uploadObjects: { params, query: { prefix: 'italy/' } },
  createUpload: { params, query, body: { content_type: 'image/jpeg' } },
  listUploadParts: { params: uploadParams, query },
  uploadPart: { params: { ...uploadParams, part: 1 }, query },
  completeUpload: { params: uploadParams, query, body: { parts: [{ part: 1, etag: sample.partEtag }] } },
  abortUpload: { params: uploadParams, query },
}
