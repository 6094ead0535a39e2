import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TargetThread } from './target-thread.ts'

let thread: TargetThread
/** Lines of the log: one for each end of the thread. */
const lines: string[] = []
const taken: string[] = []
const server = createServer((request, response) => {
  request.on('data', (chunk: Buffer) => taken.push(chunk.toString()))
  request.on('end', () => response.end())
})

let ownPorts: number[] = []
const startThread = (stuckMs?: number) =>
  new TargetThread({
    log: pino({}, { write: (line) => void lines.push(line) }),
    egress: { STOWAGE_EGRESS_ALLOW: '127.0.0.1' },
    ownPorts: () => ownPorts,
    program: new URL('./testing/faulty-worker.ts', import.meta.url),
    ...(stuckMs === undefined ? {} : { stuckMs }),
  })
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  thread = startThread()
})
afterAll(async () => {
  await thread.stop()
  server.close()
})

const never = new AbortController().signal
const faulty = (from = thread) =>
  from.open({ subsystem: 'notify_faulty', arn: 'arn:faulty', values: {}, certificateFolders: [] })
const webhook = (from = thread) =>
  from.open({
    subsystem: 'notify_webhook',
    arn: 'arn:webhook',
    values: { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` },
    certificateFolders: [],
  })

test.each([
  ['throws in a callback', /Cannot read properties of undefined/],
  ['rejects without a listener', /nobody listens/],
  ['ends the process', /ended itself/],
])('a library that %s ends the thread, which is started again', async (fault, reason) => {
  const target = faulty()
  lines.length = 0
  await expect(target.send(fault, never)).rejects.toThrow(reason)
  await target.send('good', never)
  expect(lines.map((line) => JSON.parse(line).targets)).toEqual([['arn:faulty']])
})

test('a target that ends the thread three times is parked with the reason, and other targets go on', async () => {
  const target = faulty()
  const other = webhook()
  for (let time = 0; time < 3; time++) {
    await other.send(`${time}`, never)
    await expect(target.send('throws in a callback', never)).rejects.toThrow(/thread of the targets ended/)
  }
  const parked = 'ended its thread 3 times, and is not started again until it is changed: Cannot read properties'
  await expect(target.send('good', never)).rejects.toThrow(parked)
  await other.send('3', never)
  expect(taken).toEqual(['0', '1', '2', '3'])
  await faulty().send('good', never)
})

test('a target that waits for its broker while another one ends the thread is not parked', async () => {
  const other = startThread()
  const [target, away] = [faulty(other), faulty(other)]
  const stop = new AbortController()
  const isParked = (reason: string) => /ended its thread 3 times/.test(reason)
  // Sends again like the sender does: its broker never answers.
  const waits = (async () => {
    const reasons = new Set<string>()
    while (!stop.signal.aborted && ![...reasons].some(isParked)) {
      await away.send('takes long', stop.signal).catch(({ message }: Error) => reasons.add(message))
    }
    return reasons
  })()
  const failures: string[] = []
  while (failures.length < 6 && !failures.some(isParked)) {
    await target.send('ends the process', never).catch(({ message }: Error) => failures.push(message))
  }
  expect(failures.some(isParked)).toBe(true)
  await away.send('good', never)
  stop.abort(new Error('the test ends'))
  expect([...(await waits)].some(isParked)).toBe(false)
  await other.stop()
})

test('a library that never returns ends the thread, which is started again', async () => {
  const other = startThread(1000)
  const target = faulty(other)
  await expect(target.send('never returns', never)).rejects.toThrow('kept the thread busy for 1 s')
  await target.send('good', never)
  await other.stop()
})

test('a cancelled delivery ends at once', async () => {
  const cancel = new AbortController()
  const sent = faulty().send('takes long', AbortSignal.any([cancel.signal]))
  cancel.abort(new Error('stopping'))
  await expect(sent).rejects.toThrow('stopping')
})

test('the guard of outgoing connections is that of the store, with its own ports', async () => {
  // A connection that is open already is not checked again.
  const other = startThread()
  const target = other.open({
    subsystem: 'notify_webhook',
    arn: 'arn:own',
    values: { endpoint: 'http://169.254.169.254/' },
    certificateFolders: [],
  })
  await expect(target.send('{}', never)).rejects.toThrow(/never connected/)
  const fresh = webhook(other)
  ownPorts = [(server.address() as AddressInfo).port]
  await expect(fresh.send('{}', never)).rejects.toThrow(/this program itself/)
  ownPorts = []
  await other.stop()
})
