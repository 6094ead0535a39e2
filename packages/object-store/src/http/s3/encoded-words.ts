import { textOfWire } from './wire-text.ts'

/** Characters, in a value that has to be encoded, for which the server family takes base64. */
const BASE64_CHARACTERS = /["#$%&'(),.:;<>@[\]^`{|}~]/
/** An encoded word has 75 characters at most; these are left between `=?UTF-8?q?` and `?=`. */
const QUOTED_CHARACTERS = 63
/** Bytes that make no more than 63 characters of base64. */
const BASE64_BYTES = 45

/**
 * User metadata as a header answers it: printable ASCII as it is, all else in the encoded words of RFC 2047, form and
 * length as MinIO RELEASE.2025-10-15 (and Go) choose them. Raw UTF-8 comes out of most clients garbled.
 * @param value as a header carries it: one character for each byte
 */
export function encodedWords(value: string): string {
  if (!/[^\t\x20-\x7e]/.test(value)) return value
  // Text that is not UTF-8 is encoded byte by byte.
  const text = textOfWire(value)
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

/** Consecutive items, together no longer than the limit; no character is cut in two. */
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
