import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { WidgetLine } from '@stowage/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startConsole, type TestConsole } from '../../support/console/start-console.ts'

/** A server in place of Prometheus, whose answers each test defines. */
let prometheus: Server
interface Answer {
  status?: number
  text: string
}
let answer: (request: IncomingMessage, path: string) => Answer | Promise<Answer>
const asked: { path: string; query: URLSearchParams; authorization: string | undefined }[] = []
let c: TestConsole

const json = (data: unknown) => ({ text: JSON.stringify({ status: 'success', data }) })
const matrix = (...values: [number, string][]) =>
  json({ resultType: 'matrix', result: [{ metric: { server: 'a' }, values }] })

beforeAll(async () => {
  prometheus = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://prometheus')
    asked.push({ path: pathname, query: searchParams, authorization: request.headers.authorization })
    void Promise.resolve(answer(request, pathname)).then(({ status = 200, text }) => {
      response.writeHead(status).end(text)
    })
  })
  await new Promise<void>((resolve) => prometheus.listen(0, '127.0.0.1', resolve))
  const { port } = prometheus.address() as AddressInfo
  c = await startConsole({
    env: {
      CONSOLE_PROMETHEUS_URL: `http://127.0.0.1:${port}/prom/`,
      STOWAGE_PROMETHEUS_AUTH_USERNAME: 'reader',
      STOWAGE_PROMETHEUS_AUTH_PASSWORD: 'secret',
      STOWAGE_PROMETHEUS_EXTRA_LABELS: 'cluster=north',
    },
  })
})
afterAll(async () => {
  await c[Symbol.asyncDispose]()
  prometheus.close()
})

const widget = async (id: number, query = {}) => await c.call('getWidget', { params: { id }, query })
const failure = async (id = 76) => {
  const response = await c.root.send('getWidget', { params: { id } })
  return { status: response.status, ...(await response.json()) }
}

test('if Prometheus is configured, each target of a widget is one query, with job, labels and sign-in [DSH-09]', async () => {
  asked.length = 0
  answer = () => matrix([100, '5'], [160, 'NaN'], [220, '+Inf'])
  const { targets, type } = await widget(73, { step: 60, start: 100, end: 700 })
  expect((await c.call('getAdminInfo', {})).metrics).toBe('prometheus')
  expect(type).toBe('graph')
  // Values that are not numbers are left out.
  expect(targets.map(({ result }) => result)).toEqual(
    Array.from({ length: 2 }, () => [{ metric: { server: 'a' }, values: [[100, '5']] }]),
  )
  const questions = asked.map(({ path, query, authorization }) => ({
    path,
    ...Object.fromEntries(query),
    authorization,
  }))
  expect(questions).toEqual(
    ['rchar', 'wchar'].map((kind) => ({
      path: '/prom/api/v1/query_range',
      query: `sum by (server) (rate(minio_node_io_${kind}_bytes{job="minio-job", cluster="north"}[240s]))`,
      start: '100',
      end: '700',
      step: '60',
      authorization: `Basic ${Buffer.from('reader:secret').toString('base64')}`,
    })),
  )
})

test.each([
  ['ten years', { start: 0, end: 315_360_000, step: 1 }, 315_360],
  ['a step of 1e9', { start: 0, end: 600, step: 1e9 }, 1e9],
  ['a clock that is an hour ahead', { start: 4e9, end: 4e9 + 900, step: 15 }, 15],
])('%s asks for at most 1,000 points', async (_what, range, step) => {
  asked.length = 0
  answer = () => matrix([100, '5'])
  await widget(76, range)
  const [question] = asked.map(({ query }) => Object.fromEntries(query))
  expect(question).toMatchObject({ start: String(range.start), end: String(range.end), step: String(step) })
})

test('without values the jobs are checked: the error has the wrong one and the existing ones', async () => {
  const empty = json({ resultType: 'matrix', result: [] })
  answer = (_, path) => (path.endsWith('/label/job/values') ? json(['minio', 'node']) : empty)
  expect(await failure()).toMatchObject({
    status: 500,
    detailedMessage: 'Prometheus has no job minio-job. It has: minio, node',
  })
  answer = (_, path) => (path.endsWith('/label/job/values') ? json(['minio-job']) : empty)
  expect((await widget(76)).targets).toMatchObject([{ result: [] }])
})

