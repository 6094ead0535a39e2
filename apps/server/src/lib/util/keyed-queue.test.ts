import { expect, test } from 'vitest'
import { KeyedQueue } from './keyed-queue.ts'

test('tasks with the same key run in sequence, even after a failed one; tasks with other keys do not wait', async () => {
  const turns = new KeyedQueue()
  const seen: string[] = []
  let open = () => {}
  const gate = new Promise<void>((resolve) => (open = resolve))
  const first = turns.run('a', async () => {
    await gate
    seen.push('first')
    throw new Error('failed')
  })
  const second = turns.run('a', async () => {
    seen.push('second')
    return 2
  })
  await turns.run('b', async () => seen.push('other'))
  open()
  await expect(first).rejects.toThrow('failed')
  expect(await second).toBe(2)
  expect(seen).toEqual(['other', 'first', 'second'])
})
