import type { ApiClient } from '../../lib/api/client.ts'

/** Options of calls that send file content. */
export interface UploadOptions {
  signal: AbortSignal
  onProgress?: (sent: number) => void
}

/** Whether an existing object may be replaced. */
export interface ReplaceChoice {
  replace: boolean
}

/** The object to create, and the ID of its multipart upload. */
export interface MultipartTarget {
  bucket: string
  key: string
  uploadId: string
}

/** The calls that uploads make. All throw ApiFailure, or the signal's reason. */
export type UploadApi = ReturnType<typeof createUploadApi>

/** @param client must not treat a call without a response as the end of the session, because transfers retry */
export function createUploadApi({ call }: Pick<ApiClient, 'call'>) {
  const multipartInput = ({ bucket, key, uploadId }: MultipartTarget) => ({
    params: { bucket, uploadId },
    query: { prefix: key },
  })

  return {
    /** Uploads a whole object as a form. The key must satisfy `isFormSafeKey`. */
    async sendForm(
      bucket: string,
      key: string,
      file: Blob,
      { replace, signal, onProgress }: UploadOptions & ReplaceChoice,
    ): Promise<void> {
      const cut = key.lastIndexOf('/') + 1
      const name = key.slice(cut)
      const form = new FormData()
      // The size is the name of the form field, so that the server can stream the bytes without counting them first.
      form.append(String(file.size), file, name)
      await call('uploadObjects', {
        params: { bucket },
        query: { prefix: key.slice(0, cut), ...(replace ? {} : { if_absent: 'true' as const }) },
        body: form,
        signal,
        // The browser also counts the bytes of the form around the file.
        ...(onProgress && { onProgress: (sent: number) => onProgress(Math.min(sent, file.size)) }),
      })
    },

    /** @returns the upload ID */
    async create(bucket: string, key: string, contentType: string, signal: AbortSignal): Promise<string> {
      const body = contentType ? { content_type: contentType } : {}
      return (await call('createUpload', { params: { bucket }, query: { prefix: key }, body, signal })).upload_id
    },

    async listParts(target: MultipartTarget, signal: AbortSignal) {
      return (await call('listUploadParts', { ...multipartInput(target), signal })).parts
    },

    /** @returns the part's ETag */
    async sendPart(target: MultipartTarget, part: number, bytes: Blob, options: UploadOptions): Promise<string> {
      const { params, query } = multipartInput(target)
      return (await call('uploadPart', { params: { ...params, part }, query, body: bytes, ...options })).etag
    },

    async complete(
      target: MultipartTarget,
      parts: { part: number; etag: string }[],
      { replace, signal }: UploadOptions & ReplaceChoice,
    ): Promise<void> {
      await call('completeUpload', { ...multipartInput(target), body: { parts, if_absent: !replace }, signal })
    },

    async abort(target: MultipartTarget, signal: AbortSignal): Promise<void> {
      await call('abortUpload', { ...multipartInput(target), signal })
    },

    /** Lists one page of all objects below a prefix, recursively, after a key. */
    async listAfter(bucket: string, prefix: string, after: string, limit: number, signal: AbortSignal) {
      const query = { prefix, recursive: 'true', limit, ...(after && { start_after: after }) }
      return await call('listObjects', { params: { bucket }, query, signal })
    },
  }
}

/**
 * Reports whether a form can transmit the name unchanged. Browsers write quotes and line breaks as `%22`, `%0D` and `%0A`, and
 * some servers decode these even if they were part of the name. Servers also treat a backslash as a path separator.
 */
export function isFormSafeKey(key: string): boolean {
  const name = key.slice(key.lastIndexOf('/') + 1)
  return name !== '' && name !== '.' && name !== '..' && !/["%\\\r\n\0]/.test(name)
}
