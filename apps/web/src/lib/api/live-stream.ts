import {
  type ApiError,
  type Input,
  LIVE_CLOSE,
  LIVE_PROTOCOL,
  type LiveFrame,
  type Operation,
  type Output,
} from '@stowage/contract'
import { createStore, type ValueStore } from '../store.ts'
import { t } from '../text/i18n.ts'
import { call } from './api.ts'
import { ApiFailure } from './api-failure.ts'
import { callAddress } from './call-address.ts'
import { loseSession } from './signed-out.ts'

/** The number of rows that a stream keeps; older ones are removed. */
export const MAX_LIVE_ROWS = 10_000
/** Rows are removed in blocks, to keep the cost per row low. */
const BLOCK = 1_000
/** The interval at which new rows are shown (ms). */
const SHOW_MS = 250
/** Interval of the keep-alive message (ms), the same as in the original console. */
const ALIVE_MS = 10_000
/** Time limit for opening a connection (ms). A proxy without WebSocket support leaves the request unanswered. */
const OPEN_MS = 5_000

/** `idle`: not started, or cleared. `ended`: the server ended the stream. `stopped`: the user ended it. */
export type LiveStatus = 'idle' | 'connecting' | 'running' | 'interrupted' | 'ended' | 'stopped' | 'failed'

/** A message with its sequence number. A gap marks missing messages. */
export type LiveRow<Message> = { id: number } & (
  | { message: Message; gap?: never }
  | { gap: StreamGap; message?: never }
)

/** Messages that are missing before the next row. */
export interface StreamGap {
  /** `lost`: `count` messages were dropped. `interrupted`: the connection to the storage server was down for `count` ms. */
  kind: 'lost' | 'interrupted'
  count: number
  text: string
  at: number
}

/** The state of a stream, for a page. */
export interface LiveView<Message> {
  status: LiveStatus
  /** Oldest first, at most `MAX_LIVE_ROWS`. Not updated while paused. */
  rows: readonly LiveRow<Message>[]
  /** The number of messages received since the start. */
  received: number
  /** The number of messages that were dropped on the way. */
  lost: number
  paused: boolean
  /** ms since 1970; undefined before the first start. */
  startedAt: number | undefined
  failure: ApiFailure | undefined
  progress: { step: string; done: number } | undefined
}

export interface LiveStream<Message> extends Pick<ValueStore<LiveView<Message>>, 'get' | 'subscribe'> {
  start(): void
  stop(): void
  /** Freezes the rows that are shown while messages continue to arrive, or updates them again. */
  pause(paused: boolean): void
  clear(): void
  /** Returns all rows, including those that arrived while paused. */
  all(): readonly LiveRow<Message>[]
}

const EMPTY = {
  status: 'idle',
  rows: [],
  received: 0,
  lost: 0,
  paused: false,
  startedAt: undefined,
  failure: undefined,
  progress: undefined,
} as const

/** A live stream costs the storage server work, and a page shows one, so a tab has only one; starting another stops it. */
let current: { stop(): void } | undefined

export interface StreamOptions {
  /** False if the socket must not send keep-alive messages. */
  keepAlive?: boolean
  /** True if it must continue when another stream is started. */
  inBackground?: boolean
}

/**
 * Creates a stream that reads a WebSocket call into a ring buffer of rows. Gaps are rows too, and errors have a text.
 * @param input called at each start
 */
