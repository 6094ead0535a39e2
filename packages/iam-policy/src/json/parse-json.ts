import type { JsonMember, JsonNode, JsonSpan, JsonStringNode } from './json-node.ts'
import { JsonSyntaxError, scanNumber, scanString } from './scan-json.ts'

export interface JsonProblem extends JsonSpan {
  code: 'InvalidJson' | 'TrailingComma'
  message: string
}

/** Deeper than any policy, but safe for the stack. */
const MAX_DEPTH = 64

/**
 * Parses JSON with the position of every value. Continues after an extra or missing comma; stops at any other error, and then
 * returns no `root`. Never throws.
 */
export function parseJsonNodes(text: string): { root?: JsonNode; problems: JsonProblem[] } {
  const reader = new JsonReader(text)
  try {
    return { root: reader.readDocument(), problems: reader.problems }
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error
    reader.problems.push({
      code: 'InvalidJson',
      message: error.message,
      offset: error.offset,
      end: Math.min(error.end, text.length),
    })
    return { problems: reader.problems }
  }
}

class JsonReader {
  readonly problems: JsonProblem[] = []
  private at = 0
  private depth = 0

  constructor(private readonly text: string) {}

  readDocument(): JsonNode {
    this.skipBlanks()
    if (this.at === this.text.length) throw new JsonSyntaxError('the text is empty', 0, 0)
    const root = this.readValue()
    this.skipBlanks()
    if (this.at < this.text.length) {
      throw new JsonSyntaxError('there is text behind the end of the document', this.at, this.text.length)
    }
    return root
  }

  private readValue(): JsonNode {
    const offset = this.at
    const char = this.text[offset]
    if (char === '{') return this.nested(() => this.readObject(offset))
    if (char === '[') return this.nested(() => this.readArray(offset))
    if (char === '"') return this.readText()
    if (char === '-' || (char !== undefined && char >= '0' && char <= '9')) return this.readNumber(offset)
    for (const [word, value] of LITERALS) {
      if (!this.text.startsWith(word, offset)) continue
      this.at += word.length
      return { kind: 'literal', value, offset, end: this.at }
    }
    if (char === undefined) throw new JsonSyntaxError('the text ends where a value is expected', offset, offset)
    throw new JsonSyntaxError(`"${char}" is not the start of a value`, offset, offset + 1)
  }

  private nested<T>(read: () => T): T {
    if (++this.depth > MAX_DEPTH) throw new JsonSyntaxError('values are nested too deep', this.at, this.at + 1)
    const result = read()
    this.depth--
    return result
  }

  private readObject(offset: number): JsonNode {
    const members: JsonMember[] = []
    this.readList('}', () => {
      if (this.text[this.at] !== '"') {
        throw new JsonSyntaxError('the name of a member in double quotes is expected', this.at, this.at + 1)
      }
      const key = this.readText()
      this.skipBlanks()
      if (this.text[this.at] !== ':') throw new JsonSyntaxError('":" is expected', this.at, this.at + 1)
      this.at++
      this.skipBlanks()
      members.push({ key, value: this.readValue() })
    })
    return { kind: 'object', members, offset, end: this.at }
  }

  private readArray(offset: number): JsonNode {
    const items: JsonNode[] = []
    this.readList(']', () => items.push(this.readValue()))
    return { kind: 'array', items, offset, end: this.at }
  }

  /** Reads from the opening bracket to the position after the closing one. */
  private readList(close: string, readItem: () => void): void {
    this.at++
    this.skipBlanks()
    while (this.text[this.at] !== close) {
      readItem()
      const end = this.at
      this.skipBlanks()
      if (this.text[this.at] === ',') this.skipComma(close)
      else if (this.text[this.at] !== close) this.reportMissingComma(close, end)
    }
    this.at++
  }

  private skipComma(close: string): void {
    const offset = this.at++
    this.skipBlanks()
    if (this.text[this.at] !== close) return
    this.problems.push({
      code: 'TrailingComma',
      message: `the comma before "${close}" is one too many`,
      offset,
      end: offset + 1,
    })
  }

  private reportMissingComma(close: string, end: number): void {
    if (this.at === this.text.length) throw new JsonSyntaxError(`the text ends before "${close}"`, this.at, this.at)
    // Only if another item clearly starts here; anything else is not a forgotten comma.
    if (!/["{[]/.test(this.text[this.at] ?? '')) {
      throw new JsonSyntaxError(`"," or "${close}" is expected`, this.at, this.at + 1)
    }
    this.problems.push({ code: 'InvalidJson', message: 'a comma is missing', offset: end, end })
  }

  private readText(): JsonStringNode {
    const found = scanString(this.text, this.at)
    this.at = found.end
    return found
  }

  private readNumber(offset: number): JsonNode {
    const found = scanNumber(this.text, offset)
    this.at = found.end
    return found
  }

  private skipBlanks(): void {
    while (/[ \t\r\n]/.test(this.text[this.at] ?? '')) this.at++
  }
}

const LITERALS: readonly (readonly [string, boolean | null])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
]
