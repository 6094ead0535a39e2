import { expect, test } from 'vitest'
import { SignInQueue } from './sign-in-queue.ts'

// Its fairness is tested where the queue is: fair-queue.test.ts of the store.
test('a rejected task is an HttpError 503', async () => {
  const queue = new SignInQueue({ concurrency: 1, perKey: 1, maxWaiting: 0, maxWaitingPerKey: 5 })
  let end = () => {}
  const first = queue.run('a', () => new Promise<void>((done) => (end = done)))
  await expect(queue.run('b', async () => undefined)).rejects.toMatchObject({ status: 503 })
  end()
  await first
})
