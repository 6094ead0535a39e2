import { expect, test } from 'vitest'
import { appendChecksum, DamagedEntry } from './entry-checksum.ts'
import { type IndexCopy, IndexMirror } from './index-mirror.ts'
import { MemoryIndex } from './memory-index.ts'
import { type IndexOp, START_POSITION } from './ordered-index.ts'

const b = (text: string) => Buffer.from(text)
const put = (key: string, value: string): IndexOp => ({ key: b(key), value: appendChecksum(b(key), b(value)) })
const damaged = (key: string): IndexOp => ({ key: b(key), value: Buffer.from('not what was sealed') })

async function pair(first: IndexOp[], second: IndexOp[]) {
  const lost: number[] = []
  const copies: IndexCopy[] = [
    { slot: 0, index: new MemoryIndex() },
    { slot: 1, index: new MemoryIndex() },
  ]
  await copies[0]?.index.apply({ ops: first, position: START_POSITION })
  await copies[1]?.index.apply({ ops: second, position: START_POSITION })
  return { lost, mirror: new IndexMirror(copies, (copy) => lost.push(copy.slot)) }
}

test('a damaged value is read from the other copy, and the damaged copy is left out', async () => {
  const { mirror, lost } = await pair([damaged('k')], [put('k', 'v')])
  expect(mirror.get(b('k'))?.toString()).toBe('v')
  expect(lost).toEqual([0])
  expect(mirror.copies.map(({ slot }) => slot)).toEqual([1])
})

test.each([false, true])('a range continues in the other copy after damage (reverse: %s)', async (reverse) => {
  const whole = ['a', 'b', 'c', 'd'].map((key) => put(key, `=${key}`))
  const { mirror } = await pair([put('a', '=a'), put('b', '=b'), damaged('c'), put('d', '=d')], whole)
  const found = [...mirror.range(b('a'), b('z'), { reverse })].map(({ key, value }) => `${key}${value}`)
  expect(reverse ? found.reverse() : found).toEqual(['a=a', 'b=b', 'c=c', 'd=d'])
})

test('an entry that must be there is asked for in every copy', async () => {
  const { mirror, lost } = await pair([], [put('k', 'v')])
  expect(mirror.require(b('k')).toString()).toBe('v')
  expect(lost).toEqual([0])
  expect(() => mirror.require(b('never'))).toThrow(DamagedEntry)
})

test('an absence is believed when the other copy shows more frames', async () => {
  const { mirror, lost } = await pair([], [])
  await mirror.copies[1]?.index.apply({ ops: [put('k', 'v')], position: { ...START_POSITION, frame: 1 } })
  expect(mirror.getFromAllCopies(b('k'))).toBeUndefined()
  await mirror.copies[0]?.index.apply({ ops: [], position: { ...START_POSITION, frame: 1 } })
  expect(mirror.getFromAllCopies(b('k'))?.toString()).toBe('v')
  expect(lost).toEqual([0])
})

test('an error that proves no damage is thrown, and costs no copy', async () => {
  class Failing extends MemoryIndex {
    override get(): never {
      throw new RangeError('offset is out of bounds')
    }
    override apply(): Promise<never> {
      return Promise.reject(new Error('refused'))
    }
  }
  const lost: number[] = []
  const mirror = new IndexMirror(
    [0, 1].map((slot) => ({ slot, index: new Failing() })),
    ({ slot }) => lost.push(slot),
  )
  expect(() => mirror.get(b('k'))).toThrow(RangeError)
  await expect(mirror.apply({ ops: [put('k', 'v')], position: { ...START_POSITION, frame: 1 } })).rejects.toThrow(
    'refused',
  )
  expect(lost).toEqual([])
})

test('a copy that fails where another one takes a batch is left out, whatever the error', async () => {
  const { mirror, lost } = await pair([], [])
  const [first] = mirror.copies
  if (first) first.index.apply = () => Promise.reject(new Error('refused'))
  await mirror.apply({ ops: [put('k', 'v')], position: { ...START_POSITION, frame: 1 } })
  expect(lost).toEqual([0])
  expect(mirror.get(b('k'))?.toString()).toBe('v')
})

test('the last copy is kept, and says what it cannot give', async () => {
  const { mirror } = await pair([damaged('k'), put('l', 'v')], [damaged('k')])
  mirror.remove(1)
  expect(() => mirror.get(b('k'))).toThrow(DamagedEntry)
  expect(mirror.get(b('l'))?.toString()).toBe('v')
})
