import { createHash, randomUUID } from 'node:crypto'
import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import { sealAdminBody } from '@stowage/madmin/sealing'
import { presign, type SigningCredentials, signHeaders, signPostPolicy } from '@stowage/sigv4'
import type { FuzzBody, FuzzRequest } from './fuzz-request.ts'
import { percentEncode } from './random-texts.ts'

const REGION = 'us-east-1'
/** Timeout of an answer, and for silence in the middle of one. */
const ANSWER_MS = 30_000
/** For malformed requests the server may wait for more data, so their answer is not awaited for longer. */
const RAW_MS = 2000
/** Number of values of each kind that are remembered for later requests. */
const REMEMBERED = 30

export interface FuzzAnswer {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

/** Target of the requests, and their callers. */
export interface FuzzTarget {
  store: { host: string; port: number }
  console: { host: string; port: number }
  credentials: Record<'root' | 'user' | 'session', SigningCredentials>
  /** Sealed sessions of the console. */
  sessions: Record<'root' | 'user', string>
}

/** Sends requests: fills in values from earlier answers, signs, sends, and remembers values of the answer. */
export class Sender {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 64 })
  readonly #known = new Map<string, string[]>()
  #turn = 0
  #renewing: Promise<void> | undefined

  /** @param renewSession signs root in to the console again, if its session has ended */
  constructor(
    public place: FuzzTarget,
    private readonly renewSession: () => Promise<string>,
  ) {}

  close(): void {
    this.#agent.destroy()
  }

  /** @returns undefined for raw bytes without an answer, which is often right @throws Error if a request gets no answer */
  async send(request: FuzzRequest): Promise<FuzzAnswer | undefined> {
    const filled = this.#fill(request)
    if (filled.api === 'raw') return this.#sendRaw(filled.body)
    const { target, method, path, headers, body } = await this.#prepare(filled)
    const answer = await this.#exchange(target, method, path, headers, body)
    if (filled.api === 's3') this.#remember(answer)
    if (filled.api === 'console' && filled.as === 'root' && answer.status === 401) await this.#renew()
    return answer
  }

  #fill(request: FuzzRequest): FuzzRequest {
    // In paths and queries the placeholder is encoded, in headers and bodies it is not.
    const inText = (text: string) => text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => this.#pick(name))
    const inUrl = (text: string) =>
      text.replace(/%7B%7B(\w+)%7D%7D/g, (_, name: string) => percentEncode(this.#pick(name)))
    const { body, headers } = request
    return {
      ...request,
      path: inUrl(request.path),
      query: inUrl(request.query),
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, inText(value)])),
      body: body.kind === 'bytes' || body.kind === 'sealed' ? { ...body, text: inText(body.text) } : body,
    }
  }

  /** Signs in again after requests that revoke sessions; otherwise the console would refuse all later requests. */
  async #renew(): Promise<void> {
    this.#renewing ??= this.renewSession()
      .then((session) => {
        this.place.sessions.root = session
      })
      .finally(() => {
        this.#renewing = undefined
      })
    await this.#renewing
  }

  #pick(name: string): string {
    const values = this.#known.get(name) ?? []
    return values[this.#turn++ % Math.max(1, values.length)] ?? randomUUID()
  }

  #remember({ headers, body }: FuzzAnswer): void {
    const text = body.length < 100_000 ? body.toString('latin1') : ''
    const first = (pattern: RegExp) => pattern.exec(text)?.[1]
    const found = {
      uploadId: first(/<UploadId>([^<]+)</),
      versionId: headers['x-amz-version-id'] ?? first(/<VersionId>([^<]+)</),
      etag: headers.etag?.replaceAll('"', ''),
      token: first(/<NextContinuationToken>([^<]+)</),
    }
    for (const [name, value] of Object.entries(found)) {
      if (typeof value !== 'string') continue
      const values = this.#known.get(name) ?? []
      this.#known.set(name, [value, ...values].slice(0, REMEMBERED))
    }
  }

  async #prepare(request: FuzzRequest) {
    const { api, method, path, query, as, signed } = request
    const target = api === 'console' ? this.place.console : this.place.store
    const host = `${target.host}:${target.port}`
    const credentials = as === 'anonymous' ? undefined : this.place.credentials[as]
    const { bytes, type } = await encodeBody(request.body, signed === 'header' ? undefined : credentials, credentials)
    const headers: Record<string, string> = { host, ...(type && { 'content-type': type }), ...request.headers }
    if (bytes) headers['content-length'] = String(bytes.length)
    if (api === 'console') {
      const session = as === 'root' || as === 'user' ? this.place.sessions[as] : undefined
      if (session !== undefined) headers.authorization = `Bearer ${session}`
      // Attempts to sign in are counted per address; these must not block those of the run itself.
      headers['x-forwarded-for'] = `198.51.100.${this.#turn++ % 250}`
      return { target, method, path: path + (query && `?${query}`), headers, body: bytes }
    }
    const full = { target, method, body: bytes }
    if (!credentials || request.body.kind === 'multipart') {
      return { ...full, path: path + (query && `?${query}`), headers }
    }
    const options = { credentials, region: REGION, ...(api === 'sts' && { service: 'sts' }) }
    if (signed === 'query') {
      const presigned = presign({ method, path, query, headers: { ...headers } }, { ...options, expiresSeconds: 600 })
      return { ...full, path: `${path}?${presigned}`, headers }
    }
    const payloadHash = createHash('sha256')
      .update(bytes ?? '')
      .digest('hex')
    const whole = signHeaders({ method, path, query, headers }, { ...options, payloadHash }).headers
    if (signed === 'damaged') damage(whole, this.#turn++)
    return { ...full, path: path + (query && `?${query}`), headers: whole }
  }

  #exchange(
    { host, port }: { host: string; port: number },
    method: string,
    path: string,
    headers: Record<string, string>,
    body: Buffer | undefined,
    again = true,
  ): Promise<FuzzAnswer> {
    return new Promise((resolve, reject) => {
      const request = httpRequest({ host, port, method, path, headers, agent: this.#agent }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => {
          timer.refresh()
          chunks.push(chunk)
        })
        response.on('error', reject)
        response.on('end', () => {
          clearTimeout(timer)
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) })
        })
      })
      const timer = setTimeout(() => request.destroy(new Error(`no answer within ${ANSWER_MS} ms`)), ANSWER_MS)
      request.on('error', (error) => {
        clearTimeout(timer)
        // A kept connection may be closed at the moment it is used again.
        if (again && request.reusedSocket)
          this.#exchange({ host, port }, method, path, headers, body, false).then(resolve, reject)
        else reject(error)
      })
      request.end(body)
    })
  }

  #sendRaw(body: FuzzBody): Promise<FuzzAnswer | undefined> {
    const { host, port } = this.place.store
    return new Promise((resolve) => {
      const socket = connect(port, host, () =>
        socket.end(body.kind === 'bytes' ? Buffer.from(body.text, 'latin1') : ''),
      )
      const chunks: Buffer[] = []
      const timer = setTimeout(() => socket.destroy(), RAW_MS)
      socket.on('data', (chunk) => chunks.push(chunk))
      socket.on('error', () => undefined)
      socket.on('close', () => {
        clearTimeout(timer)
        const bytes = Buffer.concat(chunks)
        const status = /^HTTP\/1\.1 (\d{3})/.exec(bytes.toString('latin1', 0, 12))?.[1]
        resolve(status === undefined ? undefined : { status: Number(status), headers: {}, body: bytes })
      })
    })
  }
}

