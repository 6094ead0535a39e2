import { expect, test } from 'vitest'
import { BatchRefusedError, batchSender } from './message-batches.ts'

const outcomes = async (sent: Promise<void>[]) =>
  (await Promise.allSettled(sent)).map((each) => (each.status === 'fulfilled' ? 'ok' : String(each.reason.message)))

test('messages that arrive together are one batch, with an error for each that was not accepted', async () => {
  const batches: (readonly string[])[] = []
  const send = batchSender(async (texts) => {
    batches.push(texts)
    return texts.map((text) => (text === 'bad' ? new Error('refused') : undefined))
  })
  expect(await outcomes(['a', 'bad', 'b'].map(send))).toEqual(['ok', 'refused', 'ok'])
  await send('later')
  expect(batches).toEqual([['a', 'bad', 'b'], ['later']])
})

test('messages that arrive while a batch is sent wait for the next one', async () => {
  const batches: (readonly string[])[] = []
  let release: (() => void) | undefined
  const send = batchSender(async (texts) => {
    batches.push(texts)
    if (batches.length === 1) await new Promise<void>((resolve) => (release = resolve))
    return []
  })
  const first = send('a')
  await expect.poll(() => batches.length).toBe(1)
  const others = [send('b'), send('c')]
  release?.()
  await Promise.all([first, ...others])
  expect(batches).toEqual([['a'], ['b', 'c']])
})

test('a batch is limited in number and bytes; a larger message is sent alone', async () => {
  const sizes: number[] = []
  const send = batchSender(async (texts) => {
    sizes.push(texts.length)
    return []
  })
  await Promise.all(Array.from({ length: 150 }, () => send('x')))
  const large = 'x'.repeat(3 * 2 ** 20)
  await Promise.all([large, large, 'x'.repeat(5 * 2 ** 20), 'y'].map(send))
  expect(sizes).toEqual([100, 50, 1, 1, 1, 1])
})

test('a batch that is refused as a whole is sent in halves, and another failure is that of all its messages', async () => {
  const send = batchSender(async (texts) => {
    if (texts.length > 1 && texts.includes('large')) throw new BatchRefusedError('too large')
    if (texts.includes('large')) throw new Error('too large alone')
    if (texts.includes('down')) throw new Error('no connection')
    return []
  })
  expect(await outcomes(['a', 'b', 'large', 'c', 'd'].map(send))).toEqual(['ok', 'ok', 'too large alone', 'ok', 'ok'])
  expect(await outcomes(['a', 'down'].map(send))).toEqual(['no connection', 'no connection'])
})
