import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ByteSource } from './byte-source.ts'

async function* stream(chunks: Uint8Array[]) {
  yield* chunks
}

const chunks = fc.array(fc.uint8Array({ maxLength: 30 }), { maxLength: 10 })

test('pieces of any size make up the whole, in order', async () => {
  await fc.assert(
    fc.asyncProperty(chunks, fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 40 }), async (parts, sizes) => {
      const source = new ByteSource(stream(parts))
      const whole = Buffer.concat(parts)
      const read: Uint8Array[] = []
      let at = 0
      for (const size of sizes) {
        expect(await source.ended()).toBe(at === whole.length)
        const buffer = Buffer.alloc(size)
        const filled = await source.fill(buffer)
        expect(filled).toBe(Math.min(size, whole.length - at))
        at += filled
        read.push(buffer.subarray(0, filled))
      }
      expect(Buffer.concat(read)).toEqual(whole.subarray(0, at))
    }),
  )
})

test('no more is read than requested, so that the sender waits', async () => {
  let sent = 0
  const source = new ByteSource(
    (async function* () {
      for (; sent < 100; ) {
        sent++
        yield new Uint8Array(10)
      }
    })(),
  )
  await source.fill(Buffer.alloc(25))
  expect(sent).toBe(3)
  await source.fill(Buffer.alloc(5))
  expect(sent).toBe(3)
})
