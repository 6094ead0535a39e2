import { appendFile, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { EventQueue, type QueuedMessage } from './event-queue.ts'

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'stowage-queue-'))
})
afterAll(() => rm(root, { recursive: true }))

let folders = 0
const fresh = () => join(root, `${folders++}`)
const message = (seq: number): QueuedMessage => ({ seq, lane: 'b/k', body: `{"n":${seq}}` })
const messages = (from: number, count: number) => Array.from({ length: count }, (_, i) => message(from + i))

/** Removes and returns all queued items, in order. */
async function drain(queue: EventQueue): Promise<number[]> {
  const seen: number[] = []
  while (queue.length > 0) {
    const next = await queue.next(64)
    seen.push(...next.map(({ seq }) => seq))
    await queue.acknowledge(next.length)
  }
  return seen
}

test('without syncs, the position is saved at the end at the latest', async () => {
  const folder = fresh()
  const queue = new EventQueue(folder, 100, false)
  await queue.add(messages(1, 10))
  const saved: Promise<void>[] = []
  for (const count of [2, 3]) saved.push(queue.acknowledge((await queue.next(count)).length))
  await queue.close()
  await Promise.all(saved)
  const again = new EventQueue(folder, 100, false)
  expect((await again.next(64)).map(({ seq }) => seq)).toEqual([6, 7, 8, 9, 10])
  await again.close()
})

test('messages come out in order, across files and restarts, and files that are done go', async () => {
  const folder = fresh()
  const queue = await EventQueue.open(folder, 10_000)
  for (let at = 1; at <= 2500; at += 100) await queue.add(messages(at, 100))
  for (let taken = 0; taken < 1200; taken += 100) await queue.acknowledge((await queue.next(100)).length)
  await queue.close()
  const again = await EventQueue.open(folder, 10_000)
  expect([again.length, again.lastSeq]).toEqual([1300, 2500])
  expect(await drain(again)).toEqual(messages(1201, 1300).map(({ seq }) => seq))
  expect((await readdir(folder)).filter((name) => name.endsWith('.jsonl'))).toHaveLength(1)
  await again.add(messages(2501, 3))
  expect(await drain(again)).toEqual([2501, 2502, 2503])
})

test('what finds no room is dropped and counted, and there is room again afterwards', async () => {
  const queue = await EventQueue.open(fresh(), 10)
  await queue.add(messages(1, 15))
  expect([queue.length, queue.dropped, queue.lastSeq]).toEqual([10, 5, 15])
  await queue.acknowledge((await queue.next(4)).length)
  await queue.add(messages(16, 10))
  expect([queue.length, queue.dropped]).toEqual([10, 11])
  expect(await drain(queue)).toEqual([5, 6, 7, 8, 9, 10, 16, 17, 18, 19])
})

test('a line that was cut by a crash is ignored, and the messages after it are read', async () => {
  const folder = fresh()
  const queue = await EventQueue.open(folder, 100)
  await queue.add(messages(1, 3))
  await appendFile(join(folder, '000000000000000.jsonl'), '{"seq":4,"lane":"b')
  const again = await EventQueue.open(folder, 100)
  await again.add([message(4)])
  expect(await drain(await EventQueue.open(folder, 100))).toEqual([1, 2, 3, 4])
})

test('a waiting reader gets the next message, or nothing when the queue ends', async () => {
  const queue = await EventQueue.open(fresh(), 100)
  const next = queue.next(10)
  await queue.add([message(1)])
  expect(await next).toEqual([message(1)])
  await queue.acknowledge(1)
  const none = queue.next(10)
  queue.end()
  expect(await none).toEqual([])
})

test('a hundred thousand waiting messages are kept on disk and not in memory', async () => {
  const queue = await EventQueue.open(fresh(), 1_000_000)
  const body = 'x'.repeat(1000)
  const before = process.memoryUsage().heapUsed
  for (let at = 0; at < 100_000; at += 5000) {
    await queue.add(Array.from({ length: 5000 }, (_, i) => ({ seq: at + i + 1, lane: 'b/k', body })))
  }
  globalThis.gc?.()
  expect(queue.length).toBe(100_000)
  expect((await queue.next(16)).map(({ seq }) => seq)[0]).toBe(1)
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(80 * 2 ** 20)
})

