import { expect, test } from 'vitest'
import { appendChecksum, DamagedEntry } from './entry-checksum.ts'
import { MAX_KEY_BYTES } from './key-bounds.ts'
import { type IndexOp, type OrderedIndex, START_POSITION } from './ordered-index.ts'

const b = (text: string) => Buffer.from(text)
const put = (key: string, value: string): IndexOp => ({ key: b(key), value: appendChecksum(b(key), b(value)) })
const del = (key: string): IndexOp => ({ key: b(key), value: undefined })

/** Tests of the index interface, run for each implementation. `open` returns an empty index. */
export function orderedIndexSuite(open: () => OrderedIndex): void {
  const filled = async (...keys: string[]) => {
    const index = open()
    await index.apply({ ops: keys.map((key) => put(key, `=${key}`)), position: { ...START_POSITION, frame: 1 } })
    return index
  }
  const keys = (index: OrderedIndex, start: string, end: string, reverse = false) =>
    [...index.range(b(start), b(end), { reverse })].map((entry) => `${entry.key}${entry.value}`)

  test('gives back what was put, and nothing for what was not', async () => {
    const index = await filled('a', 'b')
    expect(index.get(b('a'))?.toString()).toBe('=a')
    expect(index.get(b('c'))).toBeUndefined()
    await index.close()
  })

  test('a later batch replaces and removes, and moves the position', async () => {
    const index = await filled('a', 'b')
    await index.apply({
      ops: [put('a', 'new'), del('b'), del('never')],
      position: { ...START_POSITION, frame: 2, seq: 9 },
    })
    expect(index.get(b('a'))?.toString()).toBe('new')
    expect(index.get(b('b'))).toBeUndefined()
    expect(index.position()).toMatchObject({ frame: 2, seq: 9 })
    await index.close()
  })

  test.each([
    ['from the first', 'a', 'c', ['a=a', 'b=b']],
    ['between keys', 'aa', 'bb', ['b=b']],
    ['nothing there', 'x', 'z', []],
    ['an empty range', 'b', 'b', []],
    ['bounds the wrong way round', 'c', 'a', []],
  ])('a range takes its start and leaves its end: %s', async (_, start, end, expected) => {
    const index = await filled('a', 'b', 'c', 'd')
    expect(keys(index, start, end)).toEqual(expected)
    expect(keys(index, start, end, true)).toEqual([...expected].reverse())
    await index.close()
  })

  test.each([MAX_KEY_BYTES - 1, MAX_KEY_BYTES, MAX_KEY_BYTES + 1, 2 * MAX_KEY_BYTES, 5000, 70_000])(
    'a bound of %d bytes separates the keys as any other, and no such key is there',
    async (length) => {
      const longest = 'b'.repeat(MAX_KEY_BYTES)
      const index = await filled('a', longest, 'c')
      const bound = 'b'.repeat(length)
      expect(index.get(b(bound))?.toString()).toBe(length === MAX_KEY_BYTES ? `=${longest}` : undefined)
      const first = (start: string, end: string, reverse: boolean) =>
        keys(index, start, end, reverse).map((text) => text[0])
      for (const reverse of [false, true]) {
        expect(first('a', bound, reverse).sort()).toEqual(length > MAX_KEY_BYTES ? ['a', 'b'] : ['a'])
        expect(first(bound, 'd', reverse).sort()).toEqual(length > MAX_KEY_BYTES ? ['c'] : ['b', 'c'])
        expect(first(bound, `${bound}x`, reverse)).toEqual(length > MAX_KEY_BYTES ? [] : ['b'])
      }
      await index.close()
    },
  )

  test('the order is that of UTF-8 bytes, not of UTF-16', async () => {
    const index = await filled('😀', '\uff5e', 'z', 'é')
    expect(keys(index, 'a', '\u{10ffff}').map((text) => text.split('=')[0])).toEqual(['z', 'é', '\uff5e', '😀'])
    await index.close()
  })

  test('a value whose bytes do not match its checksum is refused', async () => {
    const index = await filled('a')
    const wrong = appendChecksum(b('a'), b('value'))
    wrong[wrong.length - 1] = (wrong.at(-1) ?? 0) ^ 1
    await index.apply({ ops: [{ key: b('a'), value: wrong }], position: START_POSITION })
    expect(() => index.get(b('a'))).toThrow(DamagedEntry)
    expect(() => keys(index, 'a', 'b')).toThrow(DamagedEntry)
    await index.close()
  })

  test('a value stored under another key is refused', async () => {
    const index = open()
    await index.apply({ ops: [{ key: b('b'), value: appendChecksum(b('a'), b('value')) }], position: START_POSITION })
    expect(() => index.get(b('b'))).toThrow(DamagedEntry)
    await index.close()
  })
}
