import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, type buildConnector, type Dispatcher, errors } from 'undici'
import { KubeError } from './kube-error.ts'

export interface ClusterOptions {
  /** Address of the API server, as in `https://10.0.0.1:6443`; a path is kept as a prefix. */
  readonly server: string
  /** Certificate authorities for the server's certificate (PEM). Default: those of Node. */
  readonly ca?: string | undefined
  /** The name that the certificate must contain, if it differs from the address. */
  readonly serverName?: string | undefined
  /** Client certificate and key (PEM), for clusters whose administrators have no token. */
  readonly cert?: string | undefined
  readonly key?: string | undefined
  /** Opens connections, for instance only to permitted addresses. Replaces the TLS options above. */
  readonly connector?: buildConnector.connector
  /** Default `stowage`. */
  readonly userAgent?: string
  /** Timeout until the answer starts, and between its parts (ms). Default 30,000. */
  readonly timeoutMs?: number
  readonly retry?: Partial<KubeRetryOptions>
}

/** Repeats reads whose connection failed, and calls that the server asks to repeat. */
export interface KubeRetryOptions {
  /** Maximum number of attempts; 1 disables retries. Default 3. */
  readonly attempts: number
  /** The pause before attempt n is random, up to unit × 2^(n-2). Default 250. */
  readonly unitMs: number
  /** Longest pause, also if the server asks for a longer one. Default 5,000. */
  readonly maxMs: number
  readonly random: () => number
}

export interface KubeCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Encoded, starting with `/api`. */
  readonly path: string
  /** Undefined members are left out. */
  readonly query?: KubeQuery
  /** Sent as JSON. */
  readonly body?: unknown
  /** Default `application/json`. */
  readonly contentType?: string
  readonly signal?: AbortSignal | undefined
}

export type KubeQuery = Readonly<Record<string, string | number | boolean | undefined>>

/** A bearer token; a function returns the token that is valid at the time of each request. Undefined: no token is sent. */
export type KubeToken = string | (() => Promise<string>) | undefined

/** A streamed answer. */
export interface KubeStream {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: AsyncIterable<Buffer>
}

/** The connection to one API server, shared by all callers. */
export interface ClusterConnection {
  /**
   * Sends a call and returns the parsed answer; undefined if it is empty.
   * @throws KubeError if the server refuses it; network errors
   */
  call(token: KubeToken, call: KubeCall): Promise<unknown>
  /** @throws KubeError if the server refuses it; network errors, also while the body is read */
  stream(token: KubeToken, call: KubeCall, idleMs: number): Promise<KubeStream>
  close(): Promise<void>
}

const RETRY: KubeRetryOptions = { attempts: 3, unitMs: 250, maxMs: 5_000, random: Math.random }
/** Codes of connections that were established and then broke. A connection that was refused or timed out is not retried. */
const RETRIED_FAILURE = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])
/** Maximum number of connections for calls; further calls wait for a free one. Watches and logs use separate connections. */
const CONNECTIONS = 32

/** Maximum size of an answer, in bytes. A page of a list has at most 500 objects of at most 1.5 MiB, in practice much less. */
const MAX_ANSWER = 128 * 2 ** 20
const MAX_FAILURE = 2 ** 20

export function openClusterConnection(options: ClusterOptions): ClusterConnection {
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

  const send = async (agent: Agent, token: KubeToken, call: KubeCall, bodyTimeout: number) => {
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

  const callOnce = async (token: KubeToken, call: KubeCall): Promise<unknown> => {
    const answer = await send(calls, token, call, timeoutMs)
    if (answer.statusCode < 200 || answer.statusCode > 299) throw await readKubeError(answer)
    return parse(await readBody(answer.body, MAX_ANSWER), answer.statusCode)
  }

  return {
    async call(token, call) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await callOnce(token, call)
        } catch (error) {
          const asked = attempt < retry.attempts ? retryDelay(error, call) : undefined
          if (asked === undefined) throw error
          const wait = Math.max(asked, retry.random() * retry.unitMs * 2 ** (attempt - 1))
          await sleep(Math.min(retry.maxMs, wait), undefined, call.signal ? { signal: call.signal } : {})
        }
      }
    },
    async stream(token, call, idleMs) {
      const answer = await send(streams, token, call, idleMs)
      // 204: the log of a pod that has no node yet.
      if (answer.statusCode !== 200 && answer.statusCode !== 204) throw await readKubeError(answer)
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

function queryText(query: KubeQuery = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}

/** Returns how long to wait before the call is repeated; undefined if it must not be repeated. */
function retryDelay(error: unknown, call: KubeCall): number | undefined {
  // The server asks for it, and has done nothing yet: too many requests, or it is still starting.
  if (error instanceof KubeError)
    return error.code === 'TooManyRequests' || (error.status === 503 && call.method === 'GET')
      ? (error.retryAfterMs ?? 0)
      : undefined
  const broken = error instanceof Error && 'code' in error && RETRIED_FAILURE.has(String(error.code))
  return broken && call.method === 'GET' ? 0 : undefined
}

async function readKubeError({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<KubeError> {
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
