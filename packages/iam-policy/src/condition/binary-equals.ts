import { textOperator } from './text.ts'

const utf8 = new TextDecoder()

/** A value of the key equals one of the policy, which gives it in base64. */
export const BinaryEquals = textOperator({ negate: false, read: fromBase64 })

/** @throws when the text is not base64, or is without its padding; ends of lines are let pass, as servers do */
function fromBase64(lines: string): string {
  const text = lines.replace(/[\r\n]/g, '')
  if (/\s/.test(text) || text.length % 4 !== 0) throw new TypeError('base64 comes in groups of four')
  return utf8.decode(Uint8Array.from(atob(text), (char) => char.charCodeAt(0)))
}
