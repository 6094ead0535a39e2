import { endpoints, type Input, type Operation, type Output } from '@stowage/contract'
import { addressOf } from '../../lib/api/api.ts'
import type { Send } from './send.ts'

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

/** Not by `lib/api`, which takes a call without an answer for the end of the session; a transfer tries again. */
export function createUploadApi(send: Send) {
  async function json<O extends Operation>(
    operation: O,
    input: Omit<Input<O>, 'body'>,
    signal: AbortSignal,
    body?: object,
  ): Promise<Output<O>> {
    const text = await send({
      method: endpoints[operation].method,
      url: addressOf(operation, input),
      signal,
      ...(body && { body: JSON.stringify(body), contentType: 'application/json' }),
    })
    // The contract's answer types are the server's to keep: its tests parse every answer.
    return (text === '' ? undefined : JSON.parse(text)) as Output<O>
  }

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
      await send({
        method: endpoints.uploadObjects.method,
        url: addressOf('uploadObjects', { params: { bucket }, query: { prefix: key.slice(0, cut) } }),
        body: form,
        signal,
        // The browser counts the form's own lines too.
        ...(onProgress && { onProgress: (sent: number) => onProgress(Math.min(sent, file.size)) }),
      })
    },

    /** @returns the upload ID */
    async create(bucket: string, key: string, contentType: string, signal: AbortSignal): Promise<string> {
      const body = contentType ? { content_type: contentType } : {}
      return (await json('createUpload', { params: { bucket }, query: { prefix: key } }, signal, body)).upload_id
    },

    async listParts(target: PartedTarget, signal: AbortSignal) {
      return (await json('listUploadParts', inputOf(target), signal)).parts
    },

    /** @returns the part's ETag */
    async sendPart(
      target: PartedTarget,
      part: number,
      bytes: Blob,
      { signal, onProgress }: SendOptions,
    ): Promise<string> {
      const { params, query } = inputOf(target)
      const answer = await send({
        method: endpoints.uploadPart.method,
        url: addressOf('uploadPart', { params: { ...params, part }, query }),
        body: bytes,
        contentType: 'application/octet-stream',
        signal,
        ...(onProgress && { onProgress }),
      })
      return (JSON.parse(answer) as Output<'uploadPart'>).etag
    },

    async complete(target: PartedTarget, parts: { part: number; etag: string }[], signal: AbortSignal): Promise<void> {
      await json('completeUpload', inputOf(target), signal, { parts })
    },

    async abort(target: PartedTarget, signal: AbortSignal): Promise<void> {
      await json('abortUpload', inputOf(target), signal)
    },

    /** A page of all objects below a prefix, whatever their folder, behind a key. */
    async listAfter(bucket: string, prefix: string, after: string, limit: number, signal: AbortSignal) {
      const query = { prefix, recursive: 'true', limit, ...(after && { start_after: after }) }
      return await json('listObjects', { params: { bucket }, query }, signal)
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