test('of large messages, no more than a megabyte is in one file and in memory', async () => {
  const folder = fresh()
  const queue = await EventQueue.open(folder, 1000)
  const body = 'x'.repeat(100_000)
  for (let at = 1; at <= 96; at += 8)
    await queue.add(Array.from({ length: 8 }, (_, i) => ({ seq: at + i, lane: '', body })))
  await queue.add([{ seq: 97, lane: '', body: body.repeat(20) }, message(98)])
  const names = (await readdir(folder)).filter((name) => name.endsWith('.jsonl'))
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size))
  expect(Math.max(...sizes.slice(0, -2))).toBeLessThan(1_200_000)
  expect(names.length).toBeGreaterThan(8)
  await queue.close()
  const again = await EventQueue.open(folder, 1000)
  await rm(join(folder, names.at(-1) ?? ''))
  await again.add(messages(99, 2))
  expect(await drain(again)).toEqual([...messages(1, 97), ...messages(99, 2)].map(({ seq }) => seq))
  expect(again.dropped).toBe(1)
})

test('messages that are taken at once are not read from the disk', async () => {
  const folder = fresh()
  const queue = await EventQueue.open(folder, 10_000)
  for (let seq = 1; seq <= 3; seq++) {
    await queue.add([message(seq)])
    for (const name of await readdir(folder)) await writeFile(join(folder, name), 'no line\n')
    expect(await queue.next(16)).toEqual([message(seq)])
    await queue.acknowledge(1)
  }
})

test('what was set aside is listed, sent again as far as there is room, and dropped, also after a restart', async () => {
  const folder = fresh()
  const queue = await EventQueue.open(folder, 3)
  const bodies = ['{"n":1}', '{"n":2}', '{"n":3}', '{"n":4}']
  for (const body of bodies) await queue.addRefused(body, 'too large')
  // A crash truncates a line.
  await appendFile(join(folder, 'refused.jsonl'), '{"time":')
  await queue.close()
  const again = await EventQueue.open(folder, 3)
  expect(again.refused).toBe(4)
  const listed = await again.listRefused()
  expect(listed.map(({ body, reason }) => [body, reason])).toEqual(bodies.map((body) => [body, 'too large']))
  expect(await again.resendRefused((body) => `lane ${body}`)).toBe(3)
  expect([again.length, again.refused]).toEqual([3, 1])
  const sent = await again.next(10)
  expect(sent.map(({ lane, body }) => [lane, body])).toEqual(bodies.slice(0, 3).map((body) => [`lane ${body}`, body]))
  expect(await again.resendRefused(() => '')).toBe(0)
  await again.dropRefused()
  expect([again.refused, await again.listRefused()]).toEqual([0, []])
})

test('a folder that is removed loses what was in it, which counts as dropped, and nothing that follows', async () => {
  const folder = fresh()
  const queue = await EventQueue.open(folder, 10_000)
  await queue.add(messages(1, 1500))
  const handedOut = await queue.next(16)
  await rm(folder, { recursive: true })
  await queue.add(messages(1501, 3))
  await queue.acknowledge(handedOut.length)
  // Messages in memory are not lost.
  const seen = await drain(queue)
  expect(seen.slice(-3)).toEqual([1501, 1502, 1503])
  expect(queue.dropped).toBeGreaterThan(0)
  expect(queue.dropped + seen.length).toBe(1503 - handedOut.length)
  await rm(folder, { recursive: true })
  await queue.add(messages(1504, 2))
  await queue.close()
  expect(await drain(await EventQueue.open(folder, 10_000))).toEqual([1504, 1505])
})

test('a queue that cannot be written stores all of a batch or nothing, and continues when it can be written', async () => {
  const folder = fresh()
  const queue = await EventQueue.open(folder, 10_000)
  await queue.add(messages(1, 2))
  await rm(folder, { recursive: true })
  // A file instead of the folder, so that writes fail.
  await writeFile(folder, '')
  await expect(queue.add(messages(3, 2))).rejects.toThrow()
  await rm(folder)
  await queue.add(messages(3, 2))
  expect(await drain(queue)).toEqual([3, 4])
})

test('messages move to another queue in order, with those that were set aside; what has no room there is counted', async () => {
  const [from, to] = [await EventQueue.open(fresh(), 10_000), await EventQueue.open(fresh(), 1500)]
  await from.add(messages(1, 2100))
  await from.acknowledge((await from.next(10)).length)
  await from.addRefused('{"n":0}', 'too large')
  await to.add([message(0)])
  from.end()
  await from.moveTo(to)
  expect([from.length, from.refused, to.length, to.dropped, to.refused]).toEqual([0, 0, 1500, 591, 1])
  expect(await drain(to)).toEqual([0, ...messages(11, 1499).map(({ seq }) => seq)])
  expect(await to.listRefused()).toEqual([expect.objectContaining({ body: '{"n":0}', reason: 'too large' })])
})
