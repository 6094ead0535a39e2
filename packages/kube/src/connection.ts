import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, type buildConnector, type Dispatcher, errors } from 'undici'
import { KubeError } from './errors.ts'

export interface ClusterOptions {
  /** Address of the API server, as in `https://10.0.0.1:6443`; a path is kept as a prefix. */
  readonly server: string
  /** Authorities in PEM that the server's certificate is checked against. Default: those of Node. */
  readonly ca?: string | undefined
  /** The name that the certificate must carry, where it is not the address's. */
  readonly serverName?: string | undefined
  /** Client certificate and key in PEM, for clusters whose administrators have no token. */
  readonly cert?: string | undefined
  readonly key?: string | undefined
  /** Opens connections, for instance only to permitted addresses. Replaces the TLS options above. */
  readonly connector?: buildConnector.connector
  /** Default `stowage`. */
  readonly userAgent?: string
  /** How long the server may take to begin an answer, and to go on with it. Default 30,000. */
  readonly timeoutMs?: number
  readonly retry?: Partial<Retry>
}

/** Repeats reads that failed on their way, and calls that the server asked to repeat. */
export interface Retry {
  /** Tries in all; 1 switches it off. Default 3. */
  readonly attempts: number
  /** The wait before try n is random, up to unit × 2^(n-2). Default 250. */
  readonly unitMs: number
  /** Longest wait, also where the server asks for more. Default 5,000. */
  readonly maxMs: number
  readonly random: () => number
}

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Encoded, beginning with `/api`. */
  readonly path: string
  /** Undefined members are left out. */
  readonly query?: Query
  /** Sent as JSON. */
  readonly body?: unknown
  /** Default `application/json`. */
  readonly contentType?: string
  readonly signal?: AbortSignal | undefined
}

export type Query = Readonly<Record<string, string | number | boolean | undefined>>

/** A bearer token; a function gives the one that is valid at the time of each request. Undefined: no token is sent. */
export type Token = string | (() => Promise<string>) | undefined

/** An answer that comes as it is made. */
export interface Stream {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: AsyncIterable<Buffer>
}

/** The way to one API server; its connections are shared by all who call through it. */
export interface Connection {
  /**
   * The parsed answer; undefined when it is empty.
   * @throws KubeError when the server refuses; the network's own errors
   */
  call(token: Token, call: Call): Promise<unknown>
  /** @throws KubeError when the server refuses; the network's own errors, also from the body */
  stream(token: Token, call: Call, idleMs: number): Promise<Stream>
  close(): Promise<void>
}

const RETRY: Retry = { attempts: 3, unitMs: 250, maxMs: 5_000, random: Math.random }
/** A connection that came about and broke. One that was refused, or timed out, would only do so again. */
const RETRIED_FAILURE = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])
/** Connections for calls; a call beyond them waits for a free one. Watches and logs have connections of their own. */
const CONNECTIONS = 32

/** Longest answers, in bytes. A list comes in pages of at most 500 objects of at most 1.5 MiB each, in practice far less. */
const MAX_ANSWER = 128 * 2 ** 20
const MAX_FAILURE = 2 ** 20

export function openConnection(options: ClusterOptions): Connection {
  const { origin, pathname } = new URL(options.server)
  const prefix = pathname.replace(/\/+$/, '')
  const timeoutMs = options.timeoutMs ?? 30_000
  const retry = { ...RETRY, ...options.retry }
  const agentOptions: Agent.Options = {
    connect: options.connector ?? connectOptions(options),
    keepAliveTimeout: 60_000,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  }
  const calls = new Agent({ ...agentOptions, connections: CONNECTIONS })
  const streams = new Agent(agentOptions)

  const send = async (agent: Agent, token: Token, call: Call, bodyTimeout: number) => {
    const bearer = typeof token === 'function' ? await token() : token
    return await agent.request({
      origin,
      method: call.method,
      path: prefix + call.path + queryText(call.query),
      headers: {
        accept: 'application/json',
        'user-agent': options.userAgent ?? 'stowage',
        ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
        ...(call.body === undefined ? {} : { 'content-type': call.contentType ?? 'application/json' }),
      },
      body: call.body === undefined ? null : JSON.stringify(call.body),
      bodyTimeout,
      ...(call.signal && { signal: call.signal }),
    })
  }

  const callOnce = async (token: Token, call: Call): Promise<unknown> => {
    const answer = await send(calls, token, call, timeoutMs)
    if (answer.statusCode < 200 || answer.statusCode > 299) throw await failureOf(answer)
    return parse(await readBody(answer.body, MAX_ANSWER), answer.statusCode)
  }

  return {
    async call(token, call) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await callOnce(token, call)
        } catch (error) {
          const asked = attempt < retry.attempts ? repeatAfter(error, call) : undefined
          if (asked === undefined) throw error
          const wait = Math.max(asked, retry.random() * retry.unitMs * 2 ** (attempt - 1))
          await sleep(Math.min(retry.maxMs, wait), undefined, call.signal ? { signal: call.signal } : {})
        }
      }
    },
    async stream(token, call, idleMs) {
      const answer = await send(streams, token, call, idleMs)
      // 204: the log of a pod that has no node yet.
      if (answer.statusCode !== 200 && answer.statusCode !== 204) throw await failureOf(answer)
      return { headers: answer.headers, body: answer.body }
    },
    async close() {
      await Promise.all([calls.destroy(), streams.destroy()])
    },
  }
}

function connectOptions({ ca, serverName, cert, key }: ClusterOptions): buildConnector.BuildOptions {
  return {
    timeout: 5_000,
    keepAlive: true,
    keepAliveInitialDelay: 15_000,
    ...(ca === undefined ? {} : { ca }),
    ...(serverName === undefined ? {} : { servername: serverName }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  }
}

function queryText(query: Query = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}

/** How long to wait before the call is made again; undefined when it must not be. */
function repeatAfter(error: unknown, call: Call): number | undefined {
  // The server asks for it, having done nothing: too many requests, or it is starting.
  if (error instanceof KubeError)
    return error.code === 'TooManyRequests' || (error.status === 503 && call.method === 'GET')
      ? (error.retryAfterMs ?? 0)
      : undefined
  const broken = error instanceof Error && 'code' in error && RETRIED_FAILURE.has(String(error.code))
  return broken && call.method === 'GET' ? 0 : undefined
}

async function failureOf({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<KubeError> {
  const text = await readBody(body, MAX_FAILURE)
  const retryAfter = headers['retry-after']
  return KubeError.fromAnswer(statusCode, text, typeof retryAfter === 'string' ? retryAfter : undefined)
}

async function readBody(body: AsyncIterable<Buffer>, longest: number): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > longest)
      throw new errors.ResponseExceededMaxSizeError(`The API server's answer is longer than ${longest} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size).toString('utf8')
}

function parse(text: string, status: number): unknown {
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text)
  } catch (cause) {
    const message = 'The answer is not JSON. Is this the address of a Kubernetes API server?'
    throw new KubeError({ kind: 'Status', reason: 'NotJson', message, code: status }, { cause })
  }
}
