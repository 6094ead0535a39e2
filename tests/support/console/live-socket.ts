import { type ApiError, endpoints, LIVE_PROTOCOL, type LiveFrame, type Operation } from '@stowage/contract'
import { WebSocket } from 'ws'
import type { TestCaller } from './caller.ts'

/** A refused upgrade. */
export class UpgradeRefused extends Error {
  override readonly name = 'UpgradeRefused'
  constructor(
    readonly status: number,
    readonly body: ApiError | undefined,
  ) {
    super(`${status} ${body?.message ?? ''}`)
  }
}

export interface LiveClient extends AsyncDisposable {
  socket: WebSocket
  /** Returns the next frame as JSON. @throws if the connection closes first */
  next(): Promise<Frame>
  /** Returns the next frame of a kind; skips others. */
  nextOfKind<K extends Frame['kind']>(kind: K): Promise<Extract<Frame, { kind: K }>>
  /** Returns the next message from the batches. */
  message(): Promise<Record<string, unknown>>
  closed: Promise<{ code: number; reason: string }>
}

// biome-ignore lint/suspicious/noExplicitAny: the messages of any call
type Frame = LiveFrame<any>

interface LiveOptions {
  /** False: acts as a client of the original, without the subprotocol; `next` returns plain messages. */
  ours?: boolean
  headers?: Record<string, string>
  /** Bytes; 0: no limit. */
  maxPayload?: number
}

/** Opens a WebSocket call of the console. @throws UpgradeRefused */
export async function openLiveClient(
  caller: TestCaller,
  operation: Operation,
  input: { params?: Record<string, string>; query?: Record<string, unknown> },
  { ours = true, headers = {}, maxPayload = 100 << 20 }: LiveOptions = {},
): Promise<LiveClient> {
  const path = endpoints[operation].path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(input.params?.[name] ?? '')),
  )
  const search = new URLSearchParams(
    Object.entries(input.query ?? {}).map(([name, value]) => [name, String(value)] satisfies [string, string]),
  )
  const url = `${caller.url.replace(/^http/, 'ws')}${path}?${search}`
  const socket = new WebSocket(url, ours ? [LIVE_PROTOCOL] : [], {
    maxPayload,
    headers: { ...(caller.session ? { authorization: `Bearer ${caller.session}` } : {}), ...headers },
  })
  const frames: Frame[] = []
  const messages: Record<string, unknown>[] = []
  let wake = () => {}
  let over: { code: number; reason: string } | undefined
  socket.on('message', (data) => {
    frames.push(JSON.parse(String(data)) as Frame)
    wake()
  })
  const closed = new Promise<{ code: number; reason: string }>((resolve) =>
    socket.on('close', (code, reason) => {
      over = { code, reason: reason.toString('utf8') }
      resolve(over)
      wake()
    }),
  )
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
    socket.once('unexpected-response', (_request, response) => {
      let text = ''
      response.on('data', (chunk) => (text += chunk))
      response.on('end', () => reject(new UpgradeRefused(response.statusCode ?? 0, parsed(text))))
    })
  })
  socket.on('error', () => {})
  const next = async (): Promise<Frame> => {
    for (;;) {
      const frame = frames.shift()
      if (frame) return frame
      if (over) throw new Error(`closed with ${over.code} ${over.reason}`)
      await new Promise<void>((resolve) => (wake = resolve))
    }
  }
  const nextOfKind = async <K extends Frame['kind']>(kind: K) => {
    for (;;) {
      const frame = await next()
      if (frame.kind === kind) return frame as Extract<Frame, { kind: K }>
    }
  }
  return {
    socket,
    next,
    nextOfKind,
    async message() {
      while (messages.length === 0) messages.push(...(await nextOfKind('messages')).messages)
      return messages.shift() as Record<string, unknown>
    },
    closed,
    async [Symbol.asyncDispose]() {
      socket.close()
      if (!over) await closed
    },
  }
}

function parsed(text: string): ApiError | undefined {
  try {
    return JSON.parse(text) as ApiError
  } catch {
    return undefined
  }
}
