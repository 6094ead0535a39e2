import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { openCluster } from './kube.ts'
import { resources } from './resources.ts'
import { reconnectDelay } from './watch.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

type Answer = (query: URLSearchParams, response: ServerResponse) => void

/** An API server that answers lists and watches as scripted, in order; the last answer of each is repeated. */
async function scripted(lists: Answer[], watches: Answer[]) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://server')
    const isWatch = searchParams.get('watch') === 'true'
    asked.push(isWatch ? `watch ${searchParams.get('resourceVersion')}` : `list ${searchParams.get('continue') ?? ''}`)
    const answers = isWatch ? watches : lists
    const answer = answers.length > 1 ? answers.shift() : answers[0]
    answer?.(searchParams, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanups.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const cluster = openCluster({ server: `http://127.0.0.1:${port}` })
  cleanups.push(() => cluster[Symbol.asyncDispose]())
  return { kube: cluster.as('token'), asked }
}

const pod = (name: string, resourceVersion: string) => ({ metadata: { name, uid: name, resourceVersion } })
const listAnswer =
  (resourceVersion: string, names: string[], next?: string): Answer =>
  (_, response) =>
    response.end(
      JSON.stringify({ items: names.map((name) => pod(name, '1')), metadata: { resourceVersion, continue: next } }),
    )
const events =
  (end: 'cut' | 'end' | 'open', ...sent: [type: string, object: object][]): Answer =>
  (_, response) => {
    response.writeHead(200)
    response.flushHeaders()
    const text = sent.map(([type, object]) => `${JSON.stringify({ type, object })}\n`).join('')
    if (end === 'end') response.end(text)
    else response.write(text, () => end === 'cut' && response.destroy())
  }

const FAST = { firstWaitMs: 1, maxWaitMs: 1, idleMs: 60_000, random: () => 1 }

async function readEventTypes(kube: Awaited<ReturnType<typeof scripted>>['kube'], count: number, timing = FAST) {
  const stop = new AbortController()
  cleanups.push(() => stop.abort())
  const seen: string[] = []
  for await (const event of kube.watch(resources.pods, { signal: stop.signal, timing })) {
    const objects = event.type === 'list' ? event.objects : 'object' in event ? [event.object] : []
    seen.push([event.type, ...objects.map(({ metadata }) => metadata.name)].join(' '))
    if (seen.length === count) break
  }
  return seen
}

test('a list follows its pages to the end', async () => {
  const { kube, asked } = await scripted([listAnswer('5', ['a', 'b'], 'more'), listAnswer('5', ['c'])], [])
  const { objects, resourceVersion } = await kube.list(resources.pods)
  expect(objects.map(({ metadata }) => metadata.name)).toEqual(['a', 'b', 'c'])
  expect([asked, resourceVersion]).toEqual([['list ', 'list more'], '5'])
})

test('a watch that is cut continues from its last change or bookmark, and says so', async () => {
  const { kube, asked } = await scripted(
    [listAnswer('5', ['a'])],
    [events('cut', ['ADDED', pod('b', '6')], ['BOOKMARK', pod('', '9')]), events('open', ['MODIFIED', pod('b', '10')])],
  )
  expect(await readEventTypes(kube, 5)).toEqual(['list a', 'added b', 'interrupted', 'resumed', 'modified b'])
  expect(asked).toEqual(['list ', 'watch 5', 'watch 9'])
})

test('a version that the server has forgotten is listed anew', async () => {
  const gone = { kind: 'Status', code: 410, reason: 'Expired', message: 'too old' }
  const { kube, asked } = await scripted(
    [listAnswer('5', ['a']), listAnswer('20', ['b'])],
    [events('end', ['ERROR', gone]), events('open', ['DELETED', pod('b', '21')])],
  )
  expect(await readEventTypes(kube, 3)).toEqual(['list a', 'list b', 'deleted b'])
  expect(asked).toEqual(['list ', 'watch 5', 'list ', 'watch 20'])
})

test('a watch without any sign of life is replaced', async () => {
  const { kube, asked } = await scripted(
    [listAnswer('5', [])],
    [events('open'), events('open', ['ADDED', pod('a', '6')])],
  )
  expect(await readEventTypes(kube, 2, { ...FAST, idleMs: 20 })).toEqual(['list', 'added a'])
  expect(asked).toEqual(['list ', 'watch 5', 'watch 5'])
})

test('a refusal ends a watch, because a repetition would not help', async () => {
  const forbidden: Answer = (_, response) => response.writeHead(403).end('{"kind":"Status","reason":"Forbidden"}')
  const { kube, asked } = await scripted([listAnswer('5', [])], [forbidden])
  await expect(readEventTypes(kube, 9)).rejects.toMatchObject({ code: 'Forbidden' })
  expect(asked).toEqual(['list ', 'watch 5'])
})

test('pauses grow to a maximum, and differ so that clients do not return together', () => {
  const timing = { firstWaitMs: 500, maxWaitMs: 30_000, random: () => 1 }
  expect([1, 2, 3, 7, 50].map((failures) => reconnectDelay(failures, timing))).toEqual([
    500, 1000, 2000, 30_000, 30_000,
  ])
  expect(reconnectDelay(2, { ...timing, random: () => 0 })).toBe(500)
})
