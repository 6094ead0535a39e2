/** Levels that are indented; deeper ones would make the text many times as long. */
const MAX_INDENT = 16
/** The maximum length of the result (characters). */
const MAX_LENGTH = 4 * 1024 * 1024

/**
 * Puts each value of a JSON text on a line of its own. Strings and numbers stay as they are written: parsing them would round
 * long numbers and drop repeated names.
 * @returns undefined if the text is not JSON, or would become too long
 */
export function formatJson(text: string): string | undefined {
  if (!isJson(text)) return undefined
  const pieces: string[] = []
  let length = 0
  let depth = 0
  let before = ''
  for (const [token] of text.matchAll(TOKEN)) {
    const opened = before === '{' || before === '['
    const closes = token === '}' || token === ']'
    if (closes) depth--
    // An empty object or array stays on one line.
    const breaks = closes ? !opened : opened || before === ','
    const piece = (breaks ? `\n${'  '.repeat(Math.min(depth, MAX_INDENT))}` : '') + (token === ':' ? ': ' : token)
    pieces.push(piece)
    length += piece.length
    if (length > MAX_LENGTH) return undefined
    if (token === '{' || token === '[') depth++
    before = token
  }
  return pieces.join('')
}

/** A string, a mark, or a number or word. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
