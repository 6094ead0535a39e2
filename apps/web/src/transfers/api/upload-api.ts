import type { Client } from '../../lib/api/client.ts'

/** What may go along with a call that carries bytes. */
export interface SendOptions {
  signal: AbortSignal
  onProgress?: (sent: number) => void
}

/** An object to be, and the upload in parts that it is made by. */
export interface PartedTarget {
  bucket: string
  key: string
  uploadId: string
}

/** The calls of an upload. All throw ApiFailure, or the signal's reason. */
export type UploadApi = ReturnType<typeof createUploadApi>

/** @param client one that takes a call without an answer for no end of the session: a transfer tries again */
export function createUploadApi({ call }: Pick<Client, 'call'>) {
  const inputOf = ({ bucket, key, uploadId }: PartedTarget) => ({
    params: { bucket, uploadId },
    query: { prefix: key },
  })

  return {
    /** The whole object in one form. The key must be one that `fitsForm`. */
    async sendForm(bucket: string, key: string, file: Blob, { signal, onProgress }: SendOptions): Promise<void> {
      const cut = key.lastIndexOf('/') + 1
      const name = key.slice(cut)
      const form = new FormData()
      // The size as the part's name lets the server pass the bytes on as they come, without counting them first.
      form.append(String(file.size), file, name)
      await call('uploadObjects', {
        params: { bucket },
        query: { prefix: key.slice(0, cut) },
        body: form,
        signal,
        // The browser counts the form's own lines too.
        ...(onProgress && { onProgress: (sent: number) => onProgress(Math.min(sent, file.size)) }),
      })
    },

    /** @returns the upload ID */
    async create(bucket: string, key: string, contentType: string, signal: AbortSignal): Promise<string> {
      const body = contentType ? { content_type: contentType } : {}
      return (await call('createUpload', { params: { bucket }, query: { prefix: key }, body, signal })).upload_id
    },

    async listParts(target: PartedTarget, signal: AbortSignal) {
      return (await call('listUploadParts', { ...inputOf(target), signal })).parts
    },

    /** @returns the part's ETag */
    async sendPart(target: PartedTarget, part: number, bytes: Blob, options: SendOptions): Promise<string> {
      const { params, query } = inputOf(target)
      return (await call('uploadPart', { params: { ...params, part }, query, body: bytes, ...options })).etag
    },

    async complete(target: PartedTarget, parts: { part: number; etag: string }[], signal: AbortSignal): Promise<void> {
      await call('completeUpload', { ...inputOf(target), body: { parts }, signal })
    },

    async abort(target: PartedTarget, signal: AbortSignal): Promise<void> {
      await call('abortUpload', { ...inputOf(target), signal })
    },

    /** A page of all objects below a prefix, whatever their folder, behind a key. */
    async listAfter(bucket: string, prefix: string, after: string, limit: number, signal: AbortSignal) {
      const query = { prefix, recursive: 'true', limit, ...(after && { start_after: after }) }
      return await call('listObjects', { params: { bucket }, query, signal })
    },
  }
}

/**
 * Whether a form can carry the name as it is: a browser writes quotes and line ends as `%22`, `%0D` and `%0A`, and some
 * readers turn these back, also where they were in the name; and a reader takes a backslash for a folder.
 */
export function fitsForm(key: string): boolean {
  const name = key.slice(key.lastIndexOf('/') + 1)
  return name !== '' && name !== '.' && name !== '..' && !/["%\\\r\n\0]/.test(name)
}
