import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Prometheus } from './prometheus.ts'
import { WIDGETS } from './series/widget-definitions.ts'

const open: ServerResponse[] = []
let most = 0
/** A Prometheus that begins to answer, or not, and never ends. */
const server = createServer((request, response) => {
  open.push(response)
  most = Math.max(most, open.length)
  if (request.url?.startsWith('/slow-body')) response.write('{')
})
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const [uptime] = WIDGETS
const range = { start: 0, end: 60, step: 15 }
const ask = (prometheus: Prometheus) =>
  prometheus.evaluate((uptime as NonNullable<typeof uptime>).targets[0], range, new AbortController().signal)
const connectTo = (path: string, queryMs?: number) =>
  new Prometheus({
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`),
    job: 'minio-job',
    authorization: undefined,
    extraLabels: {},
    ...(queryMs === undefined ? {} : { queryMs }),
  })

test.each(['/', '/slow-body'])('a Prometheus that does not answer in time ends the query: %s', async (path) => {
  const prometheus = connectTo(path, 50)
  await expect(ask(prometheus)).rejects.toMatchObject({ status: 500, options: { detail: { id: 'prometheus-slow' } } })
  await prometheus.close()
})

test('a Prometheus to which no connection is made in time is reported as not reachable', async () => {
  // It accepts connections, and never begins with TLS.
  const silent = createTcpServer()
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const prometheus = new Prometheus({
    url: new URL(`https://127.0.0.1:${(silent.address() as AddressInfo).port}`),
    job: 'minio-job',
    authorization: undefined,
    extraLabels: {},
    connectMs: 50,
  })
  const begun = performance.now()
  await expect(ask(prometheus)).rejects.toMatchObject({ options: { detail: { id: 'prometheus-unreachable' } } })
  expect(performance.now() - begun).toBeLessThan(5000)
  await prometheus.close()
  silent.close()
})

test('at most four queries run at once', async () => {
  for (const response of open.splice(0)) response.destroy()
  most = 0
  const prometheus = connectTo('/')
  const answers = Promise.allSettled(Array.from({ length: 9 }, () => ask(prometheus)))
  for (let answered = 0; answered < 9; answered++) {
    await expect.poll(() => open.length).toBe(Math.min(4, 9 - answered))
    open.shift()?.end('{"status":"success","data":{"result":[]}}')
  }
  expect((await answers).map(({ status }) => status)).toEqual(Array(9).fill('fulfilled'))
  expect(most).toBe(4)
  await prometheus.close()
})
