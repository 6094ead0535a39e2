import { textOperator } from '../value-types/text.ts'

const utf8 = new TextDecoder()

/** Holds if a value of the key equals one of the policy's values, which are in Base64. */
export const BinaryEquals = textOperator({ negate: false, read: fromBase64 })

/** @throws if the text is not Base64, or its padding is missing; line breaks are accepted, as by servers */
function fromBase64(lines: string): string {
  const text = lines.replace(/[\r\n]/g, '')
  if (/\s/.test(text) || text.length % 4 !== 0) throw new TypeError('base64 comes in groups of four')
  return utf8.decode(Uint8Array.from(atob(text), (char) => char.charCodeAt(0)))
}
