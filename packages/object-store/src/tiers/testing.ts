import { createHmac, createVerify, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/*
 * Minimal servers for tests with the parts of Azure Blob Storage and Google Cloud Storage that tiers use. They verify
 * signatures by the algorithms that Microsoft and Google publish, from the request as received. The real services are not
 * available to tests.
 */

export interface StorageServer extends AsyncDisposable {
  readonly url: string
  /** By bucket and name: `cold/prefix/object`. */
  readonly objects: Map<string, Buffer>
  /** `METHOD path?query` of each call. */
  readonly calls: string[]
}

type Handler = (request: IncomingMessage, body: Buffer, response: ServerResponse) => void

async function startStorageServer(
  calls: string[],
  objects: Map<string, Buffer>,
  handle: Handler,
): Promise<StorageServer> {
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      calls.push(`${request.method} ${request.url}`)
      handle(request, body, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    objects,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function sendRange(request: IncomingMessage, content: Buffer, response: ServerResponse): void {
  const range = /^bytes=(\d+)-(\d+)$/.exec(String(request.headers['x-ms-range'] ?? request.headers.range ?? ''))
  if (!range) return void response.writeHead(200, { 'content-length': content.length }).end(content)
  const part = content.subarray(Number(range[1]), Number(range[2]) + 1)
  response.writeHead(206, { 'content-length': part.length }).end(part)
}

export const AZURE_ACCOUNT = 'devstoreaccount1'
/** The published key of Azure's own emulator. */
export const AZURE_KEY = 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=='

/** Starts a container `cold`, in an account that is named in the path, as in the emulator. */
export function startAzureServer(): Promise<StorageServer> {
  const objects = new Map<string, Buffer>()
  const blocks = new Map<string, Buffer>()
  const refuse = (response: ServerResponse, status: number, code: string) =>
    void response.writeHead(status, { 'x-ms-error-code': code }).end(`<Error><Code>${code}</Code></Error>`)

  return startStorageServer([], objects, (request, body, response) => {
    const url = new URL(request.url ?? '', 'http://peer')
    if (request.headers.authorization !== `SharedKey ${AZURE_ACCOUNT}:${azureSignature(request, url)}`) {
      return refuse(response, 403, 'AuthenticationFailed')
    }
    const [, , container = '', ...rest] = decodeURIComponent(url.pathname).split('/')
    if (container !== 'cold') return refuse(response, 404, 'ContainerNotFound')
    const name = `${container}/${rest.join('/')}`
    if (url.searchParams.get('comp') === 'list') {
      const prefix = `${container}/${url.searchParams.get('prefix') ?? ''}`
      const found = [...objects.keys()].filter((key) => key.startsWith(prefix)).slice(0, 1)
      const blobs = found.map((key) => `<Blob><Name>${key.slice(container.length + 1)}</Name></Blob>`).join('')
      const text = `<?xml version="1.0" encoding="utf-8"?><EnumerationResults><Blobs>${blobs}</Blobs><NextMarker /></EnumerationResults>`
      return void response.writeHead(200).end(text)
    }
    if (request.method === 'PUT') {
      const blockId = url.searchParams.get('blockid')
      if (blockId !== null) blocks.set(`${name} ${blockId}`, body)
      else if (url.searchParams.get('comp') === 'blocklist') {
        const ids = [...body.toString().matchAll(/<Latest>(.*?)<\/Latest>/g)].map(([, id]) => id)
        objects.set(name, Buffer.concat(ids.map((id) => blocks.get(`${name} ${id}`) ?? Buffer.alloc(0))))
      } else objects.set(name, body)
      return void response.writeHead(201).end()
    }
    const content = objects.get(name)
    if (!content) return refuse(response, 404, 'BlobNotFound')
    if (request.method === 'DELETE') {
      objects.delete(name)
      return void response.writeHead(202).end()
    }
    if (request.method === 'HEAD') return void response.writeHead(200, { 'content-length': content.length }).end()
    sendRange(request, content, response)
  })
}

/** @see https://learn.microsoft.com/rest/api/storageservices/authorize-with-shared-key#blob-queue-and-file-services-shared-key-authorization */
function azureSignature({ method = '', headers }: IncomingMessage, url: URL): string {
  const value = (name: string) => String(headers[name] ?? '')
  const length = value('content-length') === '0' ? '' : value('content-length')
  const lines = [
    method,
    value('content-encoding'),
    value('content-language'),
    length,
    value('content-md5'),
    value('content-type'),
    value('date'),
    value('if-modified-since'),
    value('if-match'),
    value('if-none-match'),
    value('if-unmodified-since'),
    value('range'),
  ]
  for (const name of Object.keys(headers).sort()) if (name.startsWith('x-ms-')) lines.push(`${name}:${value(name)}`)
  let resource = `/${AZURE_ACCOUNT}${url.pathname}`
  for (const name of [...url.searchParams.keys()].sort()) resource += `\n${name}:${url.searchParams.get(name)}`
  const text = `${lines.join('\n')}\n${resource}`
  return createHmac('sha256', Buffer.from(AZURE_KEY, 'base64')).update(text).digest('base64')
}

export interface GoogleServer extends StorageServer {
  /** The key file of its service account, as Base64. */
  readonly creds: string
}

/** Starts a bucket `cold`, and the token endpoint of a service account. */
export async function startGoogleServer(): Promise<GoogleServer> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const objects = new Map<string, Buffer>()
  const tokens = new Set<string>()
  const json = (response: ServerResponse, status: number, value: object) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
  const refuse = (response: ServerResponse, code: number, reason: string) =>
    json(response, code, { error: { code, message: reason, errors: [{ reason }] } })

  const peer: StorageServer = await startStorageServer([], objects, (request, body, response) => {
    const url = new URL(request.url ?? '', 'http://peer')
    if (url.pathname === '/token') {
      const form = new URLSearchParams(body.toString())
      if (!isValidAssertion(form, publicKey, `${peer.url}/token`))
        return json(response, 400, { error: 'invalid_grant' })
      const access_token = `token-${tokens.size}-${Math.random()}`
      tokens.add(access_token)
      return json(response, 200, { access_token, expires_in: 3600, token_type: 'Bearer' })
    }
    if (!tokens.has((request.headers.authorization ?? '').replace('Bearer ', ''))) {
      return refuse(response, 401, 'authError')
    }
    const [, bucket = '', object = ''] = /\/b\/([^/]+)\/o\/?(.*)$/.exec(url.pathname) ?? []
    if (bucket !== 'cold') return refuse(response, 404, 'notFound')
    if (request.method === 'POST') {
      const { name, content } = readMultipart(request, body)
      objects.set(`${bucket}/${name}`, content)
      return json(response, 200, { name, size: String(content.length) })
    }
    if (object === '') {
      const prefix = `${bucket}/${url.searchParams.get('prefix') ?? ''}`
      const found = [...objects.keys()].filter((key) => key.startsWith(prefix)).slice(0, 1)
      return json(response, 200, { kind: 'storage#objects', ...(found.length > 0 && { items: found }) })
    }
    const name = `${bucket}/${decodeURIComponent(object)}`
    const content = objects.get(name)
    if (!content) return refuse(response, 404, 'notFound')
    if (request.method === 'DELETE') {
      objects.delete(name)
      return void response.writeHead(204).end()
    }
    sendRange(request, content, response)
  })
  const file = {
    type: 'service_account',
    client_email: 'tier@project.iam.gserviceaccount.com',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    private_key_id: 'k1',
    token_uri: `${peer.url}/token`,
  }
  return Object.assign(peer, { creds: Buffer.from(JSON.stringify(file)).toString('base64') })
}

/** @see https://developers.google.com/identity/protocols/oauth2/service-account#httprest */
function isValidAssertion(form: URLSearchParams, publicKey: KeyObject, audience: string): boolean {
  const [header = '', claims = '', signature = ''] = (form.get('assertion') ?? '').split('.')
  const isSigned = createVerify('RSA-SHA256').update(`${header}.${claims}`).verify(publicKey, signature, 'base64url')
  if (!isSigned || form.get('grant_type') !== 'urn:ietf:params:oauth:grant-type:jwt-bearer') return false
  const { alg } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { alg: string }
  const read = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown>
  const scopes = 'https://www.googleapis.com/auth/devstorage.read_write'
  return (
    alg === 'RS256' && read.aud === audience && read.scope === scopes && Number(read.exp) - Number(read.iat) <= 3600
  )
}

function readMultipart(request: IncomingMessage, body: Buffer): { name: string; content: Buffer } {
  const boundary = /boundary=(.*)$/.exec(request.headers['content-type'] ?? '')?.[1] ?? ''
  const metadataStart = body.indexOf('\r\n\r\n') + 4
  const metadataEnd = body.indexOf(`\r\n--${boundary}`, metadataStart)
  const start = body.indexOf('\r\n\r\n', metadataEnd) + 4
  const end = body.lastIndexOf(`\r\n--${boundary}--`)
  const { name } = JSON.parse(body.toString('utf8', metadataStart, metadataEnd)) as { name: string }
  return { name, content: body.subarray(start, end) }
}
