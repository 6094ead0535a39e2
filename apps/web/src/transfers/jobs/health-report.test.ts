import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { HealthReport, JobLine } from '@stowage/contract'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { createLiveStream } from '../../lib/api/live-stream.ts'
import type { HealthReportTask } from '../list/types.ts'
import { readHealthReport } from './health-report.ts'
import { keptHealthReport } from './kept-health-reports.ts'

let server: WebSocketServer
/** The socket of each call, by its address. */
let sockets: Map<string, WebSocket>
beforeEach(async () => {
  sockets = new Map()
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  server.on('connection', (socket, { url = '' }) => void sockets.set(url, socket))
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  vi.stubGlobal('WebSocket', WebSocket)
  vi.stubGlobal('location', { href: `http://127.0.0.1:${port}/`, pathname: '/' })
})
afterEach(() => {
  for (const socket of server.clients) socket.terminate()
  server.close()
  vi.unstubAllGlobals()
})

const task: HealthReportTask = { type: 'healthReport', masked: true }
const openedSocket = async (address: string) => {
  await vi.waitFor(() => expect([...sockets.keys()]).toContain(address))
  return sockets.get(address) as WebSocket
}
const send = (socket: WebSocket, ...frames: object[]) => {
  for (const frame of frames) socket.send(JSON.stringify(frame))
}
const report = { version: '3', timestamp: '' } as HealthReport

async function readAll(lines: AsyncIterable<JobLine>): Promise<number[]> {
  const counts: number[] = []
  for await (const { count } of lines) counts.push(count)
  return counts
}

test('sections are counted and the report is kept, although another live page starts meanwhile', async () => {
  const reading = readAll(readHealthReport(task, new AbortController().signal))
  const socket = await openedSocket('/ws/health-info?deadline=1h&anonymize=strict')
  send(socket, { kind: 'started' }, { kind: 'progress', step: 'sys.cpus', done: 1 })
  const trace = createLiveStream('trace', () => ({ query: {} }))
  trace.start()
  await openedSocket('/ws/trace')
  send(socket, { kind: 'progress', step: 'minio.info', done: 2 }, { kind: 'messages', messages: [report] })
  socket.close(1000)
  const counts = await reading
  expect(counts.at(-1)).toBe(2)
  expect(keptHealthReport(task)).toEqual(report)
  expect(trace.get().status).not.toBe('stopped')
  trace.stop()
})

test('a failure of the server is the failure of the job', async () => {
  const reading = readAll(readHealthReport({ ...task, masked: false }, new AbortController().signal))
  const socket = await openedSocket('/ws/health-info?deadline=1h&anonymize=none')
  socket.close(1011, 'the server has no report')
  await expect(reading).rejects.toMatchObject({ errorMessage: 'The server has no report' })
})

test('a job that is stopped closes its call', async () => {
  const control = new AbortController()
  const reading = readAll(readHealthReport(task, control.signal)).catch(() => 'ended')
  const socket = await openedSocket('/ws/health-info?deadline=1h&anonymize=strict')
  send(socket, { kind: 'started' })
  const closed = once(socket, 'close')
  control.abort()
  expect(await reading).toBe('ended')
  expect((await closed)[0]).toBe(1000)
})
