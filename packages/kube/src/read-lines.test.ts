import { expect, test } from 'vitest'
import { readLines } from './read-lines.ts'

async function split(bytes: Buffer, cut: number, longest = 1000): Promise<string[]> {
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += cut) yield bytes.subarray(at, at + cut)
  }
  const all = []
  for await (const line of readLines(chunks(), longest)) all.push(line)
  return all
}

test.each([1, 2, 3, 5, 8, 100])('lines are complete when bytes arrive %i at a time', async (cut) => {
  const texts = ['', 'a', '', 'größer', '😀 and \r', '{"type":"ADDED"}', '']
  expect(await split(Buffer.from(texts.map((text) => `${text}\n`).join('')), cut)).toEqual(texts)
})

test('a last line needs no line feed', async () => {
  expect(await split(Buffer.from('a\nb'), 2)).toEqual(['a', 'b'])
})

test('a line that never ends is not buffered', async () => {
  await expect(split(Buffer.alloc(3000, 'x'), 100)).rejects.toThrow(RangeError)
})
