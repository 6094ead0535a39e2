import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonNode } from './json-node.ts'
import { parseJsonNodes } from './parse-json.ts'

/** Returns the plain value of a node, like JSON.parse. */
function plain(node: JsonNode): unknown {
  if (node.kind === 'array') return node.items.map(plain)
  if (node.kind !== 'object') return node.value
  return Object.fromEntries(node.members.map(({ key, value }) => [key.value, plain(value)]))
}

test('reads what JSON.parse reads', () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom(undefined, 2, '\t'), (json, indent) => {
      const text = JSON.stringify(JSON.parse(json), null, indent)
      const { root, problems } = parseJsonNodes(text)
      expect(problems).toEqual([])
      expect(root && plain(root)).toEqual(JSON.parse(text))
    }),
  )
})

test('refuses what JSON.parse refuses', () => {
  const parts = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"a"',
    '"',
    '1',
    '01',
    '-',
    '.5',
    'e3',
    'null',
    'nul',
    '\\',
    ' ',
  )
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 12 }), (words) => {
      const text = words.join('')
      expect(parseJsonNodes(text).problems.length === 0).toBe(isJson(text))
    }),
    { numRuns: 5000 },
  )
})

test('every node has its position', () => {
  const text = '{ "a": [1, "x\\n", null] }'
  const { root } = parseJsonNodes(text)
  const list = root?.kind === 'object' ? root.members[0]?.value : undefined
  const items = list?.kind === 'array' ? list.items : []
  expect([root, list, ...items].map((node) => node && text.slice(node.offset, node.end))).toEqual([
    text,
    '[1, "x\\n", null]',
    '1',
    '"x\\n"',
    'null',
  ])
})

test.each([
  ['', 'the text is empty'],
  ['{"a"', '":" is expected'],
  ['{"a":', 'the text ends where a value is expected'],
  ['{"a":1', 'the text ends before "}"'],
  ['[1 2]', '"," or "]" is expected'],
  ['{a:1}', 'the name of a member in double quotes is expected'],
  ["'a'", `"'" is not the start of a value`],
  ['"a', 'the text in quotes has no end on its line'],
  ['"\\q"', '"\\q" is not an escape of JSON'],
  ['1 x', 'there is text behind the end of the document'],
  ['['.repeat(100), 'values are nested too deep'],
])('%j: %s', (text, message) => {
  expect(parseJsonNodes(text).problems.map((problem) => problem.message)).toEqual([message])
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
