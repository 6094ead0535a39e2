import { createHash } from 'node:crypto'
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { encodePath, encodeQuery, type SigningCredentials, signHeaders, signPostPolicy } from '@stowage/sigv4'
import type { AdminProbe } from './admin-probes.ts'
import type { S3Probe } from './s3-probes.ts'

const REGION = 'us-east-1'
const ANSWER_MS = 30_000
/** Of an answer no more is needed to see whether it is a refusal. */
const READ_BYTES = 16 * 1024

export interface ProbeAnswer {
  status: number
  text: string
}

/** Sends probes to a storage server, each with the credentials of its caller. */
export class ProbeSender {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 8 })

  constructor(private readonly server: string) {}

  close(): void {
    this.#agent.destroy()
  }

  /** @param caller undefined: unsigned */
  async s3(probe: S3Probe, bucket: string, caller: SigningCredentials | undefined, own: Record<string, string>) {
    const key = probe.at === 'object' ? `/${probe.key}` : ''
    const path = encodePath(probe.at === 'service' ? '/' : `/${bucket}${key}`)
    if (probe.kind === 'form') return await this.#form(path, probe.key ?? '', bucket, caller, own)
    return await this.#send(probe.method, path, probe.query ?? {}, { ...own, ...probe.headers }, probe.body, caller)
  }

  async admin({ method, path, query = {} }: AdminProbe, caller: SigningCredentials, own: Record<string, string>) {
    return await this.#send(method, encodePath(`/minio/admin/v3/${path}`), query, own, undefined, caller)
  }

  async #send(
    method: string,
    path: string,
    query: Record<string, string>,
    headers: Record<string, string>,
    body: string | undefined,
    caller: SigningCredentials | undefined,
  ): Promise<ProbeAnswer> {
    const { host } = new URL(this.server)
    const search = encodeQuery(Object.entries(query))
    const given = { host, ...headers, ...(body === undefined ? {} : { 'content-type': 'application/xml' }) }
    const signed = caller
      ? signHeaders(
          { method, path, query: search, headers: given },
          {
            credentials: caller,
            region: REGION,
            payloadHash: createHash('sha256')
              .update(body ?? '')
              .digest('hex'),
          },
        ).headers
      : given
    const send = () => this.#exchange(method, search === '' ? path : `${path}?${search}`, signed, body)
    return await send().catch((error: NodeJS.ErrnoException) => {
      // MinIO closes connections after some answers without announcing it; the next request on them fails.
      if (error.code === 'ECONNRESET') return send()
      throw error
    })
  }

  async #form(
    path: string,
    key: string,
    bucket: string,
    caller: SigningCredentials | undefined,
    own: Record<string, string>,
  ): Promise<ProbeAnswer> {
    const expiration = new Date(Date.now() + 60_000).toISOString()
    const signature = caller
      ? signPostPolicy(
          (fields) =>
            JSON.stringify({
              expiration,
              conditions: [{ bucket }, { key }, ...Object.entries(fields).map(([n, v]) => ({ [n]: v }))],
            }),
          { credentials: caller, region: REGION },
        )
      : {}
    const parts = Object.entries({ key, ...signature }).map(
      ([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    )
    const body = `${parts.join('')}--b\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\nx\r\n--b--\r\n`
    const headers = { host: new URL(this.server).host, ...own, 'content-type': 'multipart/form-data; boundary=b' }
    return await this.#exchange('POST', path, headers, body)
  }

  async #exchange(
    method: string,
    path: string,
    headers: Record<string, string>,
    body: string | undefined,
  ): Promise<ProbeAnswer> {
    const { hostname, port } = new URL(this.server)
    return await new Promise((resolve, reject) => {
      const request = httpRequest(
        {
          agent: this.#agent,
          host: hostname,
          port,
          method,
          path,
          headers: { ...headers, ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }) },
          timeout: ANSWER_MS,
        },
        (response) => resolve(readAnswer(request, response)),
      )
      request.on('timeout', () => request.destroy(new Error(`no answer to ${method} ${path}`)))
      request.on('error', reject)
      request.end(body)
    })
  }
}

/** Reads a refusal; of an answer that may be endless only its status. */
async function readAnswer(request: ReturnType<typeof httpRequest>, response: IncomingMessage): Promise<ProbeAnswer> {
  const status = response.statusCode ?? 0
  const isXml =
    /xml|json/.test(response.headers['content-type'] ?? '') && response.headers['content-length'] !== undefined
  if (status === 200 && !isXml && Number(response.headers['content-length'] ?? Number.NaN) !== 0) {
    request.destroy()
    return { status, text: '' }
  }
  let text = ''
  for await (const chunk of response) if (text.length < READ_BYTES) text += chunk
  return { status, text }
}
