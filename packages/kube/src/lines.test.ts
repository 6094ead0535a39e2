import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lines } from './lines.ts'

async function split(chunks: Buffer[], longest = 1000): Promise<string[]> {
  const all = []
  for await (const line of lines(
    (async function* () {
      yield* chunks
    })(),
    longest,
  ))
    all.push(line)
  return all
}

test('lines come out whole, however the bytes are cut', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\n', '')),
        { maxLength: 10 },
      ),
      fc.integer({ min: 1, max: 9 }),
      async (texts, cut) => {
        const bytes = Buffer.from(texts.map((text) => `${text}\n`).join(''))
        const chunks = Array.from({ length: Math.ceil(bytes.length / cut) }, (_, n) =>
          bytes.subarray(n * cut, (n + 1) * cut),
        )
        expect(await split(chunks)).toEqual(texts.map((text) => Buffer.from(text).toString()))
      },
    ),
    { numRuns: 50 },
  )
})

test('a last line needs no line feed', async () => {
  expect(await split([Buffer.from('a\nb')])).toEqual(['a', 'b'])
})

test('a line that never ends is not held', async () => {
  await expect(split(Array(20).fill(Buffer.alloc(100, 'x')), 1000)).rejects.toThrow(RangeError)
})