/** Changes one character of the signature. */
function damage(headers: Record<string, string>, turn: number): void {
  const names = ['authorization', 'x-amz-date', 'x-amz-content-sha256'].filter((name) => headers[name] !== undefined)
  const name = names[turn % names.length] ?? 'authorization'
  const value = headers[name] ?? ''
  const at = (turn * 7919) % value.length
  headers[name] = value.slice(0, at) + 'AZ09/=, '[turn % 8] + value.slice(at + 1)
}

async function encodeBody(
  body: FuzzBody,
  formSigner: SigningCredentials | undefined,
  sealer: SigningCredentials | undefined,
): Promise<{ bytes: Buffer | undefined; type?: string }> {
  switch (body.kind) {
    case 'none':
      return { bytes: undefined }
    case 'bytes':
      return { bytes: Buffer.from(body.text, 'latin1') }
    case 'filler':
      return { bytes: Buffer.alloc(body.length, 'filler') }
    case 'sealed':
      return { bytes: await sealAdminBody(body.text, sealer?.secretKey ?? 'nobody has this secret') }
    case 'multipart': {
      const fields = formSigner ? signedFields(body.fields, formSigner) : body.fields
      return multipart(fields, body.file)
    }
  }
}

function signedFields(fields: [string, string][], credentials: SigningCredentials): [string, string][] {
  const expiration = new Date(Date.now() + 600_000).toISOString()
  const named = fields.map(([name]): [string, string, string] => ['starts-with', ['$', name].join(''), ''])
  const signature = signPostPolicy(
    (own) => {
      const conditions = [...named, ...Object.entries(own).map(([name, value]) => ({ [name]: value }))]
      return JSON.stringify({ expiration, conditions: [['starts-with', ['$', 'bucket'].join(''), ''], ...conditions] })
    },
    { credentials, region: REGION },
  )
  return [...fields, ...Object.entries(signature)]
}

function multipart(fields: [string, string][], file: { name: string; text: string }): { bytes: Buffer; type: string } {
  const boundary = 'fuzz-boundary'
  const quoted = (name: string) => name.replaceAll('"', '%22').replaceAll(/[\r\n]/g, ' ')
  const parts = fields.map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"\r\n\r\n${value}\r\n`,
  )
  const last = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${quoted(file.name)}"\r\n\r\n${file.text}\r\n`
  return {
    bytes: Buffer.from(`${parts.join('')}${last}--${boundary}--\r\n`),
    type: `multipart/form-data; boundary=${boundary}`,
  }
}
