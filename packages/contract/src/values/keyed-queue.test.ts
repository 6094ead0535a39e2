import { expect, test } from 'vitest'
import { KeyedQueue } from './keyed-queue.ts'

test('tasks with the same key run in sequence, even after a failed one; tasks with other keys do not wait', async () => {
  const queue = new KeyedQueue()
  const seen: string[] = []
  let open = () => {}
  const gate = new Promise<void>((resolve) => (open = resolve))
  const first = queue.run('a', async () => {
    await gate
    seen.push('first')
    throw new Error('failed')
  })
  const second = queue.run('a', async () => {
    seen.push('second')
    return 2
  })
  await queue.run('b', async () => seen.push('other'))
  open()
  await expect(first).rejects.toThrow('failed')
  expect(await second).toBe(2)
  expect(seen).toEqual(['other', 'first', 'second'])
})

test('an aborted task that waits is removed at once', async () => {
  const queue = new KeyedQueue()
  let end = () => {}
  const first = queue.run('a', () => new Promise<void>((done) => (end = done)))
  const control = new AbortController()
  const second = queue.run('a', async () => 'second', control.signal)
  control.abort(new Error('left'))
  await expect(second).rejects.toThrow('left')
  const third = queue.run('a', async () => 'third', new AbortController().signal)
  end()
  await first
  expect(await third).toBe('third')
  await expect(queue.run('a', async () => 'no', control.signal)).rejects.toThrow('left')
})
