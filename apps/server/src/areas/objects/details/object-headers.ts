import type { IncomingHttpHeaders } from 'node:http'

/** How the names of the headers with user metadata begin. */
export const USER_METADATA = 'x-amz-meta-'

/** The headers of an answer. */
export type S3ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>

/** Returns a header as text; empty if it is missing. */
export function readHeader(headers: S3ResponseHeaders | IncomingHttpHeaders, name: string): string {
  return [headers[name] ?? ''].flat().join(', ')
}

/** Returns the user metadata of an answer, without the prefix of the names. */
export function readUserMetadata(headers: S3ResponseHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.keys(headers)
      .filter((name) => name.startsWith(USER_METADATA))
      .map((name) => [name.slice(USER_METADATA.length), readHeaderText(readHeader(headers, name))]),
  )
}

/** Encodes a text as servers store it in a header: non-ASCII text as an encoded word (RFC 2047). */
export function writeHeaderText(text: string): string {
  return /^[\x20-\x7e]*$/.test(text) ? text : `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true })

/** Decodes the text of a header: encoded words, and UTF-8 bytes that were read as Latin-1. */
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
