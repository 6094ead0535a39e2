import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLiveStream, MAX_LIVE_ROWS } from './live-stream.ts'

/** Replaces the browser's WebSocket, which this environment lacks. Tests send the server's messages by hand. */
class FakeSocket {
  static all: FakeSocket[] = []
  sent: string[] = []
  closedWith: number | undefined
  onopen = () => {}
  onmessage = (_: { data: string }) => {}
  onclose = (_: { code: number; reason: string }) => {}
  constructor(
    readonly url: URL,
    readonly protocols: string[],
  ) {
    FakeSocket.all.push(this)
  }
  send(text: string) {
    this.sent.push(text)
  }
  close(code = 0) {
    this.closedWith = code
  }
  frame(frame: object) {
    this.onmessage({ data: JSON.stringify(frame) })
  }
}

beforeEach(() => {
  vi.useFakeTimers()
  FakeSocket.all = []
  vi.stubGlobal('WebSocket', FakeSocket)
  vi.stubGlobal('location', { href: 'https://console.example/tools/trace', pathname: '/tools/trace' })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const trace = () => createLiveStream('trace', () => ({ query: { calls: 's3' } }))
const last = () => FakeSocket.all.at(-1) as FakeSocket
const texts = (stream: ReturnType<typeof trace>) =>
  stream.get().rows.map((row) => (row.gap ? row.gap.kind : (row.message as unknown as number)))

test('it opens wss below the base path, and sends ok at once and every 10 s until it is stopped [SHL-51]', () => {
  const stream = trace()
  stream.start()
  const socket = last()
  expect(String(socket.url)).toBe('wss://console.example/ws/trace?calls=s3')
  expect(socket.protocols).toEqual(['stowage.1'])
  socket.onopen()
  expect(socket.sent).toEqual(['ok'])
  vi.advanceTimersByTime(20_000)
  expect(socket.sent).toEqual(['ok', 'ok', 'ok'])
  stream.stop()
  expect(socket.closedWith).toBe(1000)
  socket.onclose({ code: 1000, reason: '' })
  vi.advanceTimersByTime(20_000)
  expect(socket.sent).toHaveLength(3)
  expect(stream.get().status).toBe('stopped')
})

test('a stream without keep-alive sends ok only once [SHL-51]', () => {
  const stream = createLiveStream('trace', () => ({ query: {} }), { keepAlive: false })
  stream.start()
  last().onopen()
  vi.advanceTimersByTime(30_000)
  expect(last().sent).toEqual(['ok'])
})

test.each([
  [1000, 'ended'],
  [1005, 'failed'],
  [1006, 'failed'],
  [1008, 'failed'],
  [1011, 'failed'],
])('a socket that closes with %d has %s [DIA-02]', async (code, status) => {
  vi.stubGlobal('fetch', async () => Response.json({ status: 'ok' }))
  const stream = createLiveStream('healthInfo', () => ({ query: { deadline: '1h' } }), { inBackground: true })
  stream.start()
  last().onopen()
  last().frame({ kind: 'started' })
  expect(stream.get().status).toBe('running')
  last().onclose({ code, reason: '' })
  await vi.waitFor(() => expect(stream.get().status).toBe(status))
})

test('messages become rows, and so do gaps', () => {
  const stream = trace()
  stream.start()
  expect(stream.get().status).toBe('connecting')
  last().frame({ kind: 'started' })
  expect(stream.get().status).toBe('running')
  last().frame({ kind: 'messages', messages: [1, 2] })
  last().frame({ kind: 'lost', count: 5 })
  last().frame({ kind: 'interrupted', message: 'gone', retryMs: 500 })
  expect(stream.get().status).toBe('interrupted')
  last().frame({ kind: 'resumed' })
  last().frame({ kind: 'messages', messages: [3] })
  vi.advanceTimersByTime(250)
  expect(texts(stream)).toEqual([1, 2, 'lost', 'interrupted', 3])
  expect(stream.get()).toMatchObject({ received: 3, lost: 5, status: 'running' })
})

test('the newest rows are kept, and the rows shown while paused do not change', () => {
  const stream = trace()
  stream.start()
  last().frame({ kind: 'messages', messages: [0] })
  vi.advanceTimersByTime(250)
  stream.pause(true)
  for (let i = 0; i < 25; i++)
    last().frame({ kind: 'messages', messages: Array.from({ length: 1_000 }, (_, n) => i * 1_000 + n + 1) })
  vi.advanceTimersByTime(250)
  expect(texts(stream)).toEqual([0])
  expect(stream.get().received).toBe(25_001)
  stream.pause(false)
  expect(stream.get().rows).toHaveLength(MAX_LIVE_ROWS)
  expect(texts(stream).at(-1)).toBe(25_000)
  expect(new Set(stream.get().rows.map(({ id }) => id)).size).toBe(MAX_LIVE_ROWS)
})

test('a tab has one stream: the next one stops it', () => {
  const [first, second] = [trace(), trace()]
  first.start()
  const socket = last()
  second.start()
  expect(socket.closedWith).toBe(1000)
  expect(first.get().status).toBe('stopped')
  // Messages of the old connection are ignored.
  socket.frame({ kind: 'messages', messages: [1] })
  expect(first.get().received).toBe(0)
})

test('a failure shows the message of its frame, and an end is not a failure', () => {
  const stream = trace()
  stream.start()
  last().frame({ kind: 'failed', error: { code: 403, message: 'access denied', detailedMessage: 'no' } })
  last().onclose({ code: 1008, reason: 'cut' })
  expect(stream.get().failure).toMatchObject({ status: 403, errorMessage: 'Access denied' })
  stream.start()
  last().onclose({ code: 1000, reason: '' })
  expect(stream.get()).toMatchObject({ status: 'ended', failure: undefined })
})

test('a connection that does not open times out after 5 s, and the page explains what a proxy must do', async () => {
  vi.stubGlobal('fetch', async () => new Response('{}', { status: 200 }))
  const stream = trace()
  stream.start()
  const socket = last()
  vi.advanceTimersByTime(4_999)
  expect(socket.closedWith).toBeUndefined()
  vi.advanceTimersByTime(1)
  expect(socket.closedWith).toBe(0)
  socket.onclose({ code: 1006, reason: '' })
  await vi.waitFor(() => expect(stream.get().status).toBe('failed'))
  expect(stream.get().failure?.detailedError).toContain('Upgrade')
})

test('after close code 1006 the session is checked, and its end is reported', async () => {
  vi.stubGlobal('fetch', async () => new Response('{"message":"invalid session"}', { status: 401 }))
  const stream = trace()
  stream.start()
  last().onopen()
  last().onclose({ code: 1006, reason: '' })
  await vi.waitFor(() => expect(stream.get().failure?.status).toBe(401))
})

test.each([
  ['succeeds', 200],
  ['fails', 502],
])(
  'a failure of an earlier connection does not change a restarted stream, if finding its cause %s',
  async (_, status) => {
    const answers: (() => void)[] = []
    vi.stubGlobal('fetch', () => new Promise((resolve) => answers.push(() => resolve(new Response('{}', { status })))))
    const stream = trace()
    stream.start()
    last().onopen()
    last().onclose({ code: 1006, reason: '' })
    await vi.waitUntil(() => answers.length === 1)
    stream.start()
    last().onopen()
    last().frame({ kind: 'started' })
    answers[0]?.()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(stream.get()).toMatchObject({ status: 'running', failure: undefined })
  },
)
