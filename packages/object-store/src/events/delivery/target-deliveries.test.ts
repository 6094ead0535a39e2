import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sleepUntilAborted } from './queue-sender.ts'
import { TargetDeliveries, type TargetDeliverySettings } from './target-deliveries.ts'

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'stowage-deliveries-'))
})
afterAll(() => rm(root, { recursive: true }))

const log = pino({ level: 'silent' })
const start = () => new TargetDeliveries({ wait: sleepUntilAborted, now: Date.now, log })
const wanted = (folder: string, send: () => Promise<void> = async () => {}): TargetDeliverySettings => ({
  settings: folder,
  folder: join(root, folder),
  limit: 100,
  open: () => ({ arn: folder, send, close: async () => {} }),
})

test('a target without a folder for its queue does not hold up the others', async () => {
  await writeFile(join(root, 'file'), '')
  const deliveries = start()
  await deliveries.apply(
    new Map([
      ['bad', wanted('file/queue')],
      ['good', wanted('good')],
    ]),
  )
  const failing = () => deliveries.all().map(([name, { sender }]) => [name, sender.status.failing !== undefined])
  await expect.poll(failing).toEqual([
    ['bad', true],
    ['good', false],
  ])
  await deliveries.stop()
})

test('a target whose messages cannot be moved to another folder keeps its folder and continues', async () => {
  const deliveries = start()
  await deliveries.apply(new Map([['t', wanted('from', () => Promise.reject(new Error('not now')))]]))
  await deliveries.get('t')?.queue.add([{ seq: 1, lane: '', body: 'one' }])
  await writeFile(join(root, 'from', '000000000000000.jsonl'), 'not JSON\n')
  let closed = 0
  const target = { arn: 'to', send: async () => {}, close: async () => void closed++ }
  await deliveries.apply(new Map([['t', { ...wanted('to'), open: () => target }]]))
  expect([deliveries.get('t')?.folder, closed]).toEqual([join(root, 'from'), 1])
  await deliveries.stop()
})

test('a target whose new folder cannot be created continues in the old one, with its new settings', async () => {
  await writeFile(join(root, 'no-folder'), '')
  const deliveries = start()
  const sent: string[] = []
  await deliveries.apply(new Map([['t', wanted('old')]]))
  const target = { arn: 't', send: async (message: string) => void sent.push(message), close: async () => {} }
  const changed = { ...wanted('no-folder/queue'), open: () => target }
  await deliveries.apply(new Map([['t', changed]]))
  await deliveries.get('t')?.queue.add([{ seq: 1, lane: '', body: 'one' }])
  await expect.poll(() => sent).toEqual(['one'])
  await rm(join(root, 'no-folder'))
  await deliveries.apply(new Map([['t', changed]]))
  expect(deliveries.get('t')?.folder).toBe(changed.folder)
  await deliveries.stop()
})

test('a target gets as many messages at the same time as its window', async () => {
  const deliveries = start()
  let running = 0
  let most = 0
  const send = async () => {
    most = Math.max(most, ++running)
    await new Promise(setImmediate)
    running--
  }
  const target = { arn: 't', window: 3, send, close: async () => {} }
  await deliveries.apply(new Map([['t', { ...wanted('window'), open: () => target }]]))
  const outlet = deliveries.get('t')
  await outlet?.queue.add(Array.from({ length: 10 }, (_, i) => ({ seq: i + 1, lane: `${i}`, body: 'x' })))
  await expect.poll(() => [outlet?.sender.status.sent, most]).toEqual([10, 3])
  await deliveries.stop()
})
