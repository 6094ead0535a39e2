import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { UploadPart } from '@stowage/contract'
import { type SendFunction, unreachableFailure } from '../../../lib/api/send-request.ts'

interface Pending {
  key: string
  parts: Map<number, Buffer>
}

/** Returns the status to reject a request with, or undefined to handle it. `hang`: it gets no response. */
export type UploadFault = (request: {
  method: string
  path: string
  part?: number
}) => number | 'hang' | 'lost' | undefined

/**
 * Starts a server with the upload calls over real HTTP and objects in memory. `send` uses `fetch`, as Node has no
 * XMLHttpRequest.
 */
export async function startUploadServer() {
  const objects = new Map<string, { bytes: Buffer; etag: string }>()
  const uploads = new Map<string, Pending>()
  const log: string[] = []
  const state = { fault: (() => undefined) as UploadFault, now: 0, most: 0, user: 'amal' as string | undefined }

  async function answer(request: IncomingMessage): Promise<{ status: number; body?: unknown }> {
    const url = new URL(request.url ?? '', 'http://localhost')
    const [, , , , bucket = '', , kind = '', uploadId = '', number] = url.pathname.split('/').map(decodeURIComponent)
    const method = request.method ?? ''
    const part = number === undefined ? {} : { part: Number(number) }
    log.push([method, kind || 'list', number].filter((word) => word !== undefined).join(' '))
    const bytes = await read(request)
    if (state.user === undefined) return refused(401, 'AccessDenied')
    const fault = state.fault({ method, path: url.pathname, ...part })
    if (typeof fault === 'number') return refused(fault, 'Provoked')
    if (fault === 'hang') return await new Promise(() => {})
    const result = await act(method, kind, bucket, uploadId, part.part, url.searchParams, bytes, request)
    if (fault === 'lost') request.destroy()
    return result
  }

  async function act(
    method: string,
    kind: string,
    bucket: string,
    uploadId: string,
    part: number | undefined,
    query: URLSearchParams,
    bytes: Buffer,
    request: IncomingMessage,
  ): Promise<{ status: number; body?: unknown }> {
    const prefix = query.get('prefix') ?? ''
    if (kind === '') return { status: 200, body: list(bucket, prefix, query) }
    if (kind === 'upload') {
      const headers = { 'content-type': request.headers['content-type'] ?? '' }
      const form = await new Response(new Uint8Array(bytes), { headers }).formData()
      for (const [size, value] of form) {
        if (query.get('if_absent') === 'true' && objects.has(`${bucket}/${prefix}${(value as File).name}`))
          return refused(412, 'PreconditionFailed')
        if (!(value instanceof File) || value.size !== Number(size)) return refused(400, 'wrong size')
        store(bucket, prefix + value.name, Buffer.from(await value.arrayBuffer()), 'plain')
      }
      return { status: 200 }
    }
    if (uploadId === '') {
      const id = `upload ${uploads.size + 1}`
      uploads.set(id, { key: prefix, parts: new Map() })
      return { status: 201, body: { upload_id: id } }
    }
    const upload = uploads.get(uploadId)
    if (!upload) return refused(404, 'NoSuchUpload')
    if (method === 'GET') return { status: 200, body: { parts: [...upload.parts].map(([n, b]) => uploadPart(n, b)) } }
    if (method === 'DELETE') {
      uploads.delete(uploadId)
      return { status: 204 }
    }
    if (part !== undefined) {
      upload.parts.set(part, bytes)
      return { status: 200, body: uploadPart(part, bytes) }
    }
    const { parts, if_absent } = JSON.parse(bytes.toString()) as { parts: UploadPart[]; if_absent?: boolean }
    if (if_absent && objects.has(`${bucket}/${upload.key}`)) return refused(412, 'PreconditionFailed')
    const whole = Buffer.concat(parts.map(({ part: n }) => upload.parts.get(n) ?? Buffer.from('?')))
    uploads.delete(uploadId)
    store(bucket, upload.key, whole, `x-${parts.length}`)
    return { status: 200, body: { etag: `x-${parts.length}` } }
  }

  function store(bucket: string, key: string, bytes: Buffer, etag: string) {
    objects.set(`${bucket}/${key}`, { bytes, etag })
  }

  function list(bucket: string, prefix: string, query: URLSearchParams) {
    const after = query.get('start_after') ?? ''
    const limit = Number(query.get('limit'))
    const names = [...objects.keys()].filter((name) => name.startsWith(`${bucket}/${prefix}`))
    const behind = names
      .map((name) => name.slice(bucket.length + 1))
      .filter((name) => Buffer.from(name).compare(Buffer.from(after)) > 0)
    behind.sort((a, b) => Buffer.from(a).compare(Buffer.from(b)))
    const page = behind.slice(0, limit).map((name) => {
      const object = objects.get(`${bucket}/${name}`)
      return { name, size: object?.bytes.length ?? 0, last_modified: '2026-01-01T00:00:00Z', etag: object?.etag }
    })
    return { objects: page, total: page.length, ...(behind.length > limit && { next: 'more' }) }
  }

  const server = createServer((request, response) => {
    state.now++
    state.most = Math.max(state.most, state.now)
    response.on('close', () => state.now--)
    void answer(request).then(({ status, body }) => {
      response.writeHead(status).end(body === undefined ? undefined : JSON.stringify(body))
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const send: SendFunction = async (url, { method, headers, body, signal, onProgress }) => {
    try {
      const response = await fetch(origin + url, { method, headers, body, signal: signal ?? null })
      // Read the whole response, as XMLHttpRequest does; the connection may break in between.
      const whole = new Response((await response.text()) || null, response)
      if (whole.ok && body instanceof Blob) onProgress?.(body.size)
      return whole
    } catch (error) {
      throw signal?.aborted ? error : unreachableFailure(error)
    }
  }

  return {
    send,
    objects,
    uploads,
    /** Every request, such as `PUT uploads 2`. */
    log,
    state,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

const refused = (status: number, cause: string) => ({
  status,
  body: { code: status, message: cause, detailedMessage: cause, cause },
})
const uploadPart = (part: number, bytes: Buffer): UploadPart => ({ part, etag: `e${part}`, size: bytes.length })

async function read(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer)
  } catch {
    // The client has aborted the request.
  }
  return Buffer.concat(chunks)
}
