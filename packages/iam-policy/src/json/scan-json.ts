import type { JsonNumberNode, JsonStringNode } from './json-node.ts'

/** Invalid JSON, with the position of the first wrong character. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError'
  constructor(
    message: string,
    readonly offset: number,
    readonly end: number,
  ) {
    super(message)
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

/** Reads the string that starts with the quote at `offset`. */
export function scanString(text: string, offset: number): JsonStringNode {
  let value = ''
  let at = offset + 1
  for (;;) {
    const char = text[at]
    if (char === undefined || char === '\n' || char === '\r') {
      throw new JsonSyntaxError('the text in quotes has no end on its line', offset, at)
    }
    if (char === '"') return { kind: 'string', value, offset, end: at + 1 }
    if (char < ' ') throw new JsonSyntaxError('a control character must be written as \\u00XX', at, at + 1)
    if (char === '\\') {
      const escaped = readEscape(text, at)
      value += escaped.value
      at = escaped.end
    } else {
      value += char
      at++
    }
  }
}

function readEscape(text: string, offset: number): { value: string; end: number } {
  const char = text[offset + 1] ?? ''
  const simple = ESCAPES[char]
  if (simple !== undefined) return { value: simple, end: offset + 2 }
  const hex = /^[0-9a-fA-F]{4}/.exec(text.slice(offset + 2, offset + 6))?.[0]
  if (char === 'u' && hex) return { value: String.fromCharCode(Number.parseInt(hex, 16)), end: offset + 6 }
  throw new JsonSyntaxError(`"\\${char}" is not an escape of JSON`, offset, offset + 2)
}

/** Reads the number that starts at `offset`. */
export function scanNumber(text: string, offset: number): JsonNumberNode {
  const pattern = /-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y
  pattern.lastIndex = offset
  const digits = pattern.exec(text)?.[0]
  if (!digits) throw new JsonSyntaxError('"-" is not a number', offset, offset + 1)
  return { kind: 'number', value: Number(digits), offset, end: offset + digits.length }
}