export function createLiveStream<O extends Operation>(
  operation: O,
  input: () => Omit<Input<O>, 'body'>,
  { keepAlive = true, inBackground = false }: StreamOptions = {},
): LiveStream<Output<O>> {
  type Message = Output<O>
  const view = createStore<LiveView<Message>>(EMPTY)
  let rows: LiveRow<Message>[] = []
  let received = 0
  let lost = 0
  let nextId = 0
  let socket: WebSocket | undefined
  let showTimer: ReturnType<typeof setTimeout> | undefined
  let interruptedAt = 0
  /** Counts the connections, so that what is found out about an earlier one does not change a later one. */
  let connections = 0

  const set = (change: Partial<LiveView<Message>>) => view.set((old) => ({ ...old, ...change }))
  const show = () => {
    clearTimeout(showTimer)
    showTimer = undefined
    const { paused } = view.get()
    set({ received, lost, ...(paused ? {} : { rows: rows.slice(-MAX_LIVE_ROWS) }) })
  }
  const showSoon = () => {
    showTimer ??= setTimeout(show, SHOW_MS)
  }
  const add = (row: { message: Message } | { gap: StreamGap }) => {
    rows.push({ id: nextId++, ...row } as LiveRow<Message>)
    if (rows.length >= MAX_LIVE_ROWS + BLOCK) rows = rows.slice(-MAX_LIVE_ROWS)
    showSoon()
  }
  const gap = (kind: StreamGap['kind'], count: number, text: string) =>
    add({ gap: { kind, count, text, at: Date.now() } })

  const take = (frame: LiveFrame<Message>) => {
    switch (frame.kind) {
      case 'started':
        set({ status: 'running', startedAt: Date.now() })
        break
      case 'messages':
        received += frame.messages.length
        for (const message of frame.messages) add({ message })
        break
      case 'lost':
        lost += frame.count
        gap('lost', frame.count, '')
        break
      case 'interrupted':
        interruptedAt ||= Date.now()
        set({ status: 'interrupted' })
        break
      case 'resumed':
        gap('interrupted', Date.now() - interruptedAt, '')
        interruptedAt = 0
        set({ status: 'running' })
        break
      case 'progress':
        set({ progress: { step: frame.step, done: frame.done } })
        break
      case 'failed':
        fail(frame.error)
        break
    }
  }
  const fail = (error: Partial<ApiError>, status = error.code ?? 0) => {
    set({ status: 'failed', failure: new ApiFailure(status, error) })
    if (status === 401) loseSession('expired')
  }

  /** Finds out why a connection failed, which the browser does not report, by making another call. */
  const explain = async (wasOpen: boolean) => {
    const failed = connections
    try {
      await call('getSession', {})
      if (connections !== failed) return
      if (wasOpen) fail({ message: t('The connection to the console was lost') }, 0)
      else
        fail({
          message: t('The live connection could not be opened'),
          detailedMessage: t(
            'A proxy in front of the console does not pass WebSockets on. Let it forward the headers Upgrade and Connection for paths that begin with /ws/.',
          ),
        })
    } catch (error) {
      if (connections !== failed) return
      set({ status: 'failed', failure: error instanceof ApiFailure ? error : new ApiFailure(0, undefined) })
    }
  }

  const connect = () => {
    const url = new URL(callAddress(operation, input()), location.href)
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
    const own = new WebSocket(url, [LIVE_PROTOCOL])
    connections++
    socket = own
    let wasOpen = false
    let alive: ReturnType<typeof setInterval> | undefined
    const openTimer = setTimeout(() => own.close(), OPEN_MS)
    own.onopen = () => {
      wasOpen = true
      clearTimeout(openTimer)
      own.send('ok')
      if (keepAlive) alive = setInterval(() => own.send('ok'), ALIVE_MS)
    }
    own.onmessage = ({ data }) => {
      if (socket === own) take(JSON.parse(String(data)) as LiveFrame<Message>)
    }
    own.onclose = ({ code, reason }) => {
      clearTimeout(openTimer)
      clearInterval(alive)
      if (socket !== own) return
      socket = undefined
      if (current === stream) current = undefined
      show()
      if (view.get().status === 'failed') return
      if (code === LIVE_CLOSE.done) set({ status: 'ended' })
      else if (code === 1006 || code === 1005) void explain(wasOpen)
      else fail({ message: reason || t('The connection to the console was lost') }, 0)
    }
  }

  const reset = () => {
    rows = []
    received = 0
    lost = 0
    interruptedAt = 0
  }
  const stream: LiveStream<Message> = {
    get: view.get,
    subscribe: view.subscribe,
    all: () => rows,
    start() {
      if (current !== stream && !inBackground) current?.stop()
      stream.stop()
      reset()
      if (!inBackground) current = stream
      view.set({ ...EMPTY, status: 'connecting' })
      connect()
    },
    stop() {
      const open = socket
      socket = undefined
      if (current === stream) current = undefined
      open?.close(LIVE_CLOSE.done)
      if (open === undefined) return
      show()
      set({ status: 'stopped' })
    },
    pause(paused) {
      set({ paused })
      show()
    },
    clear() {
      reset()
      set({ rows: [], received: 0, lost: 0 })
    },
  }
  return stream
}
