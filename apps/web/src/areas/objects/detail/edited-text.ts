/** A text that is edited, and what has to be put back when it is saved. */
export interface EditedText {
  /** With line feeds alone, as a field of a page has it. */
  text: string
  /** Whether lines end with carriage return and line feed. */
  crlf: boolean
  /** Whether the bytes begin with a byte order mark. */
  mark: boolean
}

/** What keeps an object from being edited as text. */
export type NotEditable = 'encoding' | 'binary' | 'line-ends'

const BOM = '\ufeff'
const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The text of bytes, or why it could not be saved again without changing more than was edited. */
export function toEditedText(bytes: Uint8Array): EditedText | NotEditable {
  if (bytes.includes(0)) return 'binary'
  let text: string
  try {
    text = UTF_8.decode(bytes)
  } catch {
    return 'encoding'
  }
  const mark = text.startsWith(BOM)
  const body = mark ? text.slice(1) : text
  const crlf = body.includes('\r\n')
  const plain = crlf ? body.replaceAll('\r\n', '') : body
  // A field of a page makes all ends of lines the same.
  if (plain.includes('\r') || (crlf && plain.includes('\n'))) return 'line-ends'
  return { text: body.replaceAll('\r\n', '\n'), crlf, mark }
}

/** The text to be stored. */
export function fromEditedText({ text, crlf, mark }: EditedText): string {
  return (mark ? BOM : '') + (crlf ? text.replaceAll('\n', '\r\n') : text)
}
