import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type MarkdownBlock, type MarkdownInline, parseInline, parseMarkdown } from './parse-markdown.ts'

const textIn = (parts: readonly MarkdownInline[]): string =>
  parts.map((part) => ('text' in part ? part.text : textIn(part.parts))).join('')

test('headings, lists, quotes, code, rules and tables', () => {
  const source =
    '# One *two*\nline\nnext\n\n- a\n  1. b\n> quoted\n\n```js\n<b> # no\n```\n---\n| x | y |\n|---|--:|\n| 1 | `2` |'
  const blocks = parseMarkdown(source)
  expect(blocks.map(({ type }) => type)).toEqual([
    'heading',
    'paragraph',
    'item',
    'item',
    'quote',
    'code',
    'rule',
    'table',
  ])
  const [heading, paragraph, , nested, , code] = blocks as [MarkdownBlock & { type: 'heading' }, ...MarkdownBlock[]]
  expect([heading.level, textIn(heading.parts)]).toEqual([1, 'One two'])
  expect(paragraph).toMatchObject({ parts: [{ text: 'line next' }] })
  expect(nested).toMatchObject({ depth: 1, mark: '1.' })
  expect(code).toMatchObject({ text: '<b> # no' })
})

test('strong, emphasized and escaped text, code and links', () => {
  expect(parseInline('a **b *c*** `*d*` \\*e\\* snake_case_name')).toMatchObject([
    { text: 'a ' },
    { type: 'strong' },
    { type: 'text' },
    { type: 'code', text: '*d*' },
    { text: ' ' },
    { text: '*' },
    { text: 'e' },
    { text: '*' },
    { text: ' snake_case_name' },
  ])
  expect(parseInline('[x](https://a.example/y "title")')).toEqual([
    { type: 'link', href: 'https://a.example/y', parts: [{ type: 'text', text: 'x' }] },
  ])
})

test.each([
  '[x](javascript:alert(1))',
  '[x](JAVASCRIPT:alert)',
  '[x](data:text/html,1)',
  '[x](/api/v1/logout)',
  '[x](//evil.example)',
  '![x](vbscript:1)',
  '[x](\u0001javascript:1)',
])('%s is no link', (source) => {
  expect(JSON.stringify(parseInline(source))).not.toContain('"link"')
})

test('an image is a link, and HTML is text', () => {
  expect(parseInline('![map](https://a.example/m.png)')).toMatchObject([
    { type: 'link', href: 'https://a.example/m.png' },
  ])
  expect(parseMarkdown('<script>1</script>')).toEqual([
    { type: 'paragraph', parts: [{ type: 'text', text: '<script>1</script>' }] },
  ])
})

test.each(['[', '*', '**a', '_', '`', '> ', '![](', '|-\n', '- ', '#', '\\', '*a* '])(
  'a text of many %j is parsed at once',
  (piece) => {
    const start = performance.now()
    parseMarkdown(piece.repeat(Math.ceil(20_000 / piece.length)))
    expect(performance.now() - start).toBeLessThan(1000)
  },
)

test('no text is lost', () => {
  const word = fc.constantFrom('a', 'b', '*', '**', '_', '`', '[', '](', ')', '!', '\\', ' ', '|', '<b>')
  fc.assert(
    fc.property(fc.array(word, { maxLength: 30 }), (words) => {
      const letters = (text: string) => text.replace(/[^ab<>]/g, '')
      const source = words.join('')
      expect(letters(textIn(parseInline(source)))).toBe(letters(source))
    }),
    { numRuns: 200 },
  )
})
