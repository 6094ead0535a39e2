/** A piece of a line. Images are shown as links. */
export type MarkdownInline =
  | { type: 'text' | 'code'; text: string }
  | { type: 'strong' | 'em'; parts: MarkdownInline[] }
  | { type: 'link'; href: string; parts: MarkdownInline[] }

export type MarkdownBlock =
  | { type: 'heading'; level: number; parts: MarkdownInline[] }
  | { type: 'paragraph'; parts: MarkdownInline[] }
  | { type: 'code'; text: string }
  | { type: 'rule' }
  | { type: 'quote'; blocks: MarkdownBlock[] }
  | { type: 'item'; depth: number; mark: string; parts: MarkdownInline[] }
  | { type: 'table'; rows: MarkdownInline[][][] }

/** Larger texts are shown as source only (bytes). */
export const MAX_MARKDOWN = 256 * 1024
const MAX_QUOTES = 4
const MAX_NESTED = 6
const MAX_INDENT = 6
const MAX_ADDRESS = 2048
/** Any other address is shown as text. */
const SAFE = /^(https?:\/\/|mailto:)/i

const FENCE = /^ {0,3}(```+|~~~+)/
const HEADING = /^ {0,3}(#{1,6})[ \t]+(.*)$/
const RULE = /^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$/
const ITEM = /^([ \t]*)([-*+]|\d{1,9}[.)])[ \t]+(.*)$/
const QUOTE = /^ {0,3}> ?(.*)$/
const TABLE_RULE = /^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/

/**
 * Parses the common parts of Markdown. HTML stays text, and nothing that a text refers to is loaded. The time grows with the length
 * of the text, whatever it contains.
 */
export function parseMarkdown(text: string, quotes = 0): MarkdownBlock[] {
  const lines = text.split(/\r?\n/)
  const blocks: MarkdownBlock[] = []
  let paragraph: string[] = []
  const flush = () => {
    if (paragraph.length > 0) blocks.push({ type: 'paragraph', parts: parseInline(paragraph.join(' ')) })
    paragraph = []
  }
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? ''
    const [, fence] = FENCE.exec(line) ?? []
    if (fence !== undefined) {
      flush()
      const code: string[] = []
      for (i++; i < lines.length && !lines[i]?.trim().startsWith(fence); i++) code.push(lines[i] ?? '')
      blocks.push({ type: 'code', text: code.join('\n') })
      continue
    }
    if (line.trim() === '') {
      flush()
      continue
    }
    const heading = HEADING.exec(line)
    if (heading) {
      flush()
      const [, marks = '', title = ''] = heading
      blocks.push({ type: 'heading', level: marks.length, parts: parseInline(title.trim()) })
      continue
    }
    if (RULE.test(line)) {
      flush()
      blocks.push({ type: 'rule' })
      continue
    }
    if (quotes < MAX_QUOTES && QUOTE.test(line)) {
      flush()
      const quoted: string[] = []
      for (; i < lines.length; i++) {
        const [, inner] = QUOTE.exec(lines[i] ?? '') ?? []
        if (inner === undefined) break
        quoted.push(inner)
      }
      i--
      blocks.push({ type: 'quote', blocks: parseMarkdown(quoted.join('\n'), quotes + 1) })
      continue
    }
    const item = ITEM.exec(line)
    if (item) {
      flush()
      const [, indent = '', mark = '', content = ''] = item
      const depth = Math.min(MAX_INDENT, Math.floor(indent.replaceAll('\t', '    ').length / 2))
      blocks.push({ type: 'item', depth, mark: /\d/.test(mark) ? mark : '•', parts: parseInline(content) })
      continue
    }
    if (line.includes('|') && TABLE_RULE.test(lines[i + 1] ?? '') && lines[i + 1]?.includes('-')) {
      flush()
      const rows = [tableCells(line)]
      for (i += 2; i < lines.length && lines[i]?.includes('|'); i++) rows.push(tableCells(lines[i] ?? ''))
      i--
      blocks.push({ type: 'table', rows })
      continue
    }
    paragraph.push(line.trim())
  }
  flush()
  return blocks
}

function tableCells(line: string): MarkdownInline[][] {
  const inner = line.trim().replace(/^\|/, '').replace(/\|$/, '')
  return inner.split('|').map((cell) => parseInline(cell.trim()))
}

/** Parses code, strong and emphasized text, links and images. */
export function parseInline(text: string, depth = 0): MarkdownInline[] {
  const parts: MarkdownInline[] = []
  const next = createFinder(text)
  let plain = 0
  const push = (end: number, resume: number, part: MarkdownInline) => {
    if (end > plain) parts.push({ type: 'text', text: text.slice(plain, end) })
    parts.push(part)
    plain = resume
  }
  let i = 0
  const deeper = depth < MAX_NESTED
  while (i < text.length) {
    const char = text[i]
    if (char === '\\' && i + 1 < text.length && /[!-/:-@[-`{-~]/.test(text[i + 1] ?? '')) {
      push(i, i + 2, { type: 'text', text: text[i + 1] ?? '' })
      i = plain
      continue
    }
    if (char === '`') {
      const end = next('`', i + 1)
      if (end > i + 1) {
        push(i, end + 1, { type: 'code', text: text.slice(i + 1, end) })
        i = plain
        continue
      }
    }
    if (deeper && (char === '*' || char === '_')) {
      const double = text[i + 1] === char
      const mark = double ? char + char : char
      const end = next(mark, i + mark.length)
      // A_b_c is one word.
      const inWord = char === '_' && /\w/.test(text[i - 1] ?? '')
      if (!inWord && end > i + mark.length && text[i + mark.length] !== ' ' && text[end - 1] !== ' ') {
        const inner = parseInline(text.slice(i + mark.length, end), depth + 1)
        push(i, end + mark.length, { type: double ? 'strong' : 'em', parts: inner })
        i = plain
        continue
      }
    }
    if (deeper && char === '[') {
      const middle = next('](', i + 1)
      const end = middle < 0 ? -1 : next(')', middle + 2)
      const [href = ''] =
        middle < 0 || end < 0 || end - middle > MAX_ADDRESS ? [] : text.slice(middle + 2, end).split(/\s/, 1)
      if (SAFE.test(href)) {
        const label = text.slice(i + 1, middle) || href
        const image = text[i - 1] === '!' && i - 1 >= plain
        push(image ? i - 1 : i, end + 1, { type: 'link', href, parts: parseInline(label, depth + 1) })
        i = plain
        continue
      }
    }
    i++
  }
  if (plain < text.length) parts.push({ type: 'text', text: text.slice(plain) })
  return parts
}

/** Returns a search that remembers its last result, so that a text without an end mark is not searched again and again. */
function createFinder(text: string): (mark: string, from: number) => number {
  const known = new Map<string, number>()
  return (mark, from) => {
    const last = known.get(mark)
    if (last !== undefined && (last < 0 || last >= from)) return last
    const found = text.indexOf(mark, from)
    known.set(mark, found)
    return found
  }
}
