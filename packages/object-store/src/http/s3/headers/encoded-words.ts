import { decodeWireText } from '../../call/wire-text.ts'

/** If a value that must be encoded contains one of these characters, MinIO uses base64. */
const BASE64_CHARACTERS = /["#$%&'(),.:;<>@[\]^`{|}~]/
/** Maximum number of characters between `=?UTF-8?q?` and `?=`: an encoded word has at most 75. */
const QUOTED_CHARACTERS = 63
/** Maximum number of bytes that fit into 63 characters of base64. */
const BASE64_BYTES = 45

/**
 * Encodes user metadata for a header. Printable ASCII is unchanged; other text becomes encoded words of RFC 2047, in the form
 * and length of MinIO RELEASE.2025-10-15 (and Go). Most clients would garble raw UTF-8.
 * @param value header value with one character for each byte
 */
export function encodeWords(value: string): string {
  if (!/[^\t\x20-\x7e]/.test(value)) return value
  // Text that is not UTF-8 is encoded byte by byte.
  const text = decodeWireText(value)
  const characters =
    text === value ? Array.from(value, (byte) => Buffer.from(byte, 'latin1')) : Array.from(text, (c) => Buffer.from(c))
  if (BASE64_CHARACTERS.test(value)) {
    const parts = groups(characters, BASE64_BYTES)
    return words(
      'b',
      parts.map((part) => Buffer.concat(part).toString('base64')),
    )
  }
  const parts = groups(characters.map(quote), QUOTED_CHARACTERS)
  return words(
    'q',
    parts.map((part) => part.join('')),
  )
}

function words(encoding: 'b' | 'q', contents: string[]): string {
  return contents.map((content) => `=?UTF-8?${encoding}?${content}?=`).join(' ')
}

function quote(character: Buffer): string {
  const text = character.toString('latin1')
  if (text === ' ') return '_'
  if (/^[!-<>@-^`-~]$/.test(text)) return text
  return Array.from(character, (byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')
}

/** Groups consecutive items up to a total length. Never splits a character. */
function groups<T extends { length: number }>(items: T[], limit: number): T[][] {
  const all: T[][] = []
  let room = 0
  for (const item of items) {
    if (item.length > room) {
      all.push([])
      room = limit
    }
    all.at(-1)?.push(item)
    room -= item.length
  }
  return all
}