test.each<[string, () => { status?: number; text: string }, string]>([
  ['refuses', () => ({ status: 401, text: 'Unauthorized' }), 'Prometheus refuses the credentials of the console'],
  [
    'answers with a page',
    () => ({ text: '<html>Welcome</html>' }),
    'The server at the address of Prometheus is not a Prometheus',
  ],
  [
    'answers with other JSON',
    () => ({ text: '{"a":1}' }),
    'The server at the address of Prometheus is not a Prometheus',
  ],
  ['has no list', () => json({ result: 5 }), 'The server at the address of Prometheus is not a Prometheus'],
  [
    'cannot compute it',
    () => ({ status: 422, text: JSON.stringify({ status: 'error', error: 'query timed out' }) }),
    'query timed out',
  ],
])('a Prometheus that %s fails the widget, with the reason', async (_how, answers, detail) => {
  answer = answers
  expect(await failure()).toMatchObject({
    status: 500,
    message: 'an error occurred, please try again',
    detailedMessage: detail,
  })
})

test('the widgets of a tab are one call; each line has its values or its error, and a slow one holds up no other', async () => {
  let release = () => {}
  const slow = new Promise<void>((resolve) => (release = resolve))
  answer = async (request) => {
    const asked = new URL(request.url ?? '', 'http://prometheus').searchParams.get('query') ?? ''
    if (asked.includes('cpu')) await slow
    if (asked.includes('open_total'))
      return { status: 422, text: JSON.stringify({ status: 'error', error: 'too many' }) }
    return matrix([100, '5'])
  }
  const response = await c.root.send('getWidgets', { query: { ids: '77,76,999,8,76', step: 60, start: 100, end: 700 } })
  expect(response.status).toBe(200)
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  while (text.split('\n').length < 4) text += (await reader?.read())?.value ?? ''
  release()
  for (let next = await reader?.read(); !next?.done; next = await reader?.read()) text += next?.value ?? ''
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as WidgetLine)
  expect(lines.at(-1)).toMatchObject({ id: 77, widget: { title: 'Node CPU Usage' } })
  expect(new Map(lines.map((line) => [line.id, 'widget' in line ? line.widget.title : line]))).toEqual(
    new Map<number, unknown>([
      [999, { id: 999, status: 404, error: expect.objectContaining({ code: 404, message: 'Widget not found' }) }],
      [8, { id: 8, status: 500, error: expect.objectContaining({ code: 500, detailedMessage: 'too many' }) }],
      [76, 'Node Memory Usage'],
      [77, 'Node CPU Usage'],
    ]),
  )
})

test.each(['', ',', '1,', 'a', '1;2', '1 2', '-1', '1'.repeat(9), Array(65).fill(1).join(',')])(
  'the list of widgets %j is refused',
  async (ids) => {
    expect((await c.root.send('getWidgets', { query: { ids } })).status).toBe(400)
  },
)

test.each([
  ['an unknown widget', { params: { id: 999 } }, 404, { message: 'Widget not found' }],
  ['a start after the end', { params: { id: 1 }, query: { start: 2, end: 1 } }, 400, { field: 'start' }],
  ['a step of -1', { params: { id: 1 }, query: { step: -1 } }, 400, { field: 'step' }],
])('%s is refused', async (_what, input, status, body) => {
  const response = await c.root.send('getWidget', input)
  expect([response.status, await response.json()]).toMatchObject([status, body])
})

test('the values need admin:ServerInfo or admin:Prometheus', async () => {
  answer = () => matrix([100, '5'])
  const widgetStatus = async (actions: string[]) => {
    const caller = await c.signInWith({ Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: actions }] })
    const response = await caller.send('getWidget', { params: { id: 76 } })
    await response.body?.cancel()
    return response.status
  }
  expect(await widgetStatus(['admin:ServerInfo'])).toBe(200)
  expect(await widgetStatus(['admin:Prometheus'])).toBe(200)
  expect(await widgetStatus(['admin:ListUsers'])).toBe(403)
  const stranger = await c.signInWith({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: ['admin:ListUsers'] }],
  })
  expect((await stranger.send('getWidgets', { query: { ids: '76' } })).status).toBe(403)
})

test('if Prometheus is down, the widget fails with the text of the original and the usage view still works', async () => {
  prometheus.close()
  prometheus.closeAllConnections()
  const response = await c.root.send('getWidget', { params: { id: 1 }, query: { step: 15, start: 1, end: 2 } })
  expect([response.status, await response.json()]).toMatchObject([
    500,
    { code: 500, message: 'an error occurred, please try again', detailedMessage: 'Prometheus URL is unreachable' },
  ])
  const info = await c.call('getAdminInfo', {})
  expect(info.widgets).toHaveLength(28)
  expect(info.servers).toHaveLength(1)
})
