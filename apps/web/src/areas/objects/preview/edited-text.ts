/** A text for editing, and what must be restored when it is saved. */
export interface EditedText {
  /** The text with line feeds only, as text fields require. */
  text: string
  /** Whether the lines end with CRLF. */
  crlf: boolean
  /** Whether the content begins with a byte order mark. */
  mark: boolean
}

/** Why an object cannot be edited as text. */
export type NotEditableReason = 'encoding' | 'binary' | 'line-ends'

const BOM = '\ufeff'
const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Decodes a text for editing. Returns the reason if saving it would change more than the user edited. */
export function toEditedText(bytes: Uint8Array): EditedText | NotEditableReason {
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
  // A text field makes all line ends the same, so mixed line ends would be lost.
  if (plain.includes('\r') || (crlf && plain.includes('\n'))) return 'line-ends'
  return { text: body.replaceAll('\r\n', '\n'), crlf, mark }
}

/** Returns the content to store. */
export function fromEditedText({ text, crlf, mark }: EditedText): string {
  return (mark ? BOM : '') + (crlf ? text.replaceAll('\n', '\r\n') : text)
}
