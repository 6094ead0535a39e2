import type { JsonSpan } from '../json/json-node.ts'
import type { ErrorCode, ProblemCode, WarningCode } from './problem-codes.ts'
import { nameSuggestion } from './suggestion.ts'

export interface PolicyProblem {
  severity: 'error' | 'warning'
  code: ProblemCode
  /** Path in the document: `Statement[2].Effect`; '' for the document as a whole. */
  path: string
  /** What is wrong and what is allowed, as text for people. */
  message: string
  /** From 1. */
  line: number
  /** From 1, in UTF-16 units. */
  column: number
  /** Position in the text in UTF-16 units: of the first character, and after the last one. */
  offset: number
  end: number
}

/** Formats a problem in one line: `line 3, column 5: Statement[2].Effect: "allow" is not one of Allow, Deny`. */
export function problemText({ line, column, path, message }: PolicyProblem): string {
  return `line ${line}, column ${column}: ${path === '' ? '' : `${path}: `}${message}`
}

/** Maximum number of misspelled names for which a known name is looked for: each takes about a millisecond. */
const MAX_SUGGESTIONS = 10

/** Collects problems while a text is parsed. */
export class ProblemCollector {
  private suggestions = 0
  private readonly found: PolicyProblem[] = []
  private readonly lineStarts: number[]

  constructor(text: string) {
    this.lineStarts = [0, ...Array.from(text.matchAll(/\n/g), (newline) => newline.index + 1)]
  }

  error(code: ErrorCode, span: JsonSpan, path: string, message: string): void {
    this.add('error', code, span, path, message)
  }

  warn(code: WarningCode, span: JsonSpan, path: string, message: string): void {
    this.add('warning', code, span, path, message)
  }

  /** Returns `, did you mean "s3:GetObject"?`, or an empty text, also after many other problems. */
  suggestion(name: string, known: Iterable<string>): string {
    return this.suggestions++ < MAX_SUGGESTIONS ? nameSuggestion(name, known) : ''
  }

  /** Sorted by position. */
  get errors(): PolicyProblem[] {
    return this.sorted('error')
  }

  get warnings(): PolicyProblem[] {
    return this.sorted('warning')
  }

  private sorted(severity: PolicyProblem['severity']): PolicyProblem[] {
    return this.found.filter((problem) => problem.severity === severity).sort((a, b) => a.offset - b.offset)
  }

  private add(
    severity: PolicyProblem['severity'],
    code: ProblemCode,
    span: JsonSpan,
    path: string,
    message: string,
  ): void {
    const { offset, end } = span
    const line = this.lineAt(offset)
    const column = offset - (this.lineStarts[line] ?? 0) + 1
    this.found.push({ severity, code, path, message, line: line + 1, column, offset, end })
  }

  /** Returns the line of a position, from 0. A text may have as many lines as problems. */
  private lineAt(offset: number): number {
    let [low, high] = [0, this.lineStarts.length - 1]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if ((this.lineStarts[middle] ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    return low
  }
}
