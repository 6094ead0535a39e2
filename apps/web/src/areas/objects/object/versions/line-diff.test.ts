import { expect, test } from 'vitest'
import { arrangeSideBySide, type DiffLine, diffLines } from './line-diff.ts'

const signs = { same: ' ', removed: '-', added: '+' } as const
const text = (lines: DiffLine[]) => lines.map(({ kind, text }) => signs[kind] + text).join('|')

test.each([
  ['a\nb', 'a\nb', ' a| b'],
  ['', 'a', '-|+a'],
  ['a\nb\nc', 'a\nc', ' a|-b| c'],
  ['a\nc', 'a\nb\nc', ' a|+b| c'],
  ['a\nb\nc', 'a\nx\nc', ' a|-b|+x| c'],
  ['a\nb\nc\na\nb\nb\na', 'c\nb\na\nb\na\nc', undefined],
])('from %j to %j', (before, after, expected) => {
  const lines = diffLines(before, after)
  if (expected !== undefined) expect(text(lines)).toBe(expected)
  const side = (kind: DiffLine['kind']) => lines.filter((line) => line.kind !== kind).map((line) => line.text)
  expect(side('added').join('\n')).toBe(before)
  expect(side('removed').join('\n')).toBe(after)
})

test('any comparison contains both texts, with the fewest changes', () => {
  let seed = 7
  const random = (n: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648
    return seed % n
  }
  for (let round = 0; round < 200; round++) {
    const make = () => Array.from({ length: random(12) + 1 }, () => 'abc'[random(3)]).join('\n')
    const [before, after] = [make(), make()]
    const lines = diffLines(before, after)
    const side = (kind: DiffLine['kind']) => lines.filter((line) => line.kind !== kind).map((line) => line.text)
    expect(side('added').join('\n')).toBe(before)
    expect(side('removed').join('\n')).toBe(after)
    expect(lines.filter(({ kind }) => kind !== 'same')).toHaveLength(distance(before.split('\n'), after.split('\n')))
  }
})

/** Returns the number of lines to remove and add, by the textbook table method. */
function distance(a: string[], b: string[]): number {
  let row = b.map((_, i) => i + 1)
  row.unshift(0)
  for (const [i, line] of a.entries()) {
    const next = [i + 1]
    for (const [j, other] of b.entries())
      next.push(line === other ? (row[j] ?? 0) : Math.min(row[j + 1] ?? 0, next[j] ?? 0) + 1)
    row = next
  }
  return row.at(-1) ?? 0
}

test('texts without common lines are quickly shown as replaced', () => {
  const many = (prefix: string) => Array.from({ length: 20_000 }, (_, i) => prefix + i).join('\n')
  const lines = diffLines(many('a'), many('b'))
  expect(lines).toHaveLength(40_000)
})

test('changed lines are side by side, and equal lines are folded', () => {
  const before = Array.from({ length: 30 }, (_, i) => String(i)).join('\n')
  const rows = arrangeSideBySide(diffLines(before, before.replace('\n15\n', '\nfifteen\n')), 2)
  expect(rows.map((row) => row && [row.left?.text, row.right?.text])).toEqual([
    null,
    ['13', '13'],
    ['14', '14'],
    ['15', 'fifteen'],
    ['16', '16'],
    ['17', '17'],
    null,
  ])
  expect(rows[3]?.left).toMatchObject({ left: 16 })
})
