import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatJson } from './format-json.ts'

test('each value of a JSON text gets a line; numbers, escapes and repeated names stay as they are written', () => {
  const text = String.raw`{"a":[1,{}, [ ] ,12345678901234567890.50],"a":"x\"},[:\u00e9","b":{"c":null}}`
  expect(formatJson(text)).toBe(String.raw`{
  "a": [
    1,
    {},
    [],
    12345678901234567890.50
  ],
  "a": "x\"},[:\u00e9",
  "b": {
    "c": null
  }
}`)
})

test('the formatted text has the same value, whatever it contains', () => {
  const values = fc.jsonValue({ maxDepth: 4 })
  fc.assert(
    fc.property(values, (value) => {
      expect(formatJson(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2))
    }),
  )
})

test.each([
  ['no JSON', '{"a":1'],
  ['two values', '{"a":1}\n{"a":2}'],
  ['an empty text', ''],
])('%s is not formatted', (_, text) => expect(formatJson(text)).toBeUndefined())

test('deep nesting neither stops the page nor makes the text many times as long', () => {
  const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`
  expect(formatJson(deep)?.length).toBeLessThan(deep.length * 40)
  const wide = `[[[[[[[[[[[[[[[[[[${'0,'.repeat(125_000)}0${']'.repeat(18)}`
  expect(formatJson(wide)).toBeUndefined()
})
