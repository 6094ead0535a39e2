import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import {
  CreateBucketCommand,
  PutObjectCommand,
  type PutObjectCommandInput,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3'
import { createEgress, egressRules, egressSettings } from '@stowage/egress'
import { encodePath, presign, type SigningCredentials, signHeaders } from '@stowage/sigv4'
import { pino } from 'pino'
import { z } from 'zod'
import type { Engine } from '../../engine/interface/types.ts'
import { openEngine } from '../../engine/open-engine.ts'
import type { DeliveryWait } from '../../events/delivery/queue-sender.ts'
import { createStoreServer, type StoreServer, type StoreServerOptions } from '../server.ts'

/* Shared parts of the HTTP tests: a store, and raw requests that no client library would send. */

export const ROOT_CREDENTIALS: SigningCredentials = { accessKey: 'rootuser', secretKey: 'rootpassword' }
export const TEST_REGION = 'us-east-1'

// Suppresses the warning that the SDK will require a newer Node.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true'

export interface HttpTestStore extends AsyncDisposable {
  url: string
  port: number
  server: StoreServer
  engine: Engine
  /** Contains all files of the store: `data`, `drive1`, `drive2` … */
  folder: string
  /** Returns the files of bodies that are being received. */
  listUnfinishedBodies(): Promise<string[]>
  /** The folder of certificates of notification targets. */
  certificates: string
  /** Commands of `service restart` and `stop`. */
  commands: string[]
  s3(credentials?: SigningCredentials, config?: Partial<S3ClientConfig>): S3Client
  /** Sends a request, signed by default. */
  send(request: RawRequest): Promise<RawAnswer>
}

export interface RawRequest {
  method?: string
  /** Decoded; see `rawPath`. */
  path?: string
  /** Encoded. */
  rawPath?: string
  query?: string
  headers?: Record<string, string>
  body?: string | Buffer
  credentials?: SigningCredentials | 'anonymous'
  region?: string
  service?: string
  now?: Date
  /** The signed hash of the body; default: the real one. */
  payloadHash?: string
  /** Changes the headers after signing. */
  tamper?: (headers: Record<string, string>) => void
}

export interface RawAnswer {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
  text: string
  /** The `Code` of an error, in XML or JSON. */
  code: string | undefined
}

/** Starts a store in this process, in a temporary folder, on a free port. */
export async function startTestStore(
  options: Partial<
    Pick<
      StoreServerOptions,
      | 'bodyLimits'
      | 'consoleLog'
      | 'log'
      | 'onSignInProviders'
      | 'openid'
      | 'publicMetrics'
      | 'sandbox'
      | 'trustProxy'
      | 'version2'
    >
  > & {
    drives?: number
    domains?: string[]
    environment?: Record<string, string>
    /** Permitted addresses of event targets, and the time between attempts. Default: events only go to listeners. */
    events?: { allow: string; wait?: DeliveryWait; againMs?: number }
    /** Replication: the time between attempts, and the timeout of answers. Its targets may be on this machine. */
    replication?: { wait?: DeliveryWait; answerMs?: number }
    region?: string | undefined
    /** Permitted addresses of a directory. Default: none. */
    ldap?: string
    /** Permitted addresses of tiers. Default: none. */
    outgoing?: string
    /** The clock of the store. */
    now?: () => number
  } = {},
): Promise<HttpTestStore> {
  const folder = await mkdtemp(path.join(tmpdir(), 'stowage-http-'))
  const drives = Array.from({ length: options.drives ?? 2 }, (_, n) => path.join(folder, `drive${n + 1}`))
  const engine = await openEngine({
    data: path.join(folder, 'data'),
    drives,
    minFree: 0,
    ...(options.now && { now: options.now }),
  })
  const commands: string[] = []
  const { answerMs, ...replication } = options.replication ?? {}
  const replicationEgress = egressTo('127.0.0.1', answerMs)
  const loadReplicationEgress = async () => replicationEgress
  const server = createStoreServer({
    engine,
    root: ROOT_CREDENTIALS,
    region: 'region' in options ? options.region : TEST_REGION,
    domains: options.domains ?? [],
    environment: options.environment,
    trustProxy: options.trustProxy ?? false,
    sandbox: options.sandbox ?? true,
    version2: options.version2 ?? true,
    ...(options.bodyLimits ? { bodyLimits: options.bodyLimits } : {}),
    publicMetrics: options.publicMetrics ?? false,
    ...(options.openid ? { openid: options.openid } : {}),
    onSignInProviders: options.onSignInProviders,
    ...(options.consoleLog ? { consoleLog: options.consoleLog } : {}),
    log: options.log ?? pino({ level: 'silent' }),
    ...(options.events && { events: eventsIn(path.join(folder, 'events'), options.events) }),
    ...(options.ldap !== undefined && ldapOptions(options.ldap)),
    ...(options.outgoing !== undefined && { outgoing: outgoingTo(options.outgoing) }),
    ...(options.replication && { replication: { egress: loadReplicationEgress, ...replication } }),
    control: (command) => void commands.push(command),
  })
  const { port } = await server.listen(0, '127.0.0.1')
  const url = `http://127.0.0.1:${port}`
  const clients: S3Client[] = []
  return {
    url,
    port,
    server,
    engine,
    folder,
    certificates: path.join(folder, 'events', 'certs'),
    commands,
    s3(credentials = ROOT_CREDENTIALS, config = {}) {
      const { accessKey: accessKeyId, secretKey: secretAccessKey, sessionToken } = credentials
      const client = new S3Client({
        endpoint: url,
        region: TEST_REGION,
        forcePathStyle: true,
        maxAttempts: 1,
        credentials: { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) },
        ...config,
      })
      clients.push(client)
      return client
    },
    listUnfinishedBodies: async () =>
      (await Promise.all(drives.map((drive) => readdir(path.join(drive, 'tmp'))))).flat(),
    send: (request) => send(port, request),
    async [Symbol.asyncDispose]() {
      for (const client of clients) client.destroy()
      await server.close()
      await engine.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function outgoingTo(allow: string) {
  const egress = egressTo(allow)
  return () => Promise.resolve(egress.dispatcher)
}

function ldapOptions(allow: string) {
  const egress = egressTo(allow)
  return { ldapEgress: async () => egress }
}

function eventsIn(folder: string, { allow, ...waits }: { allow: string; wait?: DeliveryWait; againMs?: number }) {
  const egress = egressTo(allow)
  const folders = {
    folder,
    queueFolders: [path.join(folder, 'queues')],
    certificateFolders: [path.join(folder, 'certs')],
  }
  const texts = { STOWAGE_EGRESS_ALLOW: allow }
  return { delivery: { loadEgress: async () => egress, egress: texts, ownPorts: () => [], ...folders }, ...waits }
}

/** Creates the egress guard of a test. */
export function egressTo(allow: string, headersTimeoutMs?: number) {
  const settings = z.object(egressSettings).parse({ STOWAGE_EGRESS_ALLOW: allow })
  return createEgress({ ...egressRules(settings), ...(headersTimeoutMs !== undefined && { headersTimeoutMs }) })
}

/** Starts a store with one bucket and a client, as most test files need. */
export async function startWithBucket(Bucket: string) {
  const store = await startTestStore()
  const s3 = store.s3()
  await s3.send(new CreateBucketCommand({ Bucket }))
  const put = (Key: string, Body: string | Buffer, more: Partial<PutObjectCommandInput> = {}) =>
    s3.send(new PutObjectCommand({ Bucket, Key, Body, ...more }))
  return { store, s3, Bucket, put }
}

/** Returns the MD5 in hexadecimal, as in an ETag. */
export const md5 = (data: string | Buffer) => createHash('md5').update(data).digest('hex')

async function send(port: number, raw: RawRequest): Promise<RawAnswer> {
  const method = raw.method ?? 'GET'
  const rawPath = raw.rawPath ?? encodePath(raw.path ?? '/')
  const body = typeof raw.body === 'string' ? Buffer.from(raw.body) : raw.body
  const headers: Record<string, string> = { host: `127.0.0.1:${port}`, ...raw.headers }
  if (body && headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) {
    headers['content-length'] = String(body.length)
  }
  const signed = raw.credentials === 'anonymous' ? headers : sign(raw, method, rawPath, headers, body)
  raw.tamper?.(signed)
  return sendRawRequest(port, method, rawPath + (raw.query ? `?${raw.query}` : ''), signed, body)
}

function sign(
  raw: RawRequest,
  method: string,
  path: string,
  headers: Record<string, string>,
  body: Buffer | undefined,
): Record<string, string> {
  const { credentials = ROOT_CREDENTIALS, region = TEST_REGION, service, now } = raw
  if (credentials === 'anonymous') return headers
  const payloadHash =
    raw.payloadHash ??
    createHash('sha256')
      .update(body ?? '')
      .digest('hex')
  const request = { method, path, query: raw.query ?? '', headers }
  return signHeaders(request, {
    credentials,
    region,
    payloadHash,
    ...(service ? { service } : {}),
    ...(now ? { now } : {}),
  }).headers
}

/** Sends one raw request on a new connection. */
export function sendRawRequest(
  port: number,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: Buffer,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port, method, path, headers, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const bytes = Buffer.concat(chunks)
        const text = bytes.toString('utf8')
        const code = /<Code>([^<]*)<|"Code":"([^"]*)"/.exec(text)
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: bytes,
          text,
          code: code?.[1] ?? code?.[2],
        })
      })
    })
    request.on('error', reject)
    request.end(body)
  })
}

/** Returns a presigned path and query. */
export function presignedPath(
  port: number,
  method: string,
  path: string,
  options: {
    expiresSeconds?: number
    now?: Date
    headers?: Record<string, string>
    credentials?: SigningCredentials
    region?: string
  } = {},
): string {
  const { expiresSeconds = 60, now, headers = {}, credentials = ROOT_CREDENTIALS, region = TEST_REGION } = options
  const rawPath = encodePath(path)
  const request = { method, path: rawPath, query: '', headers: { host: `127.0.0.1:${port}`, ...headers } }
  return `${rawPath}?${presign(request, { credentials, region, expiresSeconds, ...(now ? { now } : {}) })}`
}

/** Returns the complete body of an SDK answer. */
export async function readSdkBody(answer: { Body?: { transformToByteArray(): Promise<Uint8Array> } | undefined }) {
  return Buffer.from((await answer.Body?.transformToByteArray()) ?? [])
}

/** Returns the error code of a failed SDK call. */
export async function sdkErrorCode(call: Promise<unknown>): Promise<string> {
  try {
    await call
    return 'no error'
  } catch (error) {
    return error instanceof Error ? error.name : String(error)
  }
}
