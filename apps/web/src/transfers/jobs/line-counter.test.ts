import { expect, test } from 'vitest'
import { LineCounter } from './line-counter.ts'

const count = (isCsv: boolean, ...pieces: string[]) => {
  const lines = new LineCounter(isCsv)
  for (const piece of pieces) lines.add(new TextEncoder().encode(piece))
  return lines.count
}

test('lines are counted across pieces; a line break inside a cell of CSV does not end a line', () => {
  expect(count(true, 'a,b\r\n"x', '\ny",""""\r\n')).toBe(2)
  expect(count(false, '{"a":"\\""}\n{', '}\n')).toBe(2)
})
