import type { IncomingHttpHeaders } from 'node:http'

const USER = 'x-amz-meta-'

/** The headers of an answer, each as one text. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>

/** The text of a header; empty when the answer does not have it. */
export function headerOf(headers: Headers | IncomingHttpHeaders, name: string): string {
  return [headers[name] ?? ''].flat().join(', ')
}

/** User metadata of an answer, without the prefix of its names. */
export function userMetadataOf(headers: Headers): Record<string, string> {
  return Object.fromEntries(
    Object.keys(headers)
      .filter((name) => name.startsWith(USER))
      .map((name) => [name.slice(USER.length), readHeaderText(headerOf(headers, name))]),
  )
}

/** A text as servers store it in a header: beyond ASCII as an encoded word of RFC 2047. */
export function writeHeaderText(text: string): string {
  return /^[\x20-\x7e]*$/.test(text) ? text : `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true })

/** The text of a header: encoded words are decoded, and so are the bytes of UTF-8, which come as a character each. */
export function readHeaderText(value: string): string {
  const text = value.replace(
    /=\?utf-8\?([bq])\?([^?]*)\?=(?:\s+(?==\?))?/gi,
    (whole, kind: string, content: string) => {
      const bytes = kind.toLowerCase() === 'b' ? Buffer.from(content, 'base64') : quotedBytes(content)
      return decodeOr(bytes, whole)
    },
  )
  return text === value ? decodeOr(Buffer.from(value, 'latin1'), value) : text
}

function quotedBytes(text: string): Buffer {
  const bytes = text
    .replaceAll('_', ' ')
    .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1')
}

function decodeOr(bytes: Buffer, otherwise: string): string {
  try {
    return UTF_8.decode(bytes)
  } catch {
    return otherwise
  }
}
